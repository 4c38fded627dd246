public import Basics

/// Delivers to one downstream what arrives at one or more ``Inlet``s, on any thread.
///
/// A thread that brings an event delivers it, unless another thread is delivering. Then the event stays in the queue
/// for that thread. So calls of downstream neither overlap nor nest, and nothing is called under the lock. An operator
/// defines what an inlet does with a value and with the end of its publisher. Demand, order, cancellation and release
/// are done here.
@usableFromInline struct Outlet<Output, Failure: Error>: Subscription, CustomStringConvertible {
    /// Read and written field by field: a copy of the whole would be made by calls into the runtime.
    @usableFromInline struct State {
        /// Nil once the stream has ended.
        @usableFromInline var downstream: AnySubscriber<Output, Failure>?
        /// The number of values that may be delivered.
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var queue = Queue<(value: Output, inlet: AnyInlet?)>()
        /// The completion, which follows the queued values.
        @usableFromInline var ending: Subscribers.Completion<Failure>?
        /// Whether the queued values are dropped before the completion.
        @usableFromInline var discardsQueue = false
        /// Whether downstream's demand is unlimited, so that no more is asked for.
        @usableFromInline var isUnlimited = false
        /// The publishers that have not ended.
        @usableFromInline var inlets: [AnyInlet] = []
        /// The number of publishers that have not sent their subscription.
        @usableFromInline var awaited = 0
        /// Whether a thread is delivering, or is giving downstream its subscription.
        @usableFromInline var isDelivering = true
        /// The demand made while downstream receives its subscription; nil after that.
        @usableFromInline var heldDemand: Subscribers.Demand? = Subscribers.Demand.none

        @inlinable init(_ downstream: AnySubscriber<Output, Failure>) { self.downstream = downstream }
    }

    @usableFromInline enum Event {
        case nothing
        /// The publishers to cancel before the end is delivered, and the queue to release.
        case close([any Subscription], Queue<(value: Output, inlet: AnyInlet?)>)
        case value(Output, from: AnyInlet?, to: AnySubscriber<Output, Failure>)
        case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
    }

    @usableFromInline let state: IdentifiedLock<State>
    @usableFromInline let name: StaticString
    /// Whether downstream's demand limits the delivery. If not, scheduled closures do.
    @usableFromInline let isPulled: Bool

    @inlinable init(_ downstream: AnySubscriber<Output, Failure>, name: StaticString, isPulled: Bool = true) {
        state = IdentifiedLock(State(downstream))
        (self.name, self.isPulled) = (name, isPulled)
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { "\(name)" }
}

extension Outlet {
    /// Gives downstream its subscription.
    ///
    /// Demand made meanwhile is passed to upstream when downstream has returned. Values that arrived meanwhile are then
    /// delivered, with `schedule` if deliveries are scheduled.
    @inlinable func start(schedule: ((@escaping () -> Void) -> Void)? = nil) {
        state.withLock { $0.downstream }?.receive(subscription: ErasedSubscription(self))
        let (heldDemand, isDue) = state.withLock { state in
            state.isDelivering = false
            return (state.heldDemand.take() ?? .none, state.ending != nil || !state.queue.isEmpty)
        }
        if isDue { if let schedule { schedule { act { _ in } } } else { act { _ in } } }
        if heldDemand > .none { ask(state.withLock { $0.present }, for: heldDemand) }
    }

    /// Gives downstream its subscription, and then subscribes to the publishers of existing inlets.
    @inlinable func start(attaching attachments: [() -> Void]) {
        start()
        for attach in attachments { attach() }
    }

