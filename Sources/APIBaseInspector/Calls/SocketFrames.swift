import APIBaseRecording
import Basics
import Foundation
import HTTPTransport

/// The newest messages of a socket.
struct SocketFrames: Encodable {
    private static let maximumCount = 200

    /// The beginning of a message, as a recording has it, and the size of the whole.
    struct Frame: Encodable {
        var message: HAR.WebSocketMessage
        let size: Int

        private enum CodingKeys: CodingKey { case size }

        init(_ message: SocketMessage, isSent: Bool, keeping limit: Int) {
            self.message = HAR.WebSocketMessage(message.beginning(limit), isSent: isSent)
            size = message.size
        }

        func encode(to encoder: any Encoder) throws {
            try message.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(size, forKey: .size)
        }
    }

    private var newest: [Frame] = []
    /// The number of the others.
    private var dropped = 0

    /// The bytes in memory.
    var memory: Int { newest.reduce(0) { $0 + $1.message.data.utf8.count + 100 } }

    mutating func append(_ frame: Frame) {
        if newest.count == Self.maximumCount {
            newest.removeFirst()
            dropped += 1
        }
        newest.append(frame)
    }

    mutating func drop(_ count: Int) { dropped += count }
}

extension SocketMessage {
    /// The first bytes, without an incomplete character.
    fileprivate func beginning(_ count: Int) -> SocketMessage {
        switch self {
        case _ where size <= count: self
        case .text(let text): .text(String(decoding: Data(text.utf8.prefix(count)).withoutCutCharacter, as: UTF8.self))
        case .data(let data): .data(Data(data.prefix(count)))
        }
    }
}
