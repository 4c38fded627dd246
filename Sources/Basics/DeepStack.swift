import Foundation

/// Runs code on a thread with a stack that is deep enough for values in many others.
package enum DeepStack {
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            let value = Result { try body() }
            result.withLock { $0 = value }
            isDone.signal()
        }
        thread.stackSize = 256 << 20
        thread.start()
        isDone.wait()
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }
}
