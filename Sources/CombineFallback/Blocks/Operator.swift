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
/// - it attaches a ``Relay`` with a stage of its own, if it can neither end the stream nor hold a value back;
/// - it calls ``conduct(_:as:pulling:atEnd:step:)`` with closures, if it can. What these remember is a variable of
///   ``serve(_:)``: each subscriber gets its own, and only upstream's calls touch it, which never overlap.
///
/// Closures must not capture the publisher: the subscription would keep upstream alive. So they name what they
/// capture, as in `{ [predicate] in … }`.
///
/// Within `Publishers`, `Output` alone is the publisher of that name: say `Upstream.Output`.
///
/// The operators of every request pipeline (`map`, `tryMap`, `filter`, `scan`, `decode` and the like) have stages made
/// for them, which the compiler specialises. A closure there would be one more allocation and one more call.
@usableFromInline protocol Operator<Upstream>: Publisher {
    associatedtype Upstream: Publisher

    var upstream: Upstream { get }
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

extension Operator {
    @usableFromInline typealias Downstream = AnySubscriber<Output, Failure>

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        serve(AnySubscriber(subscriber))
    }
}

extension FailureKeeping {
    /// Serves `downstream` by a ``Conduit`` that does what the closures say.
    ///
    /// `last` is the value, if there is one, that comes when upstream has finished. `step` says what becomes of a
    /// value; what it throws ends the stream.
    @inlinable func conduct(
        _ downstream: Downstream,
        as name: StaticString,
        pulling pull: Pull = .asDemanded,
        atEnd last: @escaping () -> Output? = { nil },
        step: @escaping (Upstream.Output) throws(Failure) -> Step<Output>
    ) {
        let stage = Steps<Upstream.Output, Upstream.Failure, Output, Failure>(pull: pull, step: step) { completion in
            switch completion {
            case .finished: Ending(last: last())
            case .failure(let error): .fail(Self.failure(for: error))
            }
        }
        upstream.attach(Conduit(stage, downstream, name: name))
    }
}
