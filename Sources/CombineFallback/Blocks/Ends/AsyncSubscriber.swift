import Basics

/// A subscriber whose values tasks wait for. It asks for one value for each waiting task.
struct AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
    // unchecked: the value goes from the publisher to one task, and the publisher no longer uses it
    typealias Answer = UncheckedSendable<Result<Input?, Failure>>

    struct State {
        var subscription: (any Subscription)?
        var waiting = Queue<CheckedContinuation<Answer, Never>>()
        /// The demand made before the subscription arrived.
        var earlyDemand = Subscribers.Demand.none
        var failure: Failure?
        var isOver = false
    }

    let state = IdentifiedLock(State())

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
                return (UncheckedSendable(failure.map { .failure($0) } ?? .success(nil)), nil)
            }
            state.waiting.append(continuation)
            if state.subscription == nil { state.earlyDemand += 1 }
            return (nil, state.subscription)
        }
        if let answer = due.answer { continuation.resume(returning: answer) }
        due.subscription?.request(.max(1))
    }

    func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = state.withLock { state in
            guard state.subscription == nil, !state.isOver else { return nil }
            state.subscription = subscription
            return state.earlyDemand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let (first, isEarly) = state.withLock { ($0.waiting.popFirst(), $0.subscription == nil) }
        first?.resume(returning: UncheckedSendable(.success(input)))
        // A publisher that sends a value before its subscription may never send that, so the other tasks must not wait.
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
            continuation.resume(returning: UncheckedSendable(failure.take().map { .failure($0) } ?? .success(nil)))
        }
        return last.subscription
    }
}
