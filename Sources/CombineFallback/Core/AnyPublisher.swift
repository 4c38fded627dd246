/// A publisher that hides the type of another.
public struct AnyPublisher<Output, Failure: Error>: Publisher, Described {
    /// Attaches a subscriber to the hidden publisher.
    ///
    /// It takes an `AnySubscriber`, so that the hidden pipeline is compiled for one subscriber type and not built from
    /// metadata at every subscription.
    @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

    /// The object that the publisher was made from, for the module that made it; nil for most.
    @usableFromInline package let origin: AnyObject?

    /// Wraps `publisher` and keeps the object it was made from.
    package init<P: Publisher>(_ publisher: P, madeOf origin: AnyObject)
    where P.Output == Output, P.Failure == Failure {
        attach = { publisher.receive(subscriber: $0) }
        self.origin = origin
    }

    /// Wraps `publisher`.
    @inlinable public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if P.self == AnyPublisher<Output, Failure>.self, let same = publisher as? AnyPublisher<Output, Failure> {
            (attach, origin) = (same.attach, same.origin)
        } else {
            (attach, origin) = ({ publisher.receive(subscriber: $0) }, nil)
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
