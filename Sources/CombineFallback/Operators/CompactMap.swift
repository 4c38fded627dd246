extension Publishers {
    /// A publisher that transforms each value and leaves out those that become nil.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// The closure that transforms a value, or leaves it out with nil.
        public let transform: (Upstream.Output) -> Output?

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(CompactMapStage(transform: transform), subscriber))
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure, and leaves out those that become nil.
    @inlinable
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
}

@usableFromInline
struct CompactMapStage<Input, Output, UpstreamFailure: Error>: RelayStage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @usableFromInline let transform: (Input) -> Output?

    @inlinable
    init(transform: @escaping (Input) -> Output?) { self.transform = transform }

    @inlinable
    func output(for input: Input) -> Output? { transform(input) }
}
