import Basics
import Foundation
import HTTPTransport

/// An event in the frames of a server.
enum SocketEvent: Hashable, Sendable {
    case message(SocketMessage)
    case ping(Data)
    case pong(Data)
    /// The last event. The code is ``/HTTPTransport/SocketCloseCode/noStatus`` if the server sent none.
    case close(SocketClose)
}

extension SocketClose {
    /// Reads the payload of a close frame (RFC 6455, section 5.5.1).
    init(payload: Data) throws(SocketViolation) {
        try require(payload.count != 1, "a close code of 2 bytes", "1 byte")
        let (number, text) = (payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }, payload.dropFirst(2))
        let code = payload.isEmpty ? .noStatus : SocketCloseCode(rawValue: number)
        try require(payload.isEmpty || code.isSendable, "a close code that can be sent", "\(number)")
        let reason = String(valid: text)
        try require(reason != nil, "a reason in UTF-8", "bytes \(text.hexadecimal)", or: .invalidPayload)
        self.init(code: code, reason: reason ?? "")
    }
}
