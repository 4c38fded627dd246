/// A publisher made from one other: what all operators with one upstream share.
///
/// An operator is a structure with Apple's name, stored properties and initialiser, which says in ``serve(_:)`` what it
/// does, and by the protocols below what it publishes:
///
/// - ``ValuePassing``: upstream's values (otherwise it has a parameter or a type alias `Output`);
/// - ``FailurePassing``: upstream's failure; ``Throwing``: that, or what its closure throws.
///
/// `Output`, `Failure` and `receive(subscriber:)` follow from these. What it does is one of two:
///
/// - it calls ``relay(to:output:)``, if it can neither end the stream nor hold a value back;
/// - it calls ``stage(for:as:pulling:atEnd:step:)``, if it can.
///
/// What the closures remember is a variable of ``serve(_:)``: each subscriber gets its own, and only upstream's calls
/// touch it, which never overlap.
///
/// Closures must not capture the publisher: the subscription would keep upstream alive. So they name what they
/// capture, as in `{ [predicate] in … }`.
///
/// Within `Publishers`, `Output` alone is the publisher of that name: say `Upstream.Output`.
@usableFromInline protocol Operator<Upstream>: Serving {
    associatedtype Upstream: Publisher

    var upstream: Upstream { get }
}

/// A publisher that is compiled for one type of subscriber, whoever subscribes.
@usableFromInline protocol Serving: Publisher {
    /// Attaches to upstream what does the work for `downstream`.
    func serve(_ downstream: AnySubscriber<Output, Failure>)
}

/// Its values are upstream's.
@usableFromInline protocol ValuePassing: Operator where Output == Upstream.Output {}

/// Upstream's failures are among its own.
@usableFromInline protocol FailureKeeping: Operator {
    static func failure(for failure: Upstream.Failure) -> Failure
}

/// Its failure is upstream's.
@usableFromInline protocol FailurePassing: FailureKeeping where Failure == Upstream.Failure {}

/// Its failure is upstream's, or what a closure throws.
@usableFromInline protocol Throwing: FailureKeeping where Failure == any Error {}

extension FailurePassing {
    @inlinable static func failure(for failure: Upstream.Failure) -> Failure { failure }
}

extension Throwing {
    @inlinable static func failure(for failure: Upstream.Failure) -> any Error { failure }
}

extension Serving {
    @usableFromInline typealias Downstream = AnySubscriber<Output, Failure>

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        serve(AnySubscriber(subscriber))
    }
}

extension FailureKeeping {
    /// Passes on what `output` makes of each value; nil is skipped.
    @inlinable func relay(to downstream: Downstream, output: @escaping (Upstream.Output) -> Output?) {
        upstream.attach(Relay(to: downstream, output: output) { $0.mapError(Self.failure(for:)) })
    }

    /// Serves `downstream` by a ``StageSubscriber``.
    ///
    /// `last` is the value, if there is one, that comes when upstream has finished. `step` says what becomes of a
    /// value; what it throws ends the stream.
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
