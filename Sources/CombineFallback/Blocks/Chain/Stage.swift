/// The outcome of a stage for one value. An error that is thrown in its place ends the stream.
@usableFromInline enum Step<Output> {
    case pass(Output)
    case skip
    /// The value, as soon as there is demand for it, and then the end.
    case last(Output)
    case finish
}

/// The demand of a stage on upstream.
@usableFromInline struct Pull {
    /// The demand on upstream before downstream asks for any value.
    @usableFromInline let first: Subscribers.Demand
    /// The number of values asked for when downstream asks for one; none if `first` is everything.
    @usableFromInline let perValue: Int
    /// The demand on upstream in place of a value that was skipped.
    @usableFromInline let replacement: Subscribers.Demand
    /// Whether demand is counted, because the stage may end with a value of its own.
    @usableFromInline let countsDemand: Bool

    @inlinable init(first: Subscribers.Demand, perValue: Int, replacement: Subscribers.Demand, countsDemand: Bool) {
        (self.first, self.perValue, self.replacement, self.countsDemand) = (first, perValue, replacement, countsDemand)
    }

    /// As many values as downstream asks for.
    @inlinable static var asDemanded: Pull {
        Pull(first: .none, perValue: 1, replacement: .max(1), countsDemand: false)
    }
    /// The same, and the demand is counted.
    @inlinable static var counted: Pull { Pull(first: .none, perValue: 1, replacement: .max(1), countsDemand: true) }
    /// All there are; only a last value is ever delivered.
    @inlinable static var everything: Pull {
        Pull(first: .unlimited, perValue: 0, replacement: .none, countsDemand: true)
    }

    /// So many values for each that downstream asks for.
    @inlinable static func batches(of size: Int) -> Pull {
        Pull(first: .none, perValue: size, replacement: .none, countsDemand: true)
    }

    /// As many values as downstream asks for, and at once those that will be skipped.
    @inlinable static func afterFirst(_ count: Int) -> Pull {
        Pull(first: .max(count), perValue: 1, replacement: .none, countsDemand: false)
    }
}

/// The behavior of an operator that can end the stream or hold a last value until there is demand for it.
///
/// A class, because the subscriber takes it out of its lock for each value.
@usableFromInline final class Stage<Input, InputFailure: Error, Output, Failure: Error> {
    @usableFromInline let pull: Pull
    @usableFromInline let step: (Input) throws(Failure) -> Step<Output>
    /// The value that comes before the end, if there is one. Throws the failure that is the end.
    @usableFromInline let last: (Subscribers.Completion<InputFailure>) throws(Failure) -> Output?

    @inlinable init(
        _ pull: Pull,
        step: @escaping (Input) throws(Failure) -> Step<Output>,
        last: @escaping (Subscribers.Completion<InputFailure>) throws(Failure) -> Output?
    ) {
        (self.pull, self.step, self.last) = (pull, step, last)
    }
}
