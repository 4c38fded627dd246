/// An ordered list of subscribers, each with its own demand.
///
/// Whoever brings an event delivers it, unless somebody is delivering to that subscriber already; then the event is
/// left there, and delivered after the one under way. So calls into one subscriber neither overlap nor nest.
@usableFromInline struct Broadcast<Output, Failure: Error>: Sendable {
    @usableFromInline enum Memory {
        /// A value for which there is no demand is lost.
        case none
        /// The current value is delivered to whoever has not had it, on demand.
        case current
        /// The only value is delivered to everybody, on demand, before the end.
        case only
    }

    @usableFromInline struct State {
        @usableFromInline let memory: Memory
        /// In the order of their numbers, with gaps.
        @usableFromInline var slots: [SubscriberSlot<Output, Failure>] = []
        @usableFromInline var lastSlot = 0
        @usableFromInline var lastRound = 0
        /// The number of slots whose subscribers have left, and which are still in the list.
        @usableFromInline var empty = 0
        @usableFromInline var current: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var upstreams: [any Subscription] = []
        /// The subject, which lives as long as it has a subscriber.
        @usableFromInline var subject: AnyObject?
        /// Whether the publishers that feed this have been asked for their values.
        @usableFromInline var isWanted: Bool

        @inlinable init(memory: Memory, current: Output?) {
            (self.memory, self.current) = (memory, current)
            isWanted = memory == .current
        }
    }

    @usableFromInline let state: Guarded<State>

    @inlinable init(memory: Memory, current: Output? = nil) { state = Guarded(State(memory: memory, current: current)) }
}

extension Broadcast {
    /// Adds a subscriber, or gives it what a latecomer gets. The subject is kept until the last subscriber is gone.
    @inlinable func admit<S: Subscriber>(_ subscriber: S, name: StaticString, of subject: AnyObject? = nil)
    where S.Input == Output, S.Failure == Failure {
        let target = AnySubscriber(subscriber)
        let admission: (round: DeliveryRound?, refusal: Subscribers.Completion<Failure>?) = state.withLock {
            $0.admit(target, of: subject)
        }
        if let round = admission.round {
            target.receive(subscription: ErasedSubscription(SlotSubscription(to: self, slot: round.last, name: name)))
            deliver(round)
        } else if let refusal = admission.refusal {
            target.receive(subscription: Subscriptions.empty)
            target.receive(completion: refusal)
        }
    }

    /// Delivers `value` to all who have asked for one. After the end, it is kept if that is wanted, and no more.
    @inlinable func send(_ value: Output, keepingIt isKept: Bool = false) {
        var round = DeliveryRound(number: 0, last: 0)
        var old: Output?
        var target = state.withLock { state -> AnySubscriber<Output, Failure>? in
            guard isKept || state.completion == nil else { return nil }
            if state.memory == .current {
                old = value
                swap(&old, &state.current)
            }
            if state.completion != nil { return nil }
            round = state.accept(value)
            return state.advance(&round, from: 0)
        }
        // Taken out: a copy would be counted.
        while let current = target.take() {
            let returned = current.receive(value)
            target = state.withLock { $0.settle(returned, in: &round) }
            if round.isHeldUp {
                deliver(round.rest)
                target = state.withLock { $0.settle(.none, in: &round) }
            }
        }
    }

    /// Ends the stream for all, present and future; an only value is delivered before, to each as soon as it asks.
    @inlinable func finish(_ completion: Subscribers.Completion<Failure>, with value: Output? = nil) {
        let ended = state.withLock { $0.end(with: completion, after: value) }
        if let ended { deliver(ended.round) }
    }

    /// Delivers what has been left for the subscribers of the round.
    @inlinable func deliver(_ round: DeliveryRound) {
        var round = round
        var returned = Subscribers.Demand.none
        while let delivery = state.withLock({ $0.next(in: &round, returned: returned) }) {
            switch delivery {
            case .value(let value, let target): returned = target.receive(value)
            case .end(let completion, let target):
                target.receive(completion: completion)
                _ = state.withLock { $0.subjectOfNobody() }
                returned = .none
            }
        }
    }

    @inlinable func request(_ demand: Subscribers.Demand, by slot: Int) {
        let due: (round: DeliveryRound?, upstreams: [any Subscription]) = state.withLock { state in
            let index = state.position(of: slot)
            guard state.isSlot(slot, at: index), state.slots[index].target != nil else { return (nil, []) }
            state.slots[index].demand += demand
            let isDue = state.slots[index].owesCurrent && state.slots[index].round == 0
            let round = isDue ? state.round(at: index) : nil
            if state.isWanted { return (round, []) }
            state.isWanted = true
            return (round, state.upstreams)
        }
        for upstream in due.upstreams { upstream.request(.unlimited) }
        if let round = due.round { deliver(round) }
    }

    /// Removes a subscriber; events left for it are dropped.
    @inlinable func dismiss(_ slot: Int) {
        // What is let go of travels out of the lock before it is released.
        _ = state.withLock { $0.empty(slot) }
        _ = state.withLock { $0.subjectOfNobody() }
    }

    /// Keeps a subscription to a publisher whose values are passed on; asks for all of them once somebody wants them.
    @usableFromInline func attach(_ upstream: any Subscription) {
        let fate: (isOver: Bool, isWanted: Bool) = state.withLock { state in
            guard state.completion == nil else { return (true, false) }
            state.upstreams.append(upstream)
            return (false, state.isWanted)
        }
        if fate.isOver {
            upstream.cancel()
        } else if fate.isWanted {
            upstream.request(.unlimited)
        }
    }

    /// Stops what feeds a subject that is gone.
    @usableFromInline func abandon() { for upstream in state.withLock({ $0.upstreams }) { upstream.cancel() } }
}
