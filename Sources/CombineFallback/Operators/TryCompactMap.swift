extension Publishers {
    /// A publisher that transforms each value with a closure that may throw, and leaves out those that become nil.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure, or what the closure throws.
        public typealias Failure = any Error

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// The closure that transforms a value, or leaves it out with nil.
        public let transform: (Upstream.Output) throws -> Output?

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(
                Conduit(TryCompactMapStage<_, Upstream.Failure, _>(transform: transform), AnySubscriber(subscriber))
            )
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure, and leaves out those that become nil; if it throws, cancels upstream and
    /// fails with its error.
    @inlinable
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, transform: transform)
    }
}

@usableFromInline
struct TryCompactMapStage<Input, UpstreamFailure: Error, Output>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "TryCompactMap" }
    @usableFromInline let transform: (Input) throws -> Output?

    @inlinable
    init(transform: @escaping (Input) throws -> Output?) { self.transform = transform }

    @inlinable
    func step(for input: Input) -> Step<Output, any Error> {
        do { return try transform(input).map { .pass($0) } ?? .skip } catch { return .fail(error) }
    }
}
