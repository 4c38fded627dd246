extension Publishers {
    /// A publisher that subscribes to upstream again when it fails.
    public struct Retry<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// How often it subscribes again; without limit if nil.
        public let retries: Int?

        /// Creates the publisher.
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Attempts(upstream: upstream, left: retries, for: AnySubscriber(subscriber)).begin(turn: 0)
        }
    }
}

extension Publisher {
    /// When upstream fails, subscribes to it again, at most `retries` times; what is still asked for is asked anew.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}

/// Subscribes to one publisher again and again. A publisher that fails at once costs a turn of a loop, not of the stack.
private struct Attempts<Upstream: Publisher, Downstream: Subscriber>
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    struct State {
        var left: Int?
        var isSubscribing = false
        var nextTurn: Int?
    }

    let upstream: Upstream
    let succession: Succession<Downstream>
    let state: Guarded<State>

    init(upstream: Upstream, left: Int?, for downstream: Downstream) {
        self.upstream = upstream
        succession = Succession(downstream, name: "Retry")
        state = Guarded(State(left: left))
    }

    func begin(turn: Int) {
        let mustSubscribe = state.withLock { state in
            state.nextTurn = turn
            defer { state.isSubscribing = true }
            return !state.isSubscribing
        }
        guard mustSubscribe else { return }
        while let turn = next() { upstream.attach(Leg(of: succession, turn: turn, end: end)) }
    }

    private func next() -> Int? {
        state.withLock { state in
            state.isSubscribing = state.nextTurn != nil
            return state.nextTurn.take()
        }
    }

    private func end(_ completion: Subscribers.Completion<Upstream.Failure>, turn: Int) {
        guard case .failure = completion, mayRetry() else { return succession.finish(completion, turn: turn) }
        if let turn = succession.next(after: turn) { begin(turn: turn) }
    }

    private func mayRetry() -> Bool {
        state.withLock { state in
            guard let left = state.left else { return true }
            state.left = left - 1
            return left > 0
        }
    }
}
