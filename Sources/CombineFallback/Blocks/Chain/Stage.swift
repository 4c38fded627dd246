/// The outcome of a stage for one value.
@usableFromInline enum Step<Output> {
    case pass(Output)
    case skip
    /// Publishes the value as soon as there is demand, and then finishes.
    case last(Output)
    case finish
}

/// The demand of a stage on upstream.
@usableFromInline struct Pull {
    /// The demand on upstream before downstream asks for a value.
    @usableFromInline let first: Subscribers.Demand
    /// The demand on upstream for each value that downstream asks for; 0 if `first` is unlimited.
    @usableFromInline let perValue: Int
    /// The demand on upstream for a value that was skipped.
    @usableFromInline let replacement: Subscribers.Demand
    /// Whether demand is counted, because the stage may end with a value.
    @usableFromInline let countsDemand: Bool

    @inlinable init(first: Subscribers.Demand, perValue: Int, replacement: Subscribers.Demand, countsDemand: Bool) {
        (self.first, self.perValue, self.replacement, self.countsDemand) = (first, perValue, replacement, countsDemand)
    }

    /// The demand of downstream.
    @inlinable static var asDemanded: Pull {
        Pull(first: .none, perValue: 1, replacement: .max(1), countsDemand: false)
    }
    /// The demand of downstream, which is counted.
    @inlinable static var counted: Pull { Pull(first: .none, perValue: 1, replacement: .max(1), countsDemand: true) }
    /// Unlimited; the stage publishes only a last value.
    @inlinable static var everything: Pull {
        Pull(first: .unlimited, perValue: 0, replacement: .none, countsDemand: true)
    }

    /// `size` values for each that downstream asks for.
    @inlinable static func batches(of size: Int) -> Pull {
        Pull(first: .none, perValue: size, replacement: .none, countsDemand: true)
    }

    /// The demand of downstream, and first `count` values that will be skipped.
    @inlinable static func afterFirst(_ count: Int) -> Pull {
        Pull(first: .max(count), perValue: 1, replacement: .none, countsDemand: false)
    }
}

/// The behavior of an operator that can end the stream, or keep a last value until there is demand.
///
/// A class, because the subscriber copies it out of its lock for each value.
@usableFromInline final class Stage<Input, InputFailure: Error, Output, Failure: Error> {
    @usableFromInline let pull: Pull
    @usableFromInline let step: (Input) throws(Failure) -> Step<Output>
    /// Returns the value, if there is one, that comes before the end. Throws the failure that ends the stream.
    @usableFromInline let last: (Subscribers.Completion<InputFailure>) throws(Failure) -> Output?

    @inlinable init(
        _ pull: Pull,
        step: @escaping (Input) throws(Failure) -> Step<Output>,
        last: @escaping (Subscribers.Completion<InputFailure>) throws(Failure) -> Output?
    ) {
        (self.pull, self.step, self.last) = (pull, step, last)
    }
}

