/// What becomes of a value.
@usableFromInline enum Step<Output> {
    case pass(Output)
    case skip
    /// The value, as soon as there is demand for it, and then the end.
    case last(Output)
    case finish
}

/// What becomes of upstream's end.
@usableFromInline enum Ending<Output, Failure: Error> {
    case finish
    case fail(Failure)
    /// The value, as soon as there is demand for it, and then the end.
    case last(Output)

    @inlinable init(last: Output?) { self = last.map { .last($0) } ?? .finish }
}

/// How a stage pulls values.
@usableFromInline enum Pull {
    /// As many as downstream asks for.
    case asDemanded
    /// The same, and the demand is counted, because the stage may end with a value of its own.
    case counted
    /// So many for each value that downstream asks for. Demand is counted here too.
    case batches(of: Int)
    /// The same, and so many at once, for those that are skipped.
    case afterFirst(Int)
    /// All there are; only a last value is ever delivered.
    case everything

    // Switches rather than `==`, which the compiler would not see through from another module.

    @inlinable var countsDemand: Bool {
        switch self {
        case .asDemanded, .afterFirst: false
        case .counted, .batches, .everything: true
        }
    }
    @inlinable var isEverything: Bool { if case .everything = self { true } else { false } }

    /// What is asked of upstream before downstream asks for anything.
    @inlinable var first: Subscribers.Demand {
        switch self {
        case .everything: .unlimited
        case .afterFirst(let count): .max(count)
        case .asDemanded, .counted, .batches: .none
        }
    }

    /// What is asked of upstream for a value that was skipped.
    @inlinable var replacement: Subscribers.Demand {
        switch self {
        case .asDemanded, .counted: .max(1)
        case .batches, .afterFirst, .everything: .none
        }
    }

    /// What is asked of upstream when downstream asks for `demand`.
    @inlinable func upstreamDemand(for demand: Subscribers.Demand) -> Subscribers.Demand {
        if case .batches(let size) = self { demand * size } else { demand }
    }
}

/// What an operator does that can end the stream or hold a last value until there is demand for it.
@usableFromInline protocol Stage<Input, InputFailure, Output, Failure> {
    associatedtype Input
    associatedtype InputFailure: Error
    associatedtype Output
    associatedtype Failure: Error

    var pull: Pull { get }
    func step(for input: Input) throws(Failure) -> Step<Output>
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, Failure>
}

extension Stage {
    @inlinable var pull: Pull { .asDemanded }
}

extension Stage where Failure == any Error {
    @inlinable func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, any Error> {
        switch completion {
        case .finished: .finish
        case .failure(let error): .fail(error)
        }
    }
}

/// The stage of all operators that need not be as fast as can be: closures.
@usableFromInline struct Steps<Input, InputFailure: Error, Output, Failure: Error>: Stage {
    @usableFromInline typealias End = (Subscribers.Completion<InputFailure>) -> Ending<Output, Failure>

    @usableFromInline let pull: Pull
    @usableFromInline let step: (Input) throws(Failure) -> Step<Output>
    @usableFromInline let end: End

    @inlinable init(pull: Pull, step: @escaping (Input) throws(Failure) -> Step<Output>, end: @escaping End) {
        (self.pull, self.step, self.end) = (pull, step, end)
    }

    @inlinable func step(for input: Input) throws(Failure) -> Step<Output> { try step(input) }

    @inlinable
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, Failure> { end(completion) }
}
