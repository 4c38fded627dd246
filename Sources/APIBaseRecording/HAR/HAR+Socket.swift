import Foundation
package import HTTPTransport

extension HAR {
    /// A message of a WebSocket, as Chrome exports it.
    package struct WebSocketMessage: Codable, Sendable, Hashable {
        package enum Direction: String, Codable, Sendable {
            case send, receive
        }

        package var type: Direction
        /// The seconds since 1970.
        package var time: Double
        /// 1 for a text, 2 for bytes (RFC 6455, section 5.2).
        package var opcode: Int
        /// The text, or the bytes as Base64.
        package var data: String
    }
}

extension HAR.WebSocketMessage {
    package init(_ message: SocketMessage, isSent: Bool, at date: Date = Date()) {
        self.init(type: isSent ? .send : .receive, time: date.timeIntervalSince1970, opcode: 1, data: "")
        content = message
    }

    /// - Throws: For what is no message, such as an error in place of one. Bytes that are no Base64 are read as a text.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(Direction.self, forKey: .type)
        time = container.lenient(.time) ?? 0
        data = try container.decode(String.self, forKey: .data)
        opcode = container.lenient(.opcode) ?? 1
        guard [1, 2].contains(opcode) else {
            throw DecodingError.dataCorruptedError(forKey: .opcode, in: container, debugDescription: "No message.")
        }
        if bytes == nil { opcode = 1 }
    }

    /// The bytes of a message that has no text.
    private var bytes: Data? { opcode == 2 ? Data(base64Encoded: data, options: .ignoreUnknownCharacters) : nil }

    package var content: SocketMessage {
        get { bytes.map { .data($0) } ?? .text(data) }
        set { (opcode, data) = newValue.text.map { (1, $0) } ?? (2, newValue.bytes.base64EncodedString()) }
    }

    mutating func edit(with editor: inout some HAREditor) {
        if let edited = editor.edited(content.bytes, type: "") { content = content.with(edited) }
    }
}

extension SocketMessage {
    /// A message of the same kind with these bytes.
    package func with(_ bytes: Data) -> SocketMessage {
        text == nil ? .data(bytes) : .text(String(decoding: bytes, as: UTF8.self))
    }
}
