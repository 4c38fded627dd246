package import Foundation

extension HTTPBody {
    /// One piece of a body, as far as it can be written down.
    package enum Piece: Sendable {
        case bytes(Data)
        case file(URL)
        /// Bytes that are known only when they are sent.
        case stream
    }

    /// The pieces that the body is put together from, in their order.
    package var pieces: [Piece] {
        switch content {
        case .none: []
        case .data(let data): [.bytes(data)]
        case .file(let url): [.file(url)]
        case .stream, .once, .failed: [.stream]
        case .joined(let bodies): bodies.flatMap(\.pieces)
        }
    }
}
