extension Publishers {
    /// A publisher that cannot fail, under a type that says it could.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// The publisher that cannot fail.
        public let upstream: Upstream

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(SetFailureTypeStage(), subscriber))
        }

        /// The same publisher under yet another failure type.
        @inlinable
        public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
            Publishers.SetFailureType<Upstream, E>(upstream: upstream)
        }
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
    /// Gives a publisher that cannot fail a failure type, so that it fits where one is expected.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}

@usableFromInline
struct SetFailureTypeStage<Output, Failure: Error>: RelayStage {
    @inlinable
    init() {}

    @inlinable
    func output(for input: Output) -> Output? { input }

    @inlinable
    func completion(for completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> { .finished }
}
