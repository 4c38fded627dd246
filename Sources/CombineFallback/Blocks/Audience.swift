/// An ordered list of subscribers, each with its own demand.
///
/// Whoever brings an event delivers it, unless somebody is delivering to that subscriber already; then the event is
/// left there, and delivered after the one under way. So calls into one subscriber neither overlap nor nest.
@usableFromInline
struct Audience<Output, Failure: Error>: Sendable {
    @usableFromInline
    enum Memory {
        /// A value for which there is no demand is lost.
        case none
        /// The current value is delivered to whoever has not had it, on demand.
        case current
        /// The only value is delivered to everybody, on demand, before the end.
        case only
    }

    @usableFromInline
    struct State {
        @usableFromInline let memory: Memory
        @usableFromInline var seats: [Seat<Output, Failure>] = []
        @usableFromInline var current: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var upstreams: [any Subscription] = []
        /// Whether the publishers that feed this have been asked for their values.
        @usableFromInline var isWanted: Bool

        @inlinable
        init(memory: Memory, current: Output?) {
            self.memory = memory
            self.current = current
            isWanted = memory == .current
        }
    }

    @usableFromInline let state: Guarded<State>

    @inlinable
    init(memory: Memory, current: Output? = nil) { state = Guarded(State(memory: memory, current: current)) }
}

extension Audience {
    /// Adds a subscriber, or gives it what a latecomer gets.
    @inlinable
    func admit<S: Subscriber>(_ subscriber: S, name: StaticString) where S.Input == Output, S.Failure == Failure {
        let target = AnySubscriber(subscriber)
        let seat = Seat(in: self, for: target, name: name)
        let refusal: Subscribers.Completion<Failure>? = state.withLock { state in
            seat.owesCurrent = state.current != nil
            guard let completion = state.completion else {
                state.seats.append(seat)
                return nil
            }
            guard state.memory == .only, seat.owesCurrent else { return completion }
            seat.ending = completion
            return nil
        }
        if let refusal {
            target.receive(subscription: Subscriptions.empty)
            target.receive(completion: refusal)
        } else {
            target.receive(subscription: Link(seat))
            deliver(Round([seat], value: nil))
        }
    }

    /// Delivers `value` to all who have asked for one.
    @inlinable
    func send(_ value: Output) {
        var round = Round<Output, Failure>([], value: nil)
        let due: (delivery: Delivery<Output, Failure>?, old: Output?) = state.withLock { state in
            guard state.completion == nil else { return (nil, nil) }
            let old = state.current
            if state.memory == .current { state.current = value }
            round = Round(state.accept(value), value: value)
            return (state.next(in: &round), old)
        }
        if let delivery = due.delivery { deliver(round, starting: delivery) }
    }

    /// Ends the stream for all, present and future.
    @inlinable
    func finish(_ completion: Subscribers.Completion<Failure>) {
        let last: State? = state.withLock { $0.end(with: completion) }
        if let last { deliver(Round(last.seats, value: nil)) }
    }

    /// Delivers the only value, and the end after it, to each as soon as it asks.
    @inlinable
    func finish(with value: Output) {
        let last: State? = state.withLock { state in
            guard state.completion == nil else { return nil }
            state.current = value
            for seat in state.seats { seat.owesCurrent = true }
            return state.end(with: .finished)
        }
        if let last { deliver(Round(last.seats, value: nil)) }
    }

    @inlinable
    func deliver(_ round: Round<Output, Failure>) {
        var round = round
        if let first = state.withLock({ $0.next(in: &round) }) { deliver(round, starting: first) }
    }

    @inlinable
    func deliver(_ round: Round<Output, Failure>, starting first: Delivery<Output, Failure>) {
        var round = round
        var delivery: Delivery? = first
        while let current = delivery {
            round.returned = current.perform()
            delivery = state.withLock { $0.next(in: &round) }
        }
    }
}

extension Audience {
    @usableFromInline
    func request(_ demand: Subscribers.Demand, by seat: Seat<Output, Failure>) {
        let due: (isDue: Bool, upstreams: [any Subscription]) = state.withLock { state in
            guard seat.target != nil else { return (false, []) }
            seat.demand += demand
            let isDue = seat.owesCurrent && !seat.isBusy
            if isDue { seat.isBusy = true }
            if state.isWanted { return (isDue, []) }
            state.isWanted = true
            return (isDue, state.upstreams)
        }
        for upstream in due.upstreams { upstream.request(.unlimited) }
        if due.isDue { deliver(Round([seat], value: nil)) }
    }

    /// Removes a subscriber; events left for it are dropped.
    @usableFromInline
    func dismiss(_ seat: Seat<Output, Failure>) {
        // What is let go of travels out of the lock before it is released.
        _ = state.withLock { state in
            defer {
                seat.target = nil
                seat.pending = Queue()
            }
            let index = state.seats.firstIndex { $0 === seat }
            return (seat.target, seat.pending, index.map { state.seats.remove(at: $0) })
        }
    }

    /// Keeps a subscription to a publisher whose values are passed on; asks for all of them once somebody wants them.
    @usableFromInline
    func attach(_ upstream: any Subscription) {
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

    /// Nobody will send any more: lets go of the subscribers and stops what was feeding them.
    @usableFromInline
    func abandon() {
        let last = state.withLock { state in
            defer {
                state.seats = []
                state.upstreams = []
            }
            return state
        }
        for upstream in last.upstreams { upstream.cancel() }
    }
}

extension Audience.State {
    /// Accepts `value` for everybody with demand; returns those to whom the caller must deliver it.
    @inlinable
    func accept(_ value: Output) -> [Seat<Output, Failure>] {
        var recipients = seats
        var isWhole = true
        for index in seats.indices {
            let seat = seats[index]
            if seat.accept(value, orOweIt: memory == .current) {
                if !isWhole { recipients.append(seat) }
            } else if isWhole {
                isWhole = false
                recipients.removeSubrange(index...)
            }
        }
        return recipients
    }

    /// Ends the stream; returns what there was, its seats narrowed to those to which the caller must deliver the end.
    @inlinable
    mutating func end(with completion: Subscribers.Completion<Failure>) -> Self? {
        guard self.completion == nil else { return nil }
        var last = self
        self.completion = completion
        seats = []
        upstreams = []
        for seat in last.seats { seat.ending = completion }
        last.seats.removeAll { $0.isBusy }
        for seat in last.seats { seat.isBusy = true }
        return last
    }
}

extension Audience.State {
    @inlinable
    func next(in round: inout Round<Output, Failure>) -> Delivery<Output, Failure>? {
        round.next(current: current, replays: memory == .only)
    }
}
