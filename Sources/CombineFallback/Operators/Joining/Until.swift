extension Publishers {
    /// A publisher of upstream's values until another publisher delivers one.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose first value is the end.
        public let other: Other
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, other: Other) {
            (self.upstream, self.other) = (upstream, other)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "PrefixUntilOutput")
            // Opened first, so that downstream gets upstream's subscription even if the other publisher delivers at
            // once.
            let inlet = Inlet<_, Failure, _, _>(passing: outlet, .asDemanded, startsDownstream: true) {
                state,
                completion in
                state.end(completion)
                return nil
            }
            Inlet<Other.Output, Other.Failure, Upstream.Output, Failure>(
                outlet,
                .limited(.max(1)),
                take: { state, _, _ in
                    state.end(.finished)
                    return nil
                },
                end: { _, _ in nil }
            )
            .attach(to: other)
            inlet.attach(to: upstream)
        }
    }

    /// A publisher of upstream's values once another publisher has delivered one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: ValuePassing, FailurePassing
    where Upstream.Failure == Other.Failure {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose first value is the beginning.
        public let other: Other
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, other: Other) {
            (self.upstream, self.other) = (upstream, other)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "DropUntilOutput")
            var hasBegun = false
            let signal = Inlet<Other.Output, _, _, _>(outlet, .limited(.max(1))) { state, _, inlet in
                hasBegun = true
                let subscription = state.remove(inlet)
                return { subscription?.cancel() }
            }
            let inlet = Inlet<Upstream.Output, _, _, _>(outlet, .asDemanded) { state, value, _ in
                if hasBegun { state.enqueue(&value) } else { state.demand -= 1 }
                return nil
            }
            outlet.start(attaching: [
                { [other] in signal.attach(to: other) }, { [upstream] in inlet.attach(to: upstream) },
            ])
        }
    }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
    /// Publishes values until `publisher` delivers its first, and then finishes. The end of `publisher` has no effect.
    @inlinable public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        .init(upstream: self, other: publisher)
    }

    /// Drops values until `publisher` delivers its first, and then cancels `publisher`.
    ///
    /// Dropped values count as delivered: no others are asked for. If `publisher` ends without a value, so does the
    /// stream.
    @inlinable public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P.Failure == Failure {
        .init(upstream: self, other: publisher)
    }
}
