/// What an operator does that can neither end the stream nor hold a value back.
@usableFromInline protocol RelayStage<Input, InputFailure, Output, Failure> {
    associatedtype Input
    associatedtype InputFailure: Error
    associatedtype Output
    associatedtype Failure: Error

    /// What is passed on for `input`; nil skips it.
    func output(for input: Input) -> Output?
    func completion(for completion: Subscribers.Completion<InputFailure>) -> Subscribers.Completion<Failure>
}

extension RelayStage where InputFailure == Failure {
    @inlinable
    func completion(for completion: Subscribers.Completion<InputFailure>) -> Subscribers.Completion<Failure> {
        completion
    }
}

/// The subscriber of a ``RelayStage``: it hands upstream's own subscription on and needs neither state nor lock.
@usableFromInline struct Relay<Stage: RelayStage, Downstream: Subscriber>: Subscriber
where Downstream.Input == Stage.Output, Downstream.Failure == Stage.Failure {
    @usableFromInline typealias Input = Stage.Input
    @usableFromInline typealias Failure = Stage.InputFailure

    @usableFromInline let stage: Stage
    @usableFromInline let downstream: Downstream

    @inlinable init(_ stage: Stage, _ downstream: Downstream) { (self.stage, self.downstream) = (stage, downstream) }

    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable func receive(_ input: Stage.Input) -> Subscribers.Demand {
        guard let output = stage.output(for: input) else { return .max(1) }
        return downstream.receive(output)
    }

    @inlinable func receive(completion: Subscribers.Completion<Stage.InputFailure>) {
        downstream.receive(completion: stage.completion(for: completion))
    }
}
