/// A publisher that hides the type of the one it stands for.
public struct AnyPublisher<Output, Failure: Error>: Publisher, Described {
    /// Attaches a subscriber to the hidden publisher.
    ///
    /// It takes an `AnySubscriber` rather than any subscriber, so that the pipeline before the erasure is compiled for
    /// one known subscriber type instead of being put together from metadata at every subscription.
    @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Wraps `publisher`.
    @inlinable public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if P.self == AnyPublisher<Output, Failure>.self, let same = publisher as? AnyPublisher<Output, Failure> {
            attach = same.attach
        } else {
            attach = { publisher.receive(subscriber: $0) }
        }
    }

    /// Attaches `subscriber` to the hidden publisher.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    /// `AnyPublisher`.
    public var description: String { "AnyPublisher" }
}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
