/// The values of a publisher that cannot fail, as an asynchronous sequence.
///
/// Each iteration has its own subscription, which asks for one value at a time. It misses values that the publisher
/// does not keep.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The publisher's values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates the sequence of `publisher`'s values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// The iterator. Releasing it, or cancelling the waiting task, cancels the subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscriber = AsyncSubscriber<P.Output, Never>()
        private let subscription: AnyCancellable

        init(_ publisher: P) {
            subscription = AnyCancellable(idempotent: subscriber)
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

/// The values of a publisher as an asynchronous sequence that throws the publisher's failure.
///
/// Each iteration has its own subscription, which asks for one value at a time. It misses values that the publisher
/// does not keep.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The publisher's values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates the sequence of `publisher`'s values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

    /// The iterator. Releasing it, or cancelling the waiting task, cancels the subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscriber = AsyncSubscriber<P.Output, P.Failure>()
        private let subscription: AnyCancellable

        init(_ publisher: P) {
            subscription = AnyCancellable(idempotent: subscriber)
            publisher.subscribe(subscriber)
        }

        /// Waits for the next value; nil after the end, or if the task is cancelled. Throws the publisher's failure,
        /// once.
        public mutating func next() async throws -> P.Output? { try await subscriber.next().get() }
    }
}

extension Publisher {
    /// The values as an asynchronous sequence that throws the failure.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
