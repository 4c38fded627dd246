extension Publishers {
    /// A publisher of the first value only.
    public struct First<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Conduit(FirstStage(), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Publishes the first value, as soon as there is demand for it, cancels upstream and finishes.
    @inlinable
    public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }
}

@usableFromInline
struct FirstStage<Output, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @inlinable static var name: String { "First" }
    @inlinable static var pull: Pull { .everything }

    @inlinable
    init() {}

    @inlinable
    func step(for input: Output) -> Step<Output, Failure> { .last(input) }
}