    /// Runs `change` under the lock, and then delivers what is due. `change` calls nothing outside.
    @inlinable func act<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, event) = decide(change)
        _ = run(event)
        return result
    }

    @inlinable func decide<Result>(_ change: (inout State) -> Result) -> (Result, Event) {
        state.withLock { state in
            let result = change(&state)
            return (result, state.isDelivering ? .nothing : state.next())
        }
    }

    /// Delivers all that is due. Returns the demand on the publisher of `inlet`, which is the caller.
    @inlinable func run(_ first: Event, for inlet: AnyInlet? = nil) -> Subscribers.Demand {
        var event = first
        var returned = Subscribers.Demand.none
        while true {
            switch event {
            case .nothing:
                return returned
            case .close(let upstreams, _):
                for upstream in upstreams { upstream.cancel() }
            case .value(let value, let origin, let downstream):
                let more = downstream.receive(value)
                // Counted before upstream is asked, which may deliver at once.
                if more > .none { returned += ask(state.withLock { count(more, in: &$0) }, for: more, but: inlet) }
                if let origin { returned += refill(origin, but: inlet) }
            case .end(let completion, let downstream):
                downstream.receive(completion: completion)
                return .none
            }
            event = state.withLock { $0.next() }
        }
    }

    /// Closes an inlet whose publisher has ended. `meaning` decides what follows.
    @inlinable func close(_ inlet: AnyInlet, meaning: (inout State) -> (() -> Void)?) {
        var subscription: (any Subscription)?
        let work = act { state in
            guard inlet.isOpen else { return nil as (() -> Void)? }
            subscription = state.remove(inlet)
            return meaning(&state)
        }
        work?()
        withExtendedLifetime(subscription) {}
    }

    @inlinable func request(_ demand: Subscribers.Demand) {
        if demand > .none { ask(act { count(demand, in: &$0) }, for: demand) }
    }

    /// Adds to the demand, under the lock. Returns the inlets whose publishers are to be asked now.
    @inlinable func count(_ demand: Subscribers.Demand, in state: inout State) -> [AnyInlet] {
        if state.isUnlimited { return [] }
        state.isUnlimited = demand == .unlimited
        if isPulled { state.demand += demand }
        guard let heldDemand = state.heldDemand else { return state.present }
        state.heldDemand = heldDemand + demand
        return []
    }

    /// Asks the publishers of the inlets for values. Returns the demand on the publisher that is the caller.
    @inlinable
    @discardableResult
    func ask(_ inlets: [AnyInlet], for demand: Subscribers.Demand, but caller: AnyInlet? = nil) -> Subscribers.Demand {
        var returned = Subscribers.Demand.none
        for inlet in inlets where inlet.policy.passesOn(demand) {
            if inlet === caller {
                returned = demand
            } else {
                state.withLock { _ in inlet.subscription }?.request(demand)
            }
        }
        return returned
    }

    /// Asks for another value after one was delivered. Returns that demand if the publisher is the caller.
    @inlinable func refill(_ inlet: AnyInlet, but caller: AnyInlet?) -> Subscribers.Demand {
        let due = state.withLock { inlet.policy.refills(under: $0.demand) ? inlet.subscription : nil }
        guard let due else { return .none }
        if inlet === caller { return .max(1) }
        due.request(.max(1))
        return .none
    }

    /// Releases everything and cancels upstream.
    @inlinable func cancel() {
        let last = state.withLock { state in
            (state.downstream.take(), state.takeQueue(), state.close())
        }
        for upstream in last.2 { upstream.cancel() }
    }

    /// Takes the subscription of an inlet's publisher, and asks for the first values.
    @inlinable func accept(_ subscription: any Subscription, for inlet: AnyInlet) {
        let first: Subscribers.Demand? = state.withLock { state in
            guard inlet.isOpen, inlet.subscription == nil else { return nil }
            inlet.subscription = subscription
            state.awaited -= 1
            return inlet.policy.first(under: state.demand)
        }
        guard let first else { return subscription.cancel() }
        if inlet.startsDownstream { start(schedule: inlet.schedule) }
        if first > .none, state.withLock({ _ in inlet.isOpen }) { subscription.request(first) }
    }
}
