import Basics

/// The subscriber that tasks wait at: asks for one value for each that waits.
struct AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    typealias Answer = Handoff<Result<Input?, Failure>>

    struct State {
        var subscription: (any Subscription)?
        var waiting = Queue<CheckedContinuation<Answer, Never>>()
        /// The demand from before the subscription came.
        var owed = Subscribers.Demand.none
        var failure: Failure?
        var isOver = false
    }

    let state = Guarded(State())

    var combineIdentifier: CombineIdentifier { state.identifier }

    /// The next value; nil after the end, or once this is cancelled.
    func next() async -> Result<Input?, Failure> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            cancel()
        }.value
    }

    private func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        let due: (answer: Answer?, subscription: (any Subscription)?) = state.withLock { state in
            if state.isOver {
                let failure = state.failure.take()
                return (Handoff(failure.map { .failure($0) } ?? .success(nil)), nil)
            }
            state.waiting.append(continuation)
            if state.subscription == nil { state.owed += 1 }
            return (nil, state.subscription)
        }
        if let answer = due.answer { continuation.resume(returning: answer) }
        due.subscription?.request(.max(1))
    }

    func receive(subscription: any Subscription) {
        let owed: Subscribers.Demand? = state.withLock { state in
            guard state.subscription == nil, !state.isOver else { return nil }
            state.subscription = subscription
            return state.owed
        }
        guard let owed else { return subscription.cancel() }
        if owed > .none { subscription.request(owed) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let (first, isEarly) = state.withLock { ($0.waiting.popFirst(), $0.subscription == nil) }
        first?.resume(returning: Handoff(.success(input)))
        // Whoever sends a value before the subscription may never send one: the others must not wait for that.
        if isEarly { cancel() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let error) = completion { close(error) } else { close(nil) }
    }

    func cancel() { close(nil)?.cancel() }

    @discardableResult
    private func close(_ failure: Failure?) -> (any Subscription)? {
        var last = state.withLock { state in
            defer {
                if !state.isOver {
                    let isAwaited = !state.waiting.isEmpty
                    state = State(failure: isAwaited ? nil : failure, isOver: true)
                }
            }
            return state
        }
        guard !last.isOver else { return nil }
        var failure = failure
        while let continuation = last.waiting.popFirst() {
            continuation.resume(returning: Handoff(failure.take().map { .failure($0) } ?? .success(nil)))
        }
        return last.subscription
    }
}
