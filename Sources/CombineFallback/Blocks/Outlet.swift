/// The way out to one downstream for events that may come from several threads.
///
/// Whoever finds nobody delivering delivers; everybody else leaves the event in the queue and returns. So calls into
/// downstream neither overlap nor nest, and nothing is called under the lock.
@usableFromInline
struct Outlet<Downstream: Subscriber> {
    @usableFromInline typealias Input = Downstream.Input

    /// What is called after a value has been delivered: with the tag it came with, and what downstream asked for in
    /// return.
    @usableFromInline typealias Delivered = (_ tag: Int, _ returned: Subscribers.Demand) -> Void

    @usableFromInline
    struct State {
        @usableFromInline let downstream: Downstream
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var queue = Queue<(value: Input, tag: Int)>()
        @usableFromInline var length = 0
        @usableFromInline var ending: Subscribers.Completion<Downstream.Failure>?
        @usableFromInline var isBusy = false

        @inlinable
        init(_ downstream: Downstream) { self.downstream = downstream }
    }

    @usableFromInline
    enum Event {
        case value(Input, tag: Int, Downstream)
        case end(Subscribers.Completion<Downstream.Failure>, Downstream)
    }

    /// Nil once the stream is over.
    @usableFromInline let state: Guarded<State?>
    /// Whether what downstream asks for in return is demand on this outlet.
    @usableFromInline let countsReturned: Bool

    @inlinable
    init(_ downstream: Downstream, countsReturned: Bool = true) {
        state = Guarded(State(downstream))
        self.countsReturned = countsReturned
    }
}

extension Outlet {
    /// Adds to the demand, and delivers what it allows.
    @inlinable
    func request(_ demand: Subscribers.Demand, delivered: Delivered = { _, _ in }) {
        drain(delivered) { $0.demand += demand }
    }

    /// Delivers `value` as soon as there is demand for it.
    @inlinable
    func send(_ value: Input, tag: Int = 0, delivered: Delivered = { _, _ in }) {
        drain(delivered) { $0.enqueue(value, tag: tag) }
    }

    /// Delivers what `make` returns if there is demand left for it. `make` runs under the lock: it only moves values.
    @inlinable
    func offer(delivered: Delivered = { _, _ in }, _ make: () -> Input?) {
        drain(delivered) { state in
            guard let value = make() else { return }
            if state.demand > state.length { state.enqueue(value, tag: 0) }
        }
    }

    /// Ends the stream after what is queued, or, if that is to be discarded, now.
    @inlinable
    func finish(
        _ completion: Subscribers.Completion<Downstream.Failure>,
        discarding: Bool = false,
        delivered: Delivered = { _, _ in }
    ) {
        var discarded = Queue<(value: Input, tag: Int)>()
        drain(delivered) { state in
            guard state.ending == nil else { return }
            state.ending = completion
            if discarding {
                swap(&state.queue, &discarded)
                state.length = 0
            }
        }
    }

    /// Delivers nothing more, and lets go of everything.
    @inlinable
    func close() {
        _ = state.withLock { $0.take() }
    }

    @inlinable
    func drain(_ delivered: Delivered, adding change: (inout State) -> Void) {
        var event = state.withLock { state -> Event? in
            guard state != nil else { return nil }
            if var changed = state.take() {
                change(&changed)
                state = changed
            }
            return state?.isBusy == false ? Self.next(&state) : nil
        }
        while let current = event {
            switch current {
            case .value(let value, let tag, let downstream):
                let returned = downstream.receive(value)
                // Counted before anybody upstream hears of it, who may deliver at once.
                if countsReturned, returned > .none { state.withLock { $0?.demand += returned } }
                delivered(tag, returned)
            case .end(let completion, let downstream):
                return downstream.receive(completion: completion)
            }
            event = state.withLock { Self.next(&$0) }
        }
    }

    /// Under the lock: the next event that may be delivered, and then somebody is delivering; or nil, and nobody is.
    @inlinable
    static func next(_ state: inout State?) -> Event? {
        guard let downstream = state?.downstream else { return nil }
        state?.isBusy = true
        if state?.length == 0, let ending = state?.ending {
            state = nil
            return .end(ending, downstream)
        }
        if let demand = state?.demand, demand > .none, let first = state?.queue.popFirst() {
            state?.demand -= 1
            state?.length -= 1
            return .value(first.value, tag: first.tag, downstream)
        }
        state?.isBusy = false
        return nil
    }
}

extension Outlet.State {
    @inlinable
    mutating func enqueue(_ value: Downstream.Input, tag: Int) {
        guard ending == nil else { return }
        queue.append((value, tag))
        length += 1
    }
}
