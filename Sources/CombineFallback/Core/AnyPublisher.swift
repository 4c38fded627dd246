/// A publisher that hides the type of the one it stands for.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
    @usableFromInline let source: Source

    /// Wraps `publisher`.
    @inlinable
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        source = (publisher as? AnyPublisher<Output, Failure>)?.source ?? Erased(publisher)
    }

    /// Attaches `subscriber` to the hidden publisher.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        source.attach(AnySubscriber(subscriber))
    }

    /// `AnyPublisher`.
    public var description: String { "AnyPublisher" }

    /// The hidden publisher.
    ///
    /// It takes an `AnySubscriber` rather than any subscriber, so that the pipeline before the erasure is compiled for
    /// one known subscriber type instead of being put together from metadata at every subscription.
    @usableFromInline
    class Source {
        @inlinable
        init() {}

        @inlinable
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {}
    }

    @usableFromInline
    final class Erased<Base: Publisher>: Source where Base.Output == Output, Base.Failure == Failure {
        @usableFromInline let base: Base

        @inlinable
        init(_ base: Base) { self.base = base }

        @inlinable
        override func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            base.receive(subscriber: subscriber)
        }
    }
}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
