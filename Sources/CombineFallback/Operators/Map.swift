extension Publishers {
    /// A publisher that transforms each value with a closure.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher whose values are transformed.
        public let upstream: Upstream

        /// The closure that transforms a value.
        public let transform: (Upstream.Output) -> Output

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(MapStage(transform: transform), subscriber))
        }
    }
}

extension Publisher {
    /// Transforms each value with a closure.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }
}

extension Publishers.Map {
    /// Transforms each value further; one step instead of two.
    @inlinable
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
        let first = self.transform
        return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
    }

    /// Transforms each value further with a closure that may throw; one step instead of two.
    @inlinable
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
        let first = self.transform
        return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
    }
}

@usableFromInline
struct MapStage<Input, Output, Failure: Error>: RelayStage {
    @usableFromInline let transform: (Input) -> Output

    @inlinable
    init(transform: @escaping (Input) -> Output) { self.transform = transform }

    @inlinable
    func output(for input: Input) -> Output? { transform(input) }

    @inlinable
    func completion(for completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> { completion }
}
