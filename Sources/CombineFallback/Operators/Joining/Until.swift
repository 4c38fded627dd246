extension Publishers {
    /// A publisher of upstream's values until another publisher delivers one.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The publisher whose first value is the end.
        public let other: Other
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, other: Other) {
            (self.upstream, self.other) = (upstream, other)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "PrefixUntilOutput")
            // Opened first: a value that comes at once must not keep upstream's subscription from downstream.
            let inlet = Inlet<_, Failure, _, _>(passing: outlet, .asDemanded, begins: true) { state, completion in
                state.end(completion)
                return nil
            }
            Inlet<Other.Output, Other.Failure, Upstream.Output, Failure>(
                outlet,
                .few(.max(1)),
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

    /// A publisher of upstream's values from the moment on at which another publisher delivers one.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: ValuePassing, FailurePassing
    where Upstream.Failure == Other.Failure {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The publisher whose first value is the beginning.
        public let other: Other
        /// Creates the publisher.
        @inlinable public init(upstream: Upstream, other: Other) {
            (self.upstream, self.other) = (upstream, other)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "DropUntilOutput")
            var hasBegun = false
            let signal = Inlet<Other.Output, _, _, _>(outlet, .few(.max(1))) { state, _, inlet in
                hasBegun = true
                let subscription = state.remove(inlet)
                return { subscription?.cancel() }
            }
            let inlet = Inlet<Upstream.Output, _, _, _>(outlet, .asDemanded) { state, value, _ in
                if hasBegun { state.enqueue(&value) } else { state.demand -= 1 }
                return nil
            }
            outlet.begin(attaching: [
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

    /// Leaves out values until `publisher` delivers its first, which is then cancelled.
    ///
    /// What is left out counts as delivered: nothing is asked for in its place. If `publisher` ends without a value,
    /// that is the end.
    @inlinable public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P.Failure == Failure {
        .init(upstream: self, other: publisher)
    }
}
