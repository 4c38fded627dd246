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
    @usableFromInline var shelves: [Shelf] = []
    /// What subscribes to the publishers, once all ports are there.
    @usableFromInline var attachments: [() -> Void] = []
    @usableFromInline var make: () -> Output? = { nil }

    @inlinable init<S: Subscriber>(_ rule: Rule, for downstream: S) where S.Input == Output, S.Failure == Failure {
        outlet = Outlet(downstream, name: rule == .latest ? "CombineLatest" : "Zip")
        self.rule = rule
    }

    /// The values of one publisher, which it is asked for as downstream asks for results.
    @inlinable func values<P: Publisher>(of publisher: P) -> Store<P.Output> where P.Failure == Failure {
        let store = Store<P.Output>(keepsLatest: rule == .latest)
        let port = Port<P.Output, Failure, Output, Failure>(
            outlet,
            .asDemanded,
            take: { state, value, _ in
                store.put(&value)
                self.deliver(&state)
                return nil
            },
            end: { state, completion in
                store.hasEnded = true
                state.settle(completion)
                if self.rule == .oldest, store.isEmpty { state.end(.finished) }
                return nil
            }
        )
        shelves.append(store)
        attachments.append { port.attach(to: publisher) }
        return store
    }

    /// Subscribes to all publishers, and gives downstream its subscription. `make` runs under the lock, when each has a value.
    @inlinable func begin(_ make: @escaping () -> Output?) {
        self.make = make
        // The order in which Combine does it, as far as that is known.
        let attachments = attachments
        self.attachments = []
        guard rule == .oldest else { return outlet.begin(attaching: attachments) }
        for attach in attachments { attach() }
        outlet.begin()
    }

    @inlinable func deliver(_ state: inout Outlet<Output, Failure>.State) {
        for shelf in shelves where shelf.isEmpty { return }
        var result = make()
        guard rule == .oldest else { return state.offer(&result) }
        state.enqueue(&result)
        for shelf in shelves where shelf.isEmpty && shelf.hasEnded { state.end(.finished) }
    }
}

/// What a ``Junction`` keeps of one publisher's values. The outlet's lock guards it.
@usableFromInline class Shelf {
    @usableFromInline var hasEnded = false
    @usableFromInline var isEmpty = true

    @inlinable init() {}
}

/// A shelf that knows the type of the values.
@usableFromInline final class Store<Value>: Shelf {
    @usableFromInline let keepsLatest: Bool
    @usableFromInline var latest: Value?
    @usableFromInline var older = Queue<Value>()

    @inlinable init(keepsLatest: Bool) { self.keepsLatest = keepsLatest }

    /// Keeps a value; the one whose place it takes comes back.
    @inlinable func put(_ value: inout Value?) {
        if keepsLatest || isEmpty {
            swap(&latest, &value)
        } else if let value = value.take() {
            older.append(value)
        }
        isEmpty = false
    }

    /// The value whose turn it is.
    @inlinable func next() -> Value? {
        if keepsLatest { return latest }
        let value = latest.take()
        latest = older.popFirst()
        isEmpty = latest == nil
        return value
    }
}
