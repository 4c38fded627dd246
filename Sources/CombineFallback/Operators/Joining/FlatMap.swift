extension Publishers {
    /// A publisher that makes a publisher of each value and delivers the values of all of them.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Serving
    where NewPublisher.Failure == Upstream.Failure {
        /// The values of the publishers made.
        public typealias Output = NewPublisher.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The maximum number of publishers that are subscribed to at a time.
        public let maxPublishers: Subscribers.Demand
        /// Makes a publisher of a value.
        public let transform: (Upstream.Output) -> NewPublisher
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            maxPublishers: Subscribers.Demand,
            transform: @escaping (Upstream.Output) -> NewPublisher
        ) {
            (self.upstream, self.maxPublishers, self.transform) = (upstream, maxPublishers, transform)
        }

        @inlinable func serve(_ downstream: Downstream) {
            OuterSubscriber(Outlet(downstream, name: "FlatMap"), maxPublishers: maxPublishers, transform: transform)
                .begin(with: upstream)
        }
    }
}

extension Publisher {
    /// Makes a publisher of each value, at most `maxPublishers` at a time, and delivers the values of all of them.
    ///
    /// If one fails, the others are cancelled. It finishes when upstream and all of them have.
    @inlinable public func flatMap<T, P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where T == P.Output, P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// The same for publishers that cannot fail.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Failure == Never {
    /// The same for an upstream that cannot fail.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// The same where nothing can fail.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}
