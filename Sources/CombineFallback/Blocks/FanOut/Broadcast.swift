/// An ordered list of subscribers, each with its own demand.
///
/// A thread that brings an event delivers it, except to subscribers that another thread is delivering to. For those the
/// event is queued, and that thread delivers it next. So calls of one subscriber neither overlap nor nest.
@usableFromInline struct Broadcast<Output, Failure: Error>: Sendable {
    @usableFromInline enum Memory {
        /// A value without demand is dropped.
        case none
        /// The current value is delivered on demand to subscribers that have not received it.
        case current
        /// The only value is delivered to all subscribers on demand, before the end.
        case only
    }

    @usableFromInline struct State {
        @usableFromInline let memory: Memory
        /// In the order of their numbers, which may have gaps.
        @usableFromInline var slots: [SubscriberSlot<Output, Failure>] = []
        @usableFromInline var lastSlot = 0
        @usableFromInline var lastRound = 0
        /// The number of slots in the list without a subscriber.
        @usableFromInline var empty = 0
        @usableFromInline var current: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var upstreams: [any Subscription] = []
        /// The subject, kept alive while it has a subscriber.
        @usableFromInline var subject: AnyObject?
        /// Whether upstream has been asked for values.
        @usableFromInline var isRequested: Bool

        @inlinable init(memory: Memory, current: Output?) {
            (self.memory, self.current) = (memory, current)
            isRequested = memory == .current
        }
    }

    @usableFromInline let state: IdentifiedLock<State>

    @inlinable init(memory: Memory, current: Output? = nil) {
        state = IdentifiedLock(State(memory: memory, current: current))
    }
}

extension Broadcast {
    /// Adds a subscriber; after the end, delivers the completion. `subject` is kept until the last subscriber has left.
    @inlinable func subscribe<S: Subscriber>(_ subscriber: S, name: StaticString, of subject: AnyObject? = nil)
    where S.Input == Output, S.Failure == Failure {
        let target = AnySubscriber(subscriber)
        let result: (round: DeliveryRound?, refusal: Subscribers.Completion<Failure>?) = state.withLock {
            $0.subscribe(target, of: subject)
        }
        if let round = result.round {
            target.receive(subscription: ErasedSubscription(SlotSubscription(to: self, slot: round.last, name: name)))
            deliver(round)
        } else if let refusal = result.refusal {
            target.receive(subscription: Subscriptions.empty)
            target.receive(completion: refusal)
        }
    }

    /// Delivers `value` to all subscribers with demand. After the end it only becomes the current value, if `isKept`.
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
        // Taken out, as a copy would be retained.
        while let current = target.take() {
            let returned = current.receive(value)
            target = state.withLock { $0.settle(returned, in: &round) }
            if round.hasPending {
                deliver(round.rest)
                target = state.withLock { $0.settle(.none, in: &round) }
            }
        }
    }

    /// Ends the stream of all present and future subscribers. `value` is delivered to each before, on demand.
    @inlinable func finish(_ completion: Subscribers.Completion<Failure>, with value: Output? = nil) {
        let ended = state.withLock { $0.end(with: completion, after: value) }
        if let ended { deliver(ended.round) }
    }

    /// Delivers the events that wait for the subscribers of the round.
    @inlinable func deliver(_ round: DeliveryRound) {
        var round = round
        var returned = Subscribers.Demand.none
        while let delivery = state.withLock({ $0.next(in: &round, returned: returned) }) {
            switch delivery {
            case .value(let value, let target): returned = target.receive(value)
            case .end(let completion, let target):
                target.receive(completion: completion)
                _ = state.withLock { $0.takeUnusedSubject() }
                returned = .none
            }
        }
    }

    @inlinable func request(_ demand: Subscribers.Demand, by slot: Int) {
        let due: (round: DeliveryRound?, upstreams: [any Subscription]) = state.withLock { state in
            let index = state.position(of: slot)
            guard state.isSlot(slot, at: index), state.slots[index].target != nil else { return (nil, []) }
            state.slots[index].demand += demand
            let isDue = state.slots[index].needsCurrent && state.slots[index].round == 0
            let round = isDue ? state.round(at: index) : nil
            if state.isRequested { return (round, []) }
            state.isRequested = true
            return (round, state.upstreams)
        }
        for upstream in due.upstreams { upstream.request(.unlimited) }
        if let round = due.round { deliver(round) }
    }

    /// Removes a subscriber and drops its events.
    @inlinable func unsubscribe(_ slot: Int) {
        // The results are released outside the lock.
        _ = state.withLock { $0.clear(slot) }
        _ = state.withLock { $0.takeUnusedSubject() }
    }

    /// Keeps the subscription to an upstream publisher. It is asked for all values once a subscriber asks for any.
    @usableFromInline func attach(_ upstream: any Subscription) {
        let fate: (isOver: Bool, isRequested: Bool) = state.withLock { state in
            guard state.completion == nil else { return (true, false) }
            state.upstreams.append(upstream)
            return (false, state.isRequested)
        }
        if fate.isOver {
            upstream.cancel()
        } else if fate.isRequested {
            upstream.request(.unlimited)
        }
    }

    /// Cancels upstream when the subject is released.
    @usableFromInline func cancelUpstreams() { for upstream in state.withLock({ $0.upstreams }) { upstream.cancel() } }
}
