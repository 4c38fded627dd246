/// The values of a publisher that cannot fail, as an asynchronous sequence.
///
/// Each iteration subscribes anew. It asks for one value at a time, so it misses what the publisher does not keep.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The publisher's values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates the sequence of `publisher`'s values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// The values one after the other. Letting go of it, or cancelling the task that waits, cancels the subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscriber = AsyncSubscriber<P.Output, Never>()
        private let subscription: AnyCancellable

        init(_ publisher: P) {
            subscription = AnyCancellable(guarded: subscriber)
            publisher.subscribe(subscriber)
        }

        /// Waits for the next value; nil after the end, or if the task is cancelled.
        public mutating func next() async -> P.Output? {
            switch await subscriber.next() {
            case .success(let value): value
            }
        }
    }
}

extension Publisher where Failure == Never {
    /// The values as an asynchronous sequence.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}
