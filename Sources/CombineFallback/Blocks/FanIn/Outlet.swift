public import Basics

/// The way out to one downstream for what comes in through several ``Inlet``s, from any thread, at any time.
///
/// Whoever finds nobody delivering delivers; everybody else leaves the event in the queue and returns. So calls into
/// downstream neither overlap nor nest, and nothing is called under the lock. An operator says what a port does with a
/// value and with the end of its publisher; demand, order, cancelling and letting go are here.
@usableFromInline struct Outlet<Output, Failure: Error>: Subscription, CustomStringConvertible {
    /// Read and written field by field: copying it as a whole would be left to the runtime.
    @usableFromInline struct State {
        /// Nil once the stream is over.
        @usableFromInline var downstream: AnySubscriber<Output, Failure>?
        /// The number of values that may be delivered.
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var queue = Queue<(value: Output, inlet: AnyInlet?)>()
        /// Comes after what is queued, unless that is discarded.
        @usableFromInline var ending: Subscribers.Completion<Failure>?
        @usableFromInline var discards = false
        /// Whether downstream has asked for everything: then there is nothing more to ask for.
        @usableFromInline var isUnlimited = false
        /// The publishers that have not ended.
        @usableFromInline var inlets: [AnyInlet] = []
        /// The number of publishers that have not sent their subscription.
        @usableFromInline var missing = 0
        /// Whether somebody is delivering, or downstream is being given its subscription.
        @usableFromInline var isBusy = true
        /// The demand made while downstream is being given its subscription; nil after that.
        @usableFromInline var held: Subscribers.Demand? = Subscribers.Demand.none

        @inlinable init(_ downstream: AnySubscriber<Output, Failure>) { self.downstream = downstream }
    }

    @usableFromInline enum Event {
        case nothing
        /// Upstream is cancelled before the end is delivered; what is discarded is released.
        case close([any Subscription], Queue<(value: Output, inlet: AnyInlet?)>)
        case value(Output, from: AnyInlet?, to: AnySubscriber<Output, Failure>)
        case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
    }

    @usableFromInline let state: Guarded<State>
    @usableFromInline let name: StaticString
    /// Whether downstream's demand is what may be delivered; otherwise that is said by work that has been scheduled.
    @usableFromInline let isPulled: Bool

    @inlinable init(_ downstream: AnySubscriber<Output, Failure>, name: StaticString, isPulled: Bool = true) {
        state = Guarded(State(downstream))
        (self.name, self.isPulled) = (name, isPulled)
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { "\(name)" }
}

extension Outlet {
    /// Gives downstream its subscription. What is asked for meanwhile is asked of upstream when downstream has returned;
    /// what comes all the same is delivered then or, if deliveries are scheduled, by `schedule`.
    @inlinable func begin(schedule: ((@escaping () -> Void) -> Void)? = nil) {
        state.withLock { $0.downstream }?.receive(subscription: ErasedSubscription(self))
        let (held, isDue) = state.withLock { state in
            state.isBusy = false
            return (state.held.take() ?? .none, state.ending != nil || !state.queue.isEmpty)
        }
        if isDue { if let schedule { schedule { act { _ in } } } else { act { _ in } } }
        if held > .none { ask(state.withLock { $0.present }, for: held) }
    }

    /// The same, and then subscribes to several publishers, for each of which there is a port already.
    @inlinable func begin(attaching attachments: [() -> Void]) {
        begin()
        for attach in attachments { attach() }
    }

    /// Decides under the lock, and then delivers what is due. `change` only moves values.
    @inlinable func act<Result>(_ change: (inout State) -> Result) -> Result {
        let (result, event) = decide(change)
        _ = run(event)
        return result
    }

    @inlinable func decide<Result>(_ change: (inout State) -> Result) -> (Result, Event) {
        state.withLock { state in
            let result = change(&state)
            return (result, state.isBusy ? .nothing : state.next())
        }
    }

    /// Delivers all that is due. Returns what is to be asked in return of the publisher of `inlet`, whose call this is.
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
                // Counted before anybody upstream hears of it, who may deliver at once.
                if more > .none { returned += ask(state.withLock { count(more, in: &$0) }, for: more, but: inlet) }
                if let origin { returned += refill(origin, but: inlet) }
            case .end(let completion, let downstream):
                downstream.receive(completion: completion)
                return .none
            }
            event = state.withLock { $0.next() }
        }
    }

    /// Closes an inlet whose publisher has ended, and does what that means.
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

    /// Under the lock: adds to the demand; returns the publishers that are to hear of it now.
    @inlinable func count(_ demand: Subscribers.Demand, in state: inout State) -> [AnyInlet] {
        if state.isUnlimited { return [] }
        state.isUnlimited = demand == .unlimited
        if isPulled { state.demand += demand }
        guard let held = state.held else { return state.present }
        state.held = held + demand
        return []
    }

    /// Asks the publishers of these inlets; returns what is to be returned to the one whose call this is.
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

    /// Asks the publisher of a inlet for another value, one having been delivered; or returns that to the one whose call this is.
    @inlinable func refill(_ inlet: AnyInlet, but caller: AnyInlet?) -> Subscribers.Demand {
        let due = state.withLock { inlet.policy.refills(under: $0.demand) ? inlet.subscription : nil }
        guard let due else { return .none }
        if inlet === caller { return .max(1) }
        due.request(.max(1))
        return .none
    }

    /// Lets go of everything.
    @inlinable func cancel() {
        let last = state.withLock { state in
            (state.downstream.take(), state.takeQueue(), state.close())
        }
        for upstream in last.2 { upstream.cancel() }
    }

    /// Takes the subscription of the publisher of one inlet, and asks it for what the inlet wants.
    @inlinable func adopt(_ subscription: any Subscription, for inlet: AnyInlet) {
        let first: Subscribers.Demand? = state.withLock { state in
            guard inlet.isOpen, inlet.subscription == nil else { return nil }
            inlet.subscription = subscription
            state.missing -= 1
            return inlet.policy.first(under: state.demand)
        }
        guard let first else { return subscription.cancel() }
        if inlet.begins { begin(schedule: inlet.schedule) }
        if first > .none, state.withLock({ _ in inlet.isOpen }) { subscription.request(first) }
    }
}
