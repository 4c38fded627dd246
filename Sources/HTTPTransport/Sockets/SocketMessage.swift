public import Foundation

/// A message of a WebSocket (RFC 6455, section 5.6).
public enum SocketMessage: Sendable, Hashable, Codable {
    /// A text.
    case text(String)
    /// Bytes.
    case data(Data)
}

extension SocketMessage {
    /// The text; `nil` for bytes.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The bytes, or those of the text as UTF-8.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// The number of bytes.
    package var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}
