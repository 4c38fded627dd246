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

/// A subscriber that takes as many values as it is told.
final class Taker<Output>: Subscriber {
    typealias Input = Output
    typealias Failure = any Error

    private(set) var values: [Output] = []
    private(set) var completion: Subscribers.Completion<any Error>?
    private(set) var subscription: (any Subscription)?

    init(_ publisher: some Publisher<Output, any Error>) { publisher.subscribe(self) }

    func take(_ count: Int) { subscription?.request(.max(count)) }
    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(completion: Subscribers.Completion<any Error>) { self.completion = completion }

    func receive(_ input: Output) -> Subscribers.Demand {
        values.append(input)
        return .none
    }
}
