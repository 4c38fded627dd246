import Basics

/// The body of a response without a subscriber yet. Releasing the last reference cancels it.
final class UnclaimedBody: Sendable {
    let stream: ResponseStream

    init(of stream: ResponseStream) { self.stream = stream }

    deinit { stream.abandon() }

    /// The body, for one subscriber.
    var body: AnyPublisher<Data, any Error> {
        ColdPublisher { BodyReading(self, for: $0) }.eraseToAnyPublisher()
    }
}

/// One subscription to the body of a response. The first with demand reads it.
final class BodyReading: Subscription, Sendable {
    private let unclaimed: UnclaimedBody
    /// Unsafe: the stream tells it one thing after another.
    nonisolated(unsafe) let downstream: AnySubscriber<Data, any Error>
    /// Only accessed under the lock of the stream.
    nonisolated(unsafe) var isOver = false

    init(_ unclaimed: UnclaimedBody, for downstream: AnySubscriber<Data, any Error>) {
        (self.unclaimed, self.downstream) = (unclaimed, downstream)
    }

    func request(_ demand: Subscribers.Demand) { if demand > .none { unclaimed.stream.request(demand, by: self) } }

    func cancel() { unclaimed.stream.cancel(self) }
}
