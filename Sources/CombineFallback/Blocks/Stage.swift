/// What becomes of a value.
@usableFromInline
enum Step<Output, Failure: Error> {
    case pass(Output)
    case skip
    /// The value, as soon as there is demand for it, and then the end.
    case last(Output)
    case finish
    case fail(Failure)
}

/// What becomes of upstream's end.
@usableFromInline
enum Ending<Output, Failure: Error> {
    case finish
    case fail(Failure)
    /// The value, as soon as there is demand for it, and then the end.
    case last(Output)

    @inlinable
    init(_ completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: self = .finish
        case .failure(let error): self = .fail(error)
        }
    }
}

/// How a stage pulls values.
@usableFromInline
enum Pull {
    /// As many as downstream asks for.
    case asDemanded
    /// The same, and the demand is counted, because the stage may end with a value of its own.
    case counted
    /// All there are; only a last value is ever delivered.
    case everything
}

/// What an operator does that can end the stream or hold a last value until there is demand for it.
///
/// A stage is not changed by its calls. What it must remember lives in a ``Cell``.
@usableFromInline
protocol Stage<Input, InputFailure, Output, Failure> {
    associatedtype Input
    associatedtype InputFailure: Error
    associatedtype Output
    associatedtype Failure: Error

    /// The operator's name, as `print()` shows it.
    static var name: String { get }
    static var pull: Pull { get }
    func step(for input: Input) -> Step<Output, Failure>
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, Failure>
}

extension Stage {
    @inlinable static var pull: Pull { .asDemanded }
}

extension Stage where InputFailure == Failure {
    @inlinable
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, Failure> { Ending(completion) }
}

extension Stage where Failure == any Error {
    @inlinable
    func ending(for completion: Subscribers.Completion<InputFailure>) -> Ending<Output, any Error> {
        Ending(completion.mapError { $0 })
    }
}

extension Stage where InputFailure == Failure, Failure == any Error {
    @inlinable
    func ending(for completion: Subscribers.Completion<any Error>) -> Ending<Output, any Error> { Ending(completion) }
}
