extension Publishers {
    /// A publisher that transforms each value with a closure, and fails with what the closure throws.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure, or what the closure throws.
        public typealias Failure = any Error

        /// The publisher whose values are transformed.
        public let upstream: Upstream

        /// The closure that transforms a value.
        public let transform: (Upstream.Output) throws -> Output

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            upstream.attach(
                Conduit(
                    TryMapStage<Upstream.Output, Upstream.Failure, Output>(transform: transform),
                    AnySubscriber(subscriber)
                )
            )
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure; if it throws, cancels upstream and fails with its error.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
}

@usableFromInline
struct TryMapStage<Input, UpstreamFailure: Error, Output>: Stage {
    @usableFromInline typealias InputFailure = UpstreamFailure
    @usableFromInline typealias Failure = any Error

    @inlinable static var name: String { "TryMap" }
    @usableFromInline let transform: (Input) throws -> Output

    @inlinable
    init(transform: @escaping (Input) throws -> Output) { self.transform = transform }

    @inlinable
    func step(for input: Input) -> Step<Output, any Error> {
        do { return .pass(try transform(input)) } catch { return .fail(error) }
    }
}
