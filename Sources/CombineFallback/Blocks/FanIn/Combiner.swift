public import Basics

/// Combines values of several publishers, whenever each of them has one.
@usableFromInline final class Combiner<Output, Failure: Error> {
    @usableFromInline enum Rule {
        /// The latest of each, whenever one is new. A result without demand is dropped.
        case latest
        /// The oldest unused one of each. The stream ends when a publisher has ended and its values are used.
        case oldest
    }

    @usableFromInline let outlet: Outlet<Output, Failure>
    @usableFromInline let rule: Rule
    @usableFromInline var inputs: [AnyInput] = []
    /// The closures that subscribe to the publishers once all inlets exist.
    @usableFromInline var attachments: [() -> Void] = []
    @usableFromInline var result: () -> Output? = { nil }

    @inlinable init(_ rule: Rule, for downstream: AnySubscriber<Output, Failure>) {
        outlet = Outlet(downstream, name: rule == .latest ? "CombineLatest" : "Zip")
        self.rule = rule
    }

    /// Opens an inlet for one publisher. The result keeps its values.
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

    /// Subscribes to the publishers that `open` opens inlets for, and gives downstream its subscription. Their values
    /// are combined under the lock.
    @inlinable func start<each Value>(_ open: (Combiner) -> (repeat Values<each Value>))
    where Output == (repeat each Value) {
        let values = open(self)
        result = { try? (repeat (each values).next()) }
        // Combine's order, as far as it is known.
        let attachments = attachments
        self.attachments = []
        guard rule == .oldest else { return outlet.start(attaching: attachments) }
        for attach in attachments { attach() }
        outlet.start()
    }

    @inlinable func deliver(_ state: inout Outlet<Output, Failure>.State) {
        for input in inputs where input.isEmpty { return }
        var result = result()
        guard rule == .oldest else { return state.offer(&result) }
        state.enqueue(&result)
        for input in inputs where input.isEmpty && input.hasEnded { state.end(.finished) }
    }
}

/// The values of one publisher in a ``Combiner``, without their type. The outlet's lock protects them.
@usableFromInline class AnyInput {
    @usableFromInline var hasEnded = false
    @usableFromInline var isEmpty = true

    @inlinable init() {}
}

/// The values of one publisher in a ``Combiner``.
@usableFromInline final class Values<Value>: AnyInput {
    @usableFromInline struct Missing: Error {
        @inlinable init() {}
    }

    @usableFromInline let keepsLatest: Bool
    @usableFromInline var first: Value?
    @usableFromInline var later = Queue<Value>()

    @inlinable init(keepsLatest: Bool) { self.keepsLatest = keepsLatest }

    /// Keeps a value, and returns the one that it replaces.
    @inlinable func put(_ value: inout Value?) {
        if keepsLatest || isEmpty {
            swap(&first, &value)
        } else if let value = value.take() {
            later.append(value)
        }
        isEmpty = false
    }

    /// The next value to combine.
    @inlinable func next() throws(Missing) -> Value {
        guard let value = first else { throw Missing() }
        if keepsLatest { return value }
        first = later.popFirst()
        isEmpty = first == nil
        return value
    }
}

/// A publisher that combines values of several publishers with the same failure type.
@usableFromInline protocol Joining: ErasedPublisher where Failure == A.Failure {
    associatedtype A: Publisher
}
