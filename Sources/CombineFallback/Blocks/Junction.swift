/// Several publishers whose values are put together for one downstream.
///
/// Values are kept and put together under the outlet's lock, so that results go out in the order in which they came
/// about.
@usableFromInline
struct Junction<Downstream: Subscriber>: Subscription, CustomStringConvertible {
    @usableFromInline
    struct State {
        @usableFromInline let name: StaticString
        /// One for each port; nil until it has come, and after its end.
        @usableFromInline var upstreams: [(any Subscription)?]
        @usableFromInline var hasCome: [Bool]
        @usableFromInline var left: Int
        @usableFromInline var requested = Subscribers.Demand.none

        @inlinable
        init(name: StaticString, ports: Int) {
            self.name = name
            upstreams = Array(repeating: nil, count: ports)
            hasCome = Array(repeating: false, count: ports)
            left = ports
        }
    }

    @usableFromInline let outlet: Outlet<Downstream>
    /// Nil once nothing more can come.
    @usableFromInline let state: Guarded<State?>

    @inlinable
    init(_ downstream: Downstream, name: StaticString, ports: Int) {
        outlet = Outlet(downstream)
        state = Guarded(State(name: name, ports: ports))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { $0.map { "\($0.name)" } ?? "Finished" } }
}

extension Junction {
    /// Subscribes to the publisher of one port.
    ///
    /// `keep` runs under the lock: it exchanges what is kept for the value it is given, so that nothing is released
    /// there, and returns what can be delivered now.
    @inlinable
    func connect<P: Publisher>(
        _ port: Int,
        to publisher: P,
        keep: @escaping (inout P.Output?) -> Downstream.Input?
    ) where P.Failure == Downstream.Failure {
        let isOpen = state.withLock { $0 != nil }
        if isOpen { publisher.attach(Port(of: self, number: port, keep: keep)) }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        outlet.request(demand, delivered: delivered)
        requestUpstream(demand)
    }

    @inlinable
    func cancel() {
        outlet.close()
        for upstream in stop() { upstream.cancel() }
    }

    @inlinable
    func delivered(tag: Int, returned: Subscribers.Demand) {
        if returned > .none { requestUpstream(returned) }
    }

    @inlinable
    func requestUpstream(_ demand: Subscribers.Demand) {
        let upstreams = state.withLock { state in
            state?.requested += demand
            return state?.upstreams ?? []
        }
        for upstream in upstreams { upstream?.request(demand) }
    }

    /// Lets go of all publishers and returns those that have not ended.
    @inlinable
    func stop() -> [any Subscription] {
        let last = state.withLock { $0.take() }
        return last?.upstreams.compactMap { $0 } ?? []
    }
}

/// The subscriber of one publisher in a ``Junction``.
@usableFromInline
struct Port<Input, Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let junction: Junction<Downstream>
    @usableFromInline let number: Int
    @usableFromInline let keep: (inout Input?) -> Downstream.Input?

    @inlinable
    init(of junction: Junction<Downstream>, number: Int, keep: @escaping (inout Input?) -> Downstream.Input?) {
        self.junction = junction
        self.number = number
        self.keep = keep
    }

    @inlinable var combineIdentifier: CombineIdentifier { junction.combineIdentifier }

    @inlinable
    func receive(subscription: any Subscription) {
        let requested: Subscribers.Demand? = junction.state.withLock { state in
            guard let current = state, !current.hasCome[number] else { return nil }
            state?.upstreams[number] = subscription
            state?.hasCome[number] = true
            return current.requested
        }
        guard let requested else { return subscription.cancel() }
        if requested > .none { subscription.request(requested) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        var value: Input? = input
        junction.outlet.offer(delivered: junction.delivered) { keep(&value) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        let ended: (upstream: (any Subscription)?, isLast: Bool) = junction.state.withLock { state in
            guard let upstream = state?.upstreams[number] else { return (nil, false) }
            state?.upstreams[number] = nil
            state?.left -= 1
            return (upstream, state?.left == 0)
        }
        guard ended.upstream != nil else { return }
        if case .failure = completion {
            for upstream in junction.stop() { upstream.cancel() }
            junction.outlet.finish(completion, discarding: true)
        } else if ended.isLast {
            _ = junction.stop()
            junction.outlet.finish(completion, delivered: junction.delivered)
        }
    }
}
