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
        self.init(
            type: isSent ? .send : .receive,
            time: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6,
            opcode: message.text == nil ? 2 : 1,
            data: message.text ?? message.bytes.base64EncodedString()
        )
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

    var content: SocketMessage { bytes.map { .data($0) } ?? .text(data) }

    mutating func edit(with editor: inout some HAREditor) {
        guard let edited = editor.edited(content.bytes, type: "") else { return }
        data = opcode == 2 ? edited.base64EncodedString() : String(decoding: edited, as: UTF8.self)
    }
}
