/// The subscription of a publisher of one known value: delivers it on the first demand, and then the end.
@usableFromInline
struct OneShot<Downstream: Subscriber>: Subscription, CustomStringConvertible {
    @usableFromInline
    struct State {
        @usableFromInline let name: StaticString
        @usableFromInline var due: (value: Downstream.Input, downstream: Downstream)?

        @inlinable
        init(name: StaticString, due: (value: Downstream.Input, downstream: Downstream)) {
            self.name = name
            self.due = due
        }
    }

    @usableFromInline let state: Guarded<State>

    @inlinable
    init(_ value: Downstream.Input, for downstream: Downstream, name: StaticString) {
        state = Guarded(State(name: name, due: (value, downstream)))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { "\($0.name)" } }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        guard let due = take() else { return }
        _ = due.downstream.receive(due.value)
        due.downstream.receive(completion: .finished)
    }

    @inlinable
    func cancel() { _ = take() }

    @inlinable
    func take() -> (value: Downstream.Input, downstream: Downstream)? {
        state.withLock { state in
            defer { state.due = nil }
            return state.due
        }
    }
}
