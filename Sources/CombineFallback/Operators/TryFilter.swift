extension Publishers {
    /// A publisher of the values that a closure, which may throw, accepts.
    public struct TryFilter<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure, or what the closure throws.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// Whether a value is published.
        public let isIncluded: (Upstream.Output) throws -> Bool

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(
                Conduit(TryFilterStage<_, Upstream.Failure>(isIncluded: isIncluded), AnySubscriber(subscriber))
            )
        }
    }
}

extension Publisher {
    /// Publishes the values that `isIncluded` accepts; if it throws, cancels upstream and fails with its error.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
        Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
    }
}

@usableFromInline
struct TryFilterStage<Output, UpstreamFailure: Error>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "TryFilter" }
    @usableFromInline let isIncluded: (Output) throws -> Bool

    @inlinable
    init(isIncluded: @escaping (Output) throws -> Bool) { self.isIncluded = isIncluded }

    @inlinable
    func step(for input: Output) -> Step<Output, any Error> {
        do { return try isIncluded(input) ? .pass(input) : .skip } catch { return .fail(error) }
    }
}
