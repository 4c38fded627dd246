/// The values of a publisher as an asynchronous sequence that throws the publisher's failure.
///
/// Each iteration subscribes anew. It asks for one value at a time, so it misses what the publisher does not keep.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The publisher's values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates the sequence of `publisher`'s values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// The values one after the other. Letting go of it, or cancelling the task that waits, cancels the subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscriber = AsyncSubscriber<P.Output, P.Failure>()
        private let subscription: AnyCancellable

        init(_ publisher: P) {
            subscription = AnyCancellable(guarded: subscriber)
            publisher.subscribe(subscriber)
        }

        /// Waits for the next value; nil after the end, or if the task is cancelled. Throws the publisher's failure, once.
        public mutating func next() async throws -> P.Output? { try await subscriber.next().get() }
    }
}

extension Publisher {
    /// The values as an asynchronous sequence that throws the failure.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
