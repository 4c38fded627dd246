extension Publishers {
    /// A publisher that subscribes to upstream again when it fails.
    public struct Retry<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The number of times that it subscribes again; without limit if nil.
        public let retries: Int?
        /// Creates the publisher.
        public init(upstream: Upstream, retries: Int?) {
            (self.upstream, self.retries) = (upstream, retries)
        }

        @usableFromInline
        func serve(_ downstream: Downstream) { Attempts(upstream: upstream, left: retries, for: downstream).begin() }
    }
}

extension Publisher {
    /// Subscribes to upstream again when it fails, at most `retries` times; what is still asked for is asked anew.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}

/// Subscribes to one publisher again and again. A publisher that fails at once costs a turn of a loop, not of the stack.
private struct Attempts<Upstream: Publisher> {
    struct State {
        var left: Int?
        var isFirst = true
        var isSubscribing = false
        var isDue = false
    }

    let upstream: Upstream
    let outlet: Outlet<Upstream.Output, Upstream.Failure>
    /// Touched by one attempt after the other, and by the loop.
    let state: Guarded<State>

    init(upstream: Upstream, left: Int?, for downstream: AnySubscriber<Upstream.Output, Upstream.Failure>) {
        self.upstream = upstream
        outlet = Outlet(downstream, name: "Retry")
        state = Guarded(State(left: left))
    }

    func begin() {
        let mustSubscribe = state.withLock { state in
            state.isDue = true
            defer { state.isSubscribing = true }
            return !state.isSubscribing
        }
        guard mustSubscribe else { return }
        while let isFirst = next() {
            outlet.follow(upstream, begins: isFirst) { outletState, completion in
                if case .failure = completion, mayRetry() { return begin }
                outletState.end(completion)
                return nil
            }
        }
    }

    /// Whether the attempt that is due is the first; nil if none is.
    private func next() -> Bool? {
        state.withLock { state in
            defer {
                state.isSubscribing = state.isDue
                state.isDue = false
                state.isFirst = false
            }
            return state.isDue ? state.isFirst : nil
        }
    }

    private func mayRetry() -> Bool {
        state.withLock { state in
            guard let left = state.left else { return true }
            state.left = left - 1
            return left > 0
        }
    }
}
