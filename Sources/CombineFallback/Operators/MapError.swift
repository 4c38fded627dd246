extension Publishers {
    /// A publisher that turns upstream's failure into another.
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// The publisher whose failure is turned into another.
        public let upstream: Upstream

        /// The closure that makes the new failure.
        public let transform: (Upstream.Failure) -> Failure

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            transform = map
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(MapErrorStage(transform: transform), subscriber))
        }
    }
}

extension Publisher {
    /// Turns the failure, if there is one, into another.
    @inlinable
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform)
    }
}

@usableFromInline
struct MapErrorStage<Output, InputFailure: Error, Failure: Error>: RelayStage {
    @usableFromInline let transform: (InputFailure) -> Failure

    @inlinable
    init(transform: @escaping (InputFailure) -> Failure) { self.transform = transform }

    @inlinable
    func output(for input: Output) -> Output? { input }

    @inlinable
    func completion(for completion: Subscribers.Completion<InputFailure>) -> Subscribers.Completion<Failure> {
        completion.mapError(transform)
    }
}
