/// One downstream, fed by one upstream after another. Demand that an upstream leaves unfulfilled goes to the next.
///
/// Each upstream is followed by a ``Leg`` with the number of its turn; what comes out of turn is ignored.
@usableFromInline
struct Succession<Downstream: Subscriber>: Subscription, CustomStringConvertible {
    @usableFromInline
    struct State {
        @usableFromInline let name: StaticString
        @usableFromInline let downstream: Downstream
        @usableFromInline var upstream: (any Subscription)?
        @usableFromInline var turn = 0
        @usableFromInline var owed = Subscribers.Demand.none
        @usableFromInline var hasBegun = false

        @inlinable
        init(_ downstream: Downstream, name: StaticString) {
            self.downstream = downstream
            self.name = name
        }
    }

    /// Nil once the stream is over.
    @usableFromInline let state: Guarded<State?>

    @inlinable
    init(_ downstream: Downstream, name: StaticString) { state = Guarded(State(downstream, name: name)) }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { $0.map { "\($0.name)" } ?? "Finished" } }
}

extension Succession {
    /// Takes the subscription of the upstream whose turn it is, and asks it for all that is still owed.
    @inlinable
    func adopt(_ subscription: any Subscription, turn: Int) {
        let accepted: (owed: Subscribers.Demand, newcomer: Downstream?)? = state.withLock { state in
            guard let current = state, current.turn == turn, current.upstream == nil else { return nil }
            state?.upstream = subscription
            state?.hasBegun = true
            return (current.owed, current.hasBegun ? nil : current.downstream)
        }
        guard let accepted else { return subscription.cancel() }
        if let newcomer = accepted.newcomer {
            newcomer.receive(subscription: Link(self))
        } else if accepted.owed > .none {
            subscription.request(accepted.owed)
        }
    }

    @inlinable
    func receive(_ input: Downstream.Input, turn: Int) -> Subscribers.Demand {
        let downstream: Downstream? = state.withLock { state in
            guard state?.turn == turn else { return nil }
            state?.owed -= 1
            return state?.downstream
        }
        guard let more = downstream?.receive(input), more > .none else { return .none }
        state.withLock { $0?.owed += more }
        return more
    }

    /// Ends the turn of an upstream that has ended. Returns the number of the next turn; nil if this one is out of turn.
    @inlinable
    func next(after turn: Int) -> Int? {
        let ended: (turn: Int, upstream: (any Subscription)?)? = state.withLock { state in
            guard let current = state, current.turn == turn else { return nil }
            state?.turn += 1
            state?.upstream = nil
            return (turn + 1, current.upstream)
        }
        return ended?.turn
    }

    @inlinable
    func finish(_ completion: Subscribers.Completion<Downstream.Failure>, turn: Int) {
        let last = state.withLock { state in
            guard state?.turn == turn else { return State?.none }
            defer { state = nil }
            return state
        }
        last?.downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        let upstream = state.withLock { state in
            state?.owed += demand
            return state?.upstream
        }
        upstream?.request(demand)
    }

    @inlinable
    func cancel() {
        let last = state.withLock { $0.take() }
        last?.upstream?.cancel()
    }
}

/// The subscriber of one upstream in a ``Succession``.
@usableFromInline
struct Leg<Downstream: Subscriber, Failure: Error>: Subscriber {
    @usableFromInline let succession: Succession<Downstream>
    @usableFromInline let turn: Int
    @usableFromInline let end: (Subscribers.Completion<Failure>, Int) -> Void

    @inlinable
    init(
        of succession: Succession<Downstream>,
        turn: Int,
        end: @escaping (Subscribers.Completion<Failure>, _ turn: Int) -> Void
    ) {
        self.succession = succession
        self.turn = turn
        self.end = end
    }

    @inlinable var combineIdentifier: CombineIdentifier { succession.combineIdentifier }

    @inlinable
    func receive(subscription: any Subscription) { succession.adopt(subscription, turn: turn) }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { succession.receive(input, turn: turn) }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) { end(completion, turn) }
}
