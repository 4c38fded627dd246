/// The subscription of a publisher of one known value. The value and the end are delivered on the first demand.
@usableFromInline struct SingleValueSubscription<Downstream: Subscriber>: Subscription, CustomStringConvertible {
    @usableFromInline struct State {
        @usableFromInline let name: StaticString
        @usableFromInline var value: Downstream.Input?
        /// Nil once the stream has ended.
        @usableFromInline var downstream: Downstream?

        @inlinable init(name: StaticString, value: Downstream.Input, downstream: Downstream) {
            (self.name, self.value, self.downstream) = (name, value, downstream)
        }
    }

    @usableFromInline let state: IdentifiedLock<State>

    @inlinable init(_ value: Downstream.Input, for downstream: Downstream, name: StaticString) {
        state = IdentifiedLock(State(name: name, value: value, downstream: downstream))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { "\($0.name)" } }

    @inlinable func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        let due: (value: Downstream.Input?, downstream: Downstream?) = state.withLock { state in
            (state.value.take(), state.downstream)
        }
        guard let value = due.value, let downstream = due.downstream else { return }
        _ = downstream.receive(value)
        if take() != nil { downstream.receive(completion: .finished) }
    }

    @inlinable func cancel() { _ = take() }

    /// Releases everything; nil if that has been done.
    @inlinable func take() -> (value: Downstream.Input?, downstream: Downstream)? {
        state.withLock { state in
            state.downstream.take().map { (state.value.take(), $0) }
        }
    }
}

extension Subscriber {
    /// Receives the subscription of a publisher of one known value.
    @inlinable func receive(only value: Input, of publisher: StaticString) {
        let subscription = SingleValueSubscription(value, for: AnySubscriber(self), name: publisher)
        receive(subscription: ErasedSubscription(subscription))
    }
}
