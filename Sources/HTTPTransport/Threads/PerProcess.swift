import Basics

/// One object for each process. A forked process makes its own: it has none of the threads, and locks may be held for
/// good.
struct PerProcess<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let first: Value
    private let forked = Locked<[UInt32: Value]>([:])

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
        first = make()
    }

    var value: Value {
        let forkCount = BackgroundThread.forkCount
        guard forkCount > 0 else { return first }
        return forked.withLock { values in
            let value = values[forkCount] ?? make()
            values[forkCount] = value
            return value
        }
    }
}
