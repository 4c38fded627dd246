extension Publishers {
    /// A publisher that turns each value into a publisher and delivers the values of all of them.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: ErasedPublisher
    where NewPublisher.Failure == Upstream.Failure {
        /// The values of the inner publishers.
        public typealias Output = NewPublisher.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The maximum number of inner publishers at a time.
        public let maxPublishers: Subscribers.Demand
        /// Turns a value into a publisher.
        public let transform: (Upstream.Output) -> NewPublisher
        /// Creates the publisher.
        @inlinable public init(
            upstream: Upstream,
            maxPublishers: Subscribers.Demand,
            transform: @escaping (Upstream.Output) -> NewPublisher
        ) {
            (self.upstream, self.maxPublishers, self.transform) = (upstream, maxPublishers, transform)
        }

        @inlinable func receive(erased downstream: Downstream) {
            OuterSubscriber(
                Outlet(downstream, name: "FlatMap"),
                maxPublishers: maxPublishers,
                knownValue: { Self.value(of: $0) },
                transform: transform
            )
            .start(with: upstream)
        }

        /// The value of a `Just`, which needs no subscription.
        @inlinable static func value(of inner: NewPublisher) -> NewPublisher.Output? {
            if NewPublisher.self == Just<Output>.self { return (inner as? Just<Output>)?.output }
            guard NewPublisher.self == SetFailureType<Just<Output>, Failure>.self else { return nil }
            return (inner as? SetFailureType<Just<Output>, Failure>)?.upstream.output
        }
    }
}

extension Publisher {
    /// Turns each value into a publisher, at most `maxPublishers` at a time, and delivers the values of all of them.
    ///
    /// It finishes when upstream and all of them have. If one fails, the others are cancelled.
    @inlinable public func flatMap<T, P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where T == P.Output, P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// Turns each value into a publisher that cannot fail, and delivers the values of all of them.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Publisher where Failure == Never {
    /// Turns each value into a publisher and delivers the values of all of them.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Turns each value into a publisher and delivers the values of all of them. Nothing can fail.
    @inlinable public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited,
        _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publishers {
    /// A publisher of the values of the latest publisher that upstream has delivered.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: ErasedPublisher
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        /// The values of the publishers.
        public typealias Output = P.Output

        /// The failure of all of them.
        public typealias Failure = P.Failure

        /// The publisher of publishers.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func receive(erased downstream: Downstream) {
            OuterSubscriber(Outlet(downstream, name: "SwitchToLatest"), switches: true) { (inner: P) in inner }
                .start(with: upstream)
        }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Delivers the values of the latest publisher that upstream has delivered, and cancels the one before.
    ///
    /// The new one gets the demand that is left. It finishes when upstream and the latest publisher have.
    @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// Delivers the values of the latest publisher that upstream, which cannot fail, has delivered.
    @inlinable public func switchToLatest()
        -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
    {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// Delivers the values of the latest publisher that upstream has delivered. Nothing can fail.
    @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// Delivers the values of the latest publisher, which cannot fail, that upstream has delivered.
    @inlinable public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        >
    {
        map { $0.setFailureType(to: Failure.self) }.switchToLatest()
    }
}
