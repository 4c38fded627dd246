public import Basics

/// Puts one result together of the values of several publishers, whenever each of them has one to give.
@usableFromInline final class Junction<Output, Failure: Error> {
    @usableFromInline enum Rule {
        /// The latest of each, whenever there is a new one. A result for which there is no demand is lost.
        case latest
        /// The oldest of each that has not been used. It is over when a publisher is, and its values have been used.
        case oldest
    }

    @usableFromInline let outlet: Outlet<Output, Failure>
    @usableFromInline let rule: Rule
    @usableFromInline var inputs: [AnyInput] = []
    /// The closures that subscribe to the publishers, once all inlets are there.
    @usableFromInline var attachments: [() -> Void] = []
    @usableFromInline var result: () -> Output? = { nil }

    @inlinable init(_ rule: Rule, for downstream: AnySubscriber<Output, Failure>) {
        outlet = Outlet(downstream, name: rule == .latest ? "CombineLatest" : "Zip")
        self.rule = rule
    }

    /// The values of one publisher, which it is asked for as downstream asks for results.
    @inlinable func values<P: Publisher>(of publisher: P) -> Values<P.Output> where P.Failure == Failure {
        let values = Values<P.Output>(keepsLatest: rule == .latest)
        let inlet = Inlet<P.Output, Failure, Output, Failure>(
            outlet,
            .asDemanded,
            take: { state, value, _ in
                values.put(&value)
                self.deliver(&state)
                return nil
            },
            end: { state, completion in
                values.hasEnded = true
                state.settle(completion)
                if self.rule == .oldest, values.isEmpty { state.end(.finished) }
                return nil
            }
        )
        inputs.append(values)
        attachments.append { inlet.attach(to: publisher) }
        return values
    }

    /// Subscribes to all publishers, and gives downstream its subscription. Results are made of `values`, under the lock.
    @inlinable func begin<each Value>(_ values: repeat Values<each Value>) where Output == (repeat each Value) {
        result = { try? (repeat (each values).next()) }
        // The order in which Combine does it, as far as that is known.
        let attachments = attachments
        self.attachments = []
        guard rule == .oldest else { return outlet.begin(attaching: attachments) }
        for attach in attachments { attach() }
        outlet.begin()
    }

    @inlinable func deliver(_ state: inout Outlet<Output, Failure>.State) {
        for input in inputs where input.isEmpty { return }
        var result = result()
        guard rule == .oldest else { return state.offer(&result) }
        state.enqueue(&result)
        for input in inputs where input.isEmpty && input.hasEnded { state.end(.finished) }
    }
}

/// The values of one publisher that a ``Junction`` keeps, without their type. The outlet's lock guards them.
@usableFromInline class AnyInput {
    @usableFromInline var hasEnded = false
    @usableFromInline var isEmpty = true

    @inlinable init() {}
}

/// The same, with the type of the values.
@usableFromInline final class Values<Value>: AnyInput {
    @usableFromInline struct Missing: Error {
        @inlinable init() {}
    }

    @usableFromInline let keepsLatest: Bool
    @usableFromInline var first: Value?
    @usableFromInline var later = Queue<Value>()

    @inlinable init(keepsLatest: Bool) { self.keepsLatest = keepsLatest }

    /// Keeps a value; the one whose place it takes comes back.
    @inlinable func put(_ value: inout Value?) {
        if keepsLatest || isEmpty {
            swap(&first, &value)
        } else if let value = value.take() {
            later.append(value)
        }
        isEmpty = false
    }

    /// The value whose turn it is.
    @inlinable func next() throws(Missing) -> Value {
        guard let value = first else { throw Missing() }
        if keepsLatest { return value }
        first = later.popFirst()
        isEmpty = first == nil
        return value
    }
}

/// A publisher of results that are put together of the values of several publishers, which fail alike.
@usableFromInline protocol Joining: Serving where Failure == A.Failure {
    associatedtype A: Publisher
}
