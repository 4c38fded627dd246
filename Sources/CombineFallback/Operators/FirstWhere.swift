extension Publishers {
    /// A publisher of the first value only that a closure accepts.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Whether a value is the one.
        public let predicate: (Upstream.Output) -> Bool

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Conduit(FirstWhereStage(predicate: predicate), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Publishes the first value that `predicate` accepts, as soon as there is demand for it, cancels upstream and
    /// finishes.
    @inlinable
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }
}

@usableFromInline
struct FirstWhereStage<Output, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @inlinable static var name: String { "FirstWhere" }
    @inlinable static var pull: Pull { .everything }
    @usableFromInline let predicate: (Output) -> Bool

    @inlinable
    init(predicate: @escaping (Output) -> Bool) { self.predicate = predicate }

    @inlinable
    func step(for input: Output) -> Step<Output, Failure> { predicate(input) ? .last(input) : .skip }
}
