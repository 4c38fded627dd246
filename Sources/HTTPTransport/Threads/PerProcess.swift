import Basics

/// An object of which each process has one. A forked process makes its own: threads are gone there, and what they held may be
/// locked.
struct PerProcess<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let first: Value
    private let forked = Locked<[UInt32: Value]>([:])

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
        first = make()
    }

    /// The one of this process.
    var value: Value {
        let generation = BackgroundThread.generation
        guard generation > 0 else { return first }
        return forked.withLock { values in
            let value = values[generation] ?? make()
            values[generation] = value
            return value
        }
    }
}
