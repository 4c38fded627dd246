/// The subscriber of a ``Stage``: it keeps upstream's subscription so that it can end the stream early, and parks a
/// last value until there is demand for it.
@usableFromInline
struct Conduit<Stage: CombineFallback.Stage, Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
where Downstream.Input == Stage.Output, Downstream.Failure == Stage.Failure {
    @usableFromInline typealias Input = Stage.Input
    @usableFromInline typealias Failure = Stage.InputFailure

    @usableFromInline
    enum Phase {
        case waiting
        case open(any Subscription)
        /// Upstream is over; what remains is being worked out or delivered.
        case ending
        case parked(Stage.Output)
    }

    /// All there is to hold; nil once the stream is over.
    @usableFromInline
    struct State {
        @usableFromInline var phase = Phase.waiting
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline let stage: Stage
        @usableFromInline let downstream: Downstream

        @inlinable
        init(stage: Stage, downstream: Downstream) {
            self.stage = stage
            self.downstream = downstream
        }
    }

    @usableFromInline let state: Guarded<State?>

    @inlinable
    init(_ stage: Stage, _ downstream: Downstream) {
        state = Guarded(State(stage: stage, downstream: downstream))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { Stage.name }
}

extension Conduit {
    @inlinable
    func receive(subscription: any Subscription) {
        let downstream: Downstream? = state.withLock { state in
            guard case .waiting? = state?.phase else { return nil }
            state?.phase = .open(subscription)
            return state?.downstream
        }
        guard let downstream else { return subscription.cancel() }
        downstream.receive(subscription: Link(self))
        if Stage.pull == .everything { pullEverything(from: subscription) }
    }

    @inlinable
    func pullEverything(from subscription: any Subscription) {
        let isOpen = state.withLock { $0 != nil }
        if isOpen { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ input: Stage.Input) -> Subscribers.Demand {
        let open: (stage: Stage, downstream: Downstream)? = state.withLock { state in
            guard case .open? = state?.phase, let stage = state?.stage, let downstream = state?.downstream else {
                return nil
            }
            if Stage.pull == .counted { state?.demand -= 1 }
            return (stage, downstream)
        }
        guard let open else { return .none }
        switch open.stage.step(for: input) {
        case .pass(let output):
            let more = open.downstream.receive(output)
            if Stage.pull == .counted, more > .none { state.withLock { $0?.demand += more } }
            return more
        case .skip:
            return Stage.pull == .everything ? .none : .max(1)
        case .last(let output):
            finish(with: output)
        case .finish:
            close()?.receive(completion: .finished)
        case .fail(let error):
            close()?.receive(completion: .failure(error))
        }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Stage.InputFailure>) {
        let ended: (stage: Stage, upstream: any Subscription)? = state.withLock { state in
            guard case .open(let upstream)? = state?.phase, let stage = state?.stage else { return nil }
            state?.phase = .ending
            return (stage, upstream)
        }
        guard let ended else { return }
        switch ended.stage.ending(for: completion) {
        case .finish: close()?.receive(completion: .finished)
        case .fail(let error): close()?.receive(completion: .failure(error))
        case .last(let output): finish(with: output)
        }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        let due: (upstream: (any Subscription)?, parked: (output: Stage.Output, downstream: Downstream)?) =
            state.withLock { state in
                if Stage.pull != .asDemanded { state?.demand += demand }
                switch state?.phase {
                case nil, .waiting, .ending:
                    return (nil, nil)
                case .open(let upstream):
                    return (Stage.pull == .everything ? nil : upstream, nil)
                case .parked(let output):
                    state?.phase = .ending
                    return (nil, state.map { (output, $0.downstream) })
                }
            }
        if let parked = due.parked {
            deliver(parked.output, asLastTo: parked.downstream)
        } else {
            due.upstream?.request(demand)
        }
    }

    @inlinable
    func cancel() { _ = close() }

    /// Lets go of everything, cancels upstream unless it has ended, and returns downstream if it is still there.
    @inlinable
    func close() -> Downstream? {
        let last = state.withLock { $0.take() }
        if case .open(let subscription)? = last?.phase { subscription.cancel() }
        return last?.downstream
    }

    /// Cancels upstream unless it has ended, and delivers `output` and the end, now or on demand.
    @inlinable
    func finish(with output: Stage.Output) {
        let last: (upstream: (any Subscription)?, downstream: Downstream?) = state.withLock { state in
            guard let isDue = state.map({ $0.demand > .none }) else { return (nil, nil) }
            var upstream: (any Subscription)?
            if case .open(let subscription)? = state?.phase { upstream = subscription }
            state?.phase = isDue ? .ending : .parked(output)
            return (upstream, isDue ? state?.downstream : nil)
        }
        last.upstream?.cancel()
        if let downstream = last.downstream { deliver(output, asLastTo: downstream) }
    }

    /// Delivers `output`, and the end unless downstream cancels when it gets it.
    @inlinable
    func deliver(_ output: Stage.Output, asLastTo downstream: Downstream) {
        _ = downstream.receive(output)
        close()?.receive(completion: .finished)
    }
}
