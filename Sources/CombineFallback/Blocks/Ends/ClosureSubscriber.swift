/// The end of a pipeline: asks for everything and hands it to closures, which it frees when the stream is over.
@usableFromInline struct ClosureSubscriber<Input, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline struct State {
        @usableFromInline var subscription: (any Subscription)?
        /// Nil once the stream is over, as is `receiveCompletion`.
        @usableFromInline var receiveValue: Hook?
        @usableFromInline var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

        @inlinable init(receiveValue: Hook?, receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?) {
            (self.receiveValue, self.receiveCompletion) = (receiveValue, receiveCompletion)
        }
    }

    /// A closure as it is kept: by itself it would be wrapped anew, and allocated, each time it leaves the lock.
    @usableFromInline struct Hook {
        @usableFromInline let call: (Input) -> Void

        @inlinable init(call: @escaping (Input) -> Void) { self.call = call }
    }

    @usableFromInline let state: Guarded<State>

    @inlinable init(
        receiveValue: @escaping (Input) -> Void,
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        state = Guarded(State(receiveValue: Hook(call: receiveValue), receiveCompletion: receiveCompletion))
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
