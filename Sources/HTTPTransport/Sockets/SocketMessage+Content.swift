public import Foundation

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
