import Basics

/// A value for the network and a separate one for each scope of stubs, so that tests do not see each other's state.
package final class PerScope<Value: Sendable>: Sendable {
    private struct Entry {
        weak var owner: AnyObject?
        let value: Value
    }

    private struct State {
        var network: Value?
        var scopes: [ObjectIdentifier: Entry] = [:]
    }

    private let make: @Sendable () -> Value
    private let state = Locked(State())

    package init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value of a scope, made at its first use. The scope is `nil` for the network.
    package func value(for scope: AnyObject?) -> Value {
        guard let scope else {
            return state.withLock { state in
                let value = state.network ?? make()
                state.network = value
                return value
            }
        }
        let (value, forgotten) = state.withLockUnchecked { state in
            let key = ObjectIdentifier(scope)
            if let entry = state.scopes[key], entry.owner === scope { return (entry.value, [Entry]()) }
            let forgotten = state.scopes.values.filter { $0.owner == nil }
            state.scopes = state.scopes.filter { $0.value.owner != nil }
            let value = make()
            state.scopes[key] = Entry(owner: scope, value: value)
            return (value, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return value
    }
}
