/// A publisher with one upstream.
///
/// An operator is a structure with Apple's name, stored properties and initializer. The protocols below define what it
/// publishes:
///
/// - ``ValuePassing``: upstream's values. Without it, the operator has a parameter or a type alias `Output`.
/// - ``FailurePassing``: upstream's failure. ``Throwing``: upstream's failure, or what a closure throws.
///
/// `Output`, `Failure` and `receive(subscriber:)` follow from these. ``receive(erased:)`` does the work:
///
/// - with ``relay(to:output:)``, if the operator can neither end the stream nor keep a value;
/// - with ``stage(for:as:pulling:atEnd:step:)``, if it can.
///
/// The state of its closures is in variables of ``receive(erased:)``. So each subscriber has its own state, which only
/// upstream's calls touch, and those never overlap.
///
/// Closures must not capture the publisher, or the subscription would keep upstream alive. So they list what they
/// capture, as in `{ [predicate] in … }`.
///
/// In `Publishers`, `Output` is the publisher of that name: write `Upstream.Output`.
@usableFromInline protocol Operator<Upstream>: ErasedPublisher {
    associatedtype Upstream: Publisher

    var upstream: Upstream { get }
}

/// A publisher that is compiled for one type of subscriber, `AnySubscriber`.
@usableFromInline protocol ErasedPublisher: Publisher {
    /// Attaches `downstream`.
    func receive(erased downstream: AnySubscriber<Output, Failure>)
}

/// An operator that publishes upstream's values.
@usableFromInline protocol ValuePassing: Operator where Output == Upstream.Output {}

/// An operator whose failures include upstream's.
@usableFromInline protocol FailureKeeping: Operator {
    static func failure(for failure: Upstream.Failure) -> Failure
}

/// An operator that fails as upstream does.
@usableFromInline protocol FailurePassing: FailureKeeping where Failure == Upstream.Failure {}

/// An operator that fails as upstream does, or with what a closure throws.
@usableFromInline protocol Throwing: FailureKeeping where Failure == any Error {}

extension FailurePassing {
    @inlinable static func failure(for failure: Upstream.Failure) -> Failure { failure }
}

extension Throwing {
    @inlinable static func failure(for failure: Upstream.Failure) -> any Error { failure }
}

extension ErasedPublisher {
    @usableFromInline typealias Downstream = AnySubscriber<Output, Failure>

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(erased: AnySubscriber(subscriber))
    }
}

extension FailureKeeping {
    /// Publishes each value as `output` transforms it; nil skips the value.
    @inlinable func relay(to downstream: Downstream, output: @escaping (Upstream.Output) -> Output?) {
        upstream.attach(Relay(to: downstream, output: output) { $0.mapError(Self.failure(for:)) })
    }

    /// Attaches a ``StageSubscriber`` to upstream.
    ///
    /// `step` decides what happens to a value; an error it throws ends the stream. `last` returns the value, if there
    /// is one, that is published when upstream has finished.
    @inlinable func stage(
        for downstream: Downstream,
        as name: StaticString,
        pulling pull: Pull = .asDemanded,
        atEnd last: @escaping () -> Output? = { nil },
        step: @escaping (Upstream.Output) throws(Failure) -> Step<Output>
    ) {
        let stage = Stage<Upstream.Output, Upstream.Failure, Output, Failure>(pull, step: step) {
            completion throws(Failure) in
            if case .failure(let error) = completion { throw Self.failure(for: error) }
            return last()
        }
        upstream.attach(StageSubscriber(stage, downstream, name: name))
    }
}

/// The subscriber of operators that can neither end the stream nor keep a value.
///
/// It passes upstream's subscription to downstream, and has neither state nor lock.
@usableFromInline struct Relay<Input, Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    /// Transforms a value; nil skips it.
    @usableFromInline let output: (Input) -> Downstream.Input?
    @usableFromInline let completion: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

    @inlinable init(
        to downstream: Downstream,
        output: @escaping (Input) -> Downstream.Input?,
        completion: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
    ) {
        (self.downstream, self.output, self.completion) = (downstream, output, completion)
    }

    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        guard let output = output(input) else { return .max(1) }
        return downstream.receive(output)
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: self.completion(completion))
    }
}
