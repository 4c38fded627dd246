extension Publishers {
    /// A publisher of the values of the latest publisher that upstream has delivered.
    public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Serving
    where P == Upstream.Output, P.Failure == Upstream.Failure {
        /// The values of the publishers.
        public typealias Output = P.Output

        /// The failure of all of them.
        public typealias Failure = P.Failure

        /// The publisher of publishers.
        public let upstream: Upstream
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable func serve(_ downstream: Downstream) {
            OuterSubscriber(Outlet(downstream, name: "SwitchToLatest"), switches: true) { (inner: P) in inner }
                .begin(with: upstream)
        }
    }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Delivers the values of the latest publisher upstream has delivered; the one before is cancelled.
    ///
    /// What is still asked for is asked of the new one. It finishes when upstream and the latest publisher have.
    @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// The same for an upstream that cannot fail.
    @inlinable public func switchToLatest()
        -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
    {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// The same where nothing can fail.
    @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> { .init(upstream: self) }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// The same for publishers that cannot fail.
    @inlinable public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        >
    {
        map { $0.setFailureType(to: Failure.self) }.switchToLatest()
    }
}
