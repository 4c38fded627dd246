import APIBaseKit

extension Data {
    /// These bytes in chunks, cut in every way that there is for two of them, whole, and one byte in each; with empty ones too.
    var cuts: [[Data]] {
        let pairs = (0...count).map { [prefix($0), dropFirst($0)] }
        return pairs + [[self], map { Data([$0]) }, flatMap { [Data(), Data([$0])] }]
    }
}

/// What of the chunks has been asked for.
final class Asked {
    private(set) var chunks = 0
    private(set) var wasCancelled = false

    /// The chunks, counted as they are asked for, and no faster.
    func publisher(of chunks: some Sequence<Data>) -> AnyPublisher<Data, Never> {
        chunks.publisher
            .handleEvents(
                receiveOutput: { _ in self.chunks += 1 },
                receiveCancel: { self.wasCancelled = true }
            )
            .eraseToAnyPublisher()
    }
}
