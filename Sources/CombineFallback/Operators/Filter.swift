extension Publishers {
    /// A publisher of the values that a closure accepts.
    public struct Filter<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Whether a value is published.
        public let isIncluded: (Upstream.Output) -> Bool

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(FilterStage(isIncluded: isIncluded), subscriber))
        }
    }
}

extension Publisher {
    /// Publishes the values that `isIncluded` accepts.
    @inlinable
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
}

@usableFromInline
struct FilterStage<Output, UpstreamFailure: Error>: RelayStage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = UpstreamFailure

    @usableFromInline let isIncluded: (Output) -> Bool

    @inlinable
    init(isIncluded: @escaping (Output) -> Bool) { self.isIncluded = isIncluded }

    @inlinable
    func output(for input: Output) -> Output? { isIncluded(input) ? input : nil }
}
