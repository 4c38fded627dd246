/// The subscriber of operators that deliver every event elsewhere, in order.
///
/// Each event is queued and one piece of work is scheduled for it, which allows one delivery: so jobs that run at the
/// same time neither overlap nor overtake each other.
@usableFromInline
struct Mover<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
    @usableFromInline
    struct State {
        @usableFromInline let name: StaticString
        @usableFromInline let downstream: Downstream
        @usableFromInline let schedule: (@escaping () -> Void) -> Void
        @usableFromInline var upstream: (any Subscription)?
        @usableFromInline var hasEnded = false

        @inlinable
        init(_ downstream: Downstream, _ name: StaticString, _ schedule: @escaping (@escaping () -> Void) -> Void) {
            self.downstream = downstream
            self.name = name
            self.schedule = schedule
        }
    }

    @usableFromInline let outlet: Outlet<Downstream>
    /// Nil once cancelled.
    @usableFromInline let state: Guarded<State?>

    @inlinable
    init(_ downstream: Downstream, name: StaticString, schedule: @escaping (@escaping () -> Void) -> Void) {
        outlet = Outlet(downstream, countsReturned: false)
        state = Guarded(State(downstream, name, schedule))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { $0.map { "\($0.name)" } ?? "Finished" } }

    @inlinable
    func receive(subscription: any Subscription) {
        let downstream: Downstream? = state.withLock { state in
            guard state?.upstream == nil, state?.hasEnded == false else { return nil }
            state?.upstream = subscription
            return state?.downstream
        }
        if let downstream { downstream.receive(subscription: Link(self)) } else { subscription.cancel() }
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        let schedule = state.withLock { $0?.hasEnded == false ? $0?.schedule : nil }
        guard let schedule else { return .none }
        outlet.send(input, delivered: delivered)
        schedule { outlet.request(.max(1), delivered: delivered) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        let last: State? = state.withLock { state in
            guard state?.hasEnded == false else { return nil }
            defer {
                state?.hasEnded = true
                state?.upstream = nil
            }
            return state
        }
        last?.schedule {
            outlet.finish(completion, delivered: delivered)
            release()
        }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        state.withLock { $0?.upstream }?.request(demand)
    }

    @inlinable
    func cancel() {
        outlet.close()
        release()?.upstream?.cancel()
    }

    /// Passes on what downstream asked for: this outlet's demand is the work that has been scheduled.
    @inlinable
    func delivered(tag: Int, returned: Subscribers.Demand) {
        if returned > .none { state.withLock { $0?.upstream }?.request(returned) }
    }

    @inlinable
    @discardableResult
    func release() -> State? {
        state.withLock { $0.take() }
    }
}