/// The subscriber that runs a ``Stage``.
///
/// It keeps upstream's subscription so that it can end the stream early, and keeps a last value until there is demand.
@usableFromInline
struct StageSubscriber<Input, Failure: Error, Output, OutputFailure: Error>: Subscriber, Subscription,
    CustomStringConvertible
{
    @usableFromInline typealias Stage = CombineFallback.Stage<Input, Failure, Output, OutputFailure>
    @usableFromInline typealias Downstream = AnySubscriber<Output, OutputFailure>

    @usableFromInline enum Phase {
        case waiting
        case open
        /// Upstream has ended. The last value is being computed or delivered.
        case ending
        case parked
        case closed
    }

    /// Read and written field by field: a copy of the whole would be made by calls into the runtime.
    @usableFromInline struct State {
        /// The operator's name, as `print()` shows it.
        @usableFromInline let name: StaticString
        @usableFromInline var phase = Phase.waiting
        @usableFromInline var demand = Subscribers.Demand.none
        @usableFromInline var upstream: (any Subscription)?
        @usableFromInline var parked: Output?
        /// Nil once the stream has ended, as is `downstream`.
        @usableFromInline var stage: Stage?
        @usableFromInline var downstream: Downstream?

        @inlinable init(name: StaticString, stage: Stage, downstream: Downstream) {
            (self.name, self.stage, self.downstream) = (name, stage, downstream)
        }
    }

    @usableFromInline let state: IdentifiedLock<State>

    @inlinable init(_ stage: Stage, _ downstream: Downstream, name: StaticString) {
        state = IdentifiedLock(State(name: name, stage: stage, downstream: downstream))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { state.withLock { "\($0.name)" } }
}

extension StageSubscriber {
    @inlinable func receive(subscription: any Subscription) {
        let opened: (downstream: Downstream?, first: Subscribers.Demand) = state.withLock { state in
            guard state.phase == .waiting, let stage = state.stage else { return (nil, .none) }
            state.phase = .open
            state.upstream = subscription
            return (state.downstream, stage.pull.first)
        }
        guard let downstream = opened.downstream else { return subscription.cancel() }
        downstream.receive(subscription: ErasedSubscription(self))
        if opened.first > .none, state.withLock({ $0.phase == .open }) { subscription.request(opened.first) }
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        let open: (stage: Stage?, downstream: Downstream?) = state.withLock { state in
            guard state.phase == .open else { return (nil, nil) }
            return (state.stage, state.downstream)
        }
        guard let stage = open.stage, let downstream = open.downstream else { return .none }
        do throws(OutputFailure) {
            switch try stage.step(input) {
            case .pass(let output): return pass(output, to: downstream, by: stage.pull)
            case .skip: return stage.pull.replacement
            case .last(let output): finish(with: output)
            case .finish: close()?.receive(completion: .finished)
            }
        } catch {
            close()?.receive(completion: .failure(error))
        }
        return .none
    }

    /// Delivers `output`. Returns the demand on upstream that results.
    @inlinable func pass(_ output: Output, to downstream: Downstream, by pull: Pull) -> Subscribers.Demand {
        if !pull.countsDemand { return downstream.receive(output) }
        state.withLock { $0.demand -= 1 }
        let more = downstream.receive(output)
        if more > .none { state.withLock { $0.demand += more } }
        return more * pull.perValue
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        let ended: (stage: Stage?, upstream: (any Subscription)?) = state.withLock { state in
            guard state.phase == .open else { return (nil, nil) }
            state.phase = .ending
            return (state.stage, state.upstream.take())
        }
        guard let stage = ended.stage else { return }
        do throws(OutputFailure) {
            if let last = try stage.last(completion) { return finish(with: last) }
            close()?.receive(completion: .finished)
        } catch {
            close()?.receive(completion: .failure(error))
        }
    }

    @inlinable func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let due: (upstream: (any Subscription)?, pull: Pull, parked: Output?, downstream: Downstream?) =
            state.withLock { state in
                let pull = state.stage?.pull ?? .asDemanded
                if pull.countsDemand { state.demand += demand }
                if state.phase == .open, pull.perValue > 0 { return (state.upstream, pull, nil, nil) }
                guard state.phase == .parked else { return (nil, pull, nil, nil) }
                state.phase = .ending
                return (nil, pull, state.parked.take(), state.downstream)
            }
        if let upstream = due.upstream {
            upstream.request(demand * due.pull.perValue)
        } else if let parked = due.parked, let downstream = due.downstream {
            deliver(parked, asLastTo: downstream)
        }
    }

    @inlinable func cancel() { _ = close() }

    /// Releases everything, cancels upstream unless it has ended, and returns downstream unless that has been released.
    @inlinable func close() -> Downstream? {
        let last: (upstream: (any Subscription)?, parked: Output?, stage: Stage?, downstream: Downstream?) =
            state.withLock { state in
                state.phase = .closed
                return (state.upstream.take(), state.parked.take(), state.stage.take(), state.downstream.take())
            }
        last.upstream?.cancel()
        return last.downstream
    }

    /// Cancels upstream unless it has ended, and delivers `output` and the end as soon as there is demand.
    @inlinable func finish(with output: Output) {
        let last: (upstream: (any Subscription)?, downstream: Downstream?) = state.withLock { state in
            guard state.phase != .closed else { return (nil, nil) }
            let isDue = state.demand > .none || state.stage?.pull.countsDemand == false
            state.phase = isDue ? .ending : .parked
            if !isDue { state.parked = output }
            return (state.upstream.take(), isDue ? state.downstream : nil)
        }
        last.upstream?.cancel()
        if let downstream = last.downstream { deliver(output, asLastTo: downstream) }
    }

    /// Delivers `output`, and then the end unless downstream cancels meanwhile.
    @inlinable func deliver(_ output: Output, asLastTo downstream: Downstream) {
        _ = downstream.receive(output)
        close()?.receive(completion: .finished)
    }
}
