import Basics
import Foundation
import HTTPTransport

/// The agreement of both ends in the opening handshake.
struct SocketAgreement: Hashable, Sendable {
    var subprotocol: String?
    /// `nil` without compression.
    var compression: SocketCompression?
}

/// The opening handshake of a client (RFC 6455, section 4.1).
struct SocketHandshake: Sendable {
    private let subprotocols: [String], offer: String?, key: String

    /// Offers subprotocols, the best first (tokens, none twice), and compression if the system has zlib; with a random
    /// key.
    init(subprotocols: [String] = [], compression: Bool = false, key: [UInt8]? = nil) {
        self.subprotocols = subprotocols
        offer = compression && Zlib.shared != nil ? SocketCompression.offer : nil
        self.key = Data(key ?? (0..<16).map { _ in .random(in: .min ... .max) }).base64EncodedString()
    }

    /// The headers of the request.
    var headers: [(name: String, value: String)] {
        var headers = [
            (name: "Upgrade", value: "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", key),
            ("Sec-WebSocket-Version", "13"),
        ]
        if !subprotocols.isEmpty { headers.append(("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))) }
        if let offer { headers.append(("Sec-WebSocket-Extensions", offer)) }
        return headers
    }

    /// Checks the answer of the server; `header` returns all values of the headers with a name, in any case.
    func agreement(status: Int, header: (String) -> [String]) throws(SocketHandshakeError) -> SocketAgreement {
        guard status == 101 else { throw .status(status) }
        let upgrade = header("Upgrade")
        guard upgrade.count == 1, upgrade[0].equalsIgnoringCase("websocket") else { throw .upgrade(upgrade) }
        let connection = header("Connection")
        let options = connection.flatMap { $0.parts(at: ",") }
        guard options.contains(where: { $0.equalsIgnoringCase("upgrade") }) else { throw .connection(connection) }
        let accept = header("Sec-WebSocket-Accept")
        let expected = Data(sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
        guard accept == [expected] else { throw .accept(accept, expected: expected) }
        let subprotocol = header("Sec-WebSocket-Protocol")
        guard subprotocol.count <= 1, subprotocol.allSatisfy(subprotocols.contains) else {
            throw .subprotocol(subprotocol, offered: subprotocols)
        }
        let values = header("Sec-WebSocket-Extensions")
        // A list may have empty elements (RFC 9110, section 5.6.1).
        let answers = values.flatMap { $0.parts(at: ",") }.filter { !$0.isEmpty }
        let compression = offer != nil && answers.count == 1 ? SocketCompression(answer: answers[0]) : nil
        guard answers.isEmpty || compression != nil else { throw .extensions(values, offered: offer) }
        return SocketAgreement(subprotocol: subprotocol.first, compression: compression)
    }
}
