import Basics
import Foundation
import LoopbackServer

/// The server's side of a WebSocket (RFC 6455), for feeds: texts to the client, and nothing but control frames from it.
final class ServerSocket: Sendable {
    private enum Opcode: UInt8 {
        case text = 1
        case close = 8
        case ping, pong
    }

    private let connection: SocketConnection
    /// Held while a frame is written, since several threads send.
    private let writing = Locked(())

    private init(_ connection: SocketConnection) { self.connection = connection }

    /// The response that switches to a socket, on whose thread `talk` runs.
    ///
    /// - Throws: 426 if the request is not its handshake (RFC 6455, section 4.2.1).
    static func response(
        to request: ServerRequest,
        _ talk: @escaping @Sendable (ServerSocket) throws -> Void
    ) throws -> ServerResponse {
        guard request.headers.tokens(for: "Upgrade") == ["websocket"], let key = request.headers["Sec-WebSocket-Key"]
        else { throw HTTPError(426, "This is a WebSocket.", headers: HTTPFields(["Upgrade": "websocket"])) }
        let accept = Data(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
        let headers = HTTPFields(["Upgrade": "websocket", "Sec-WebSocket-Accept": accept])
        return ServerResponse(status: 101, headers: headers, body: .switched { try talk(ServerSocket($0)) })
    }

    func send(_ text: String) throws { try write(.text, Array(text.utf8)) }

    private func write(_ opcode: Opcode, _ payload: [UInt8]) throws {
        let count = payload.count
        let length =
            count < 126
            ? [UInt8(count)]
            : count < 1 << 16
                ? [126, UInt8(count >> 8), UInt8(count & 0xFF)]
                : [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        let connection = connection
        try writing.withLock { _ in try connection.write([0x80 | opcode.rawValue] + length + payload) }
    }

    /// Reads until the client closes, and answers its control frames.
    func waitForClose() throws {
        let patience = ContinuousClock.Instant.now + .seconds(86_400)
        while true {
            let head = try connection.read(exactly: 2, before: patience)
            // A frame of data would be unread for ever, so a client that sends one is cut off.
            guard let opcode = Opcode(rawValue: head[0] & 0x0F), opcode != .text, head[1] > 0x80, head[1] < 0xFE
            else { return try write(.close, [0x03, 0xEB]) }  // 1003
            let (mask, length) = (try connection.read(exactly: 4), Int(head[1] & 0x7F))
            let payload = try connection.read(exactly: length).enumerated().map { $1 ^ mask[$0 & 3] }
            if opcode == .ping { try write(.pong, payload) }
            if opcode == .close { return try write(.close, Array(payload.prefix(2))) }
        }
    }
}
