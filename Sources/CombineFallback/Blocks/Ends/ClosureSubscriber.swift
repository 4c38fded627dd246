/// A subscriber that asks for everything and calls closures, which it releases when the stream has ended.
@usableFromInline struct ClosureSubscriber<Input, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline struct State {
        @usableFromInline var subscription: (any Subscription)?
        /// Nil once the stream has ended, as is `receiveCompletion`.
        @usableFromInline var receiveValue: ValueHandler?
        @usableFromInline var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

        @inlinable init(receiveValue: ValueHandler?, receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?) {
            (self.receiveValue, self.receiveCompletion) = (receiveValue, receiveCompletion)
        }
    }

    /// A closure in a structure: without it, each copy out of the lock would be wrapped again, which allocates.
    @usableFromInline struct ValueHandler {
        @usableFromInline let call: (Input) -> Void

        @inlinable init(call: @escaping (Input) -> Void) { self.call = call }
    }

    @usableFromInline let state: IdentifiedLock<State>

    @inlinable init(
        receiveValue: @escaping (Input) -> Void,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        state = IdentifiedLock(
            State(receiveValue: ValueHandler(call: receiveValue), receiveCompletion: receiveCompletion)
        )
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }

    @inlinable func receive(subscription: any Subscription) {
        let accepted = state.withLock { state in
            guard state.receiveValue != nil, state.subscription == nil else { return false }
            state.subscription = subscription
            return true
        }
        if accepted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        state.withLock { $0.receiveValue }?.call(input)
        return .none
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) { take().receiveCompletion?(completion) }

    @inlinable func cancel() { take().subscription?.cancel() }

    @inlinable func take() -> State {
        state.withLock { state in
            var last = State(receiveValue: nil, receiveCompletion: nil)
            swap(&state, &last)
            return last
        }
    }
}
