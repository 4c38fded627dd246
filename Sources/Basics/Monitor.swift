/// State under a lock, and the tasks that wait for it to change.
package final class Monitor<State>: Sendable {
    private struct Content {
        var state: State
        var waiting: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var lastID: UInt64 = 0
    }

    private let content: Locked<Content>

    package init(_ state: sending State) { content = Locked(uncheckedState: Content(state: state)) }

    /// Runs `body` under the lock.
    package func read<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        try content.withLockUnchecked { try body(&$0.state) }
    }

    /// Runs `body` under the lock, and wakes all tasks that wait.
    @discardableResult
    package func change<Value: Sendable>(_ body: (inout State) throws -> Value) rethrows -> Value {
        let (value, waiting) = try content.withLockUnchecked { content in
            let value = try body(&content.state)
            defer { content.waiting = [:] }
            return (value, content.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
        return value
    }

    /// The first value that `body` returns under the lock, now or after a change.
    ///
    /// - Throws: The error of `body`, or `CancellationError` if the task is canceled.
    package func wait<Value: Sendable>(for body: (inout State) throws -> Value?) async throws -> Value {
        while true {
            if let value = try read(body) { return value }
            if let value = try await next(body).get() { return value }
            try Task.checkCancellation()
        }
    }

    /// The result of `body`, or nil after the next change.
    private func next<Value: Sendable>(_ body: (inout State) throws -> Value?) async -> Result<Value?, any Error> {
        var result = Result<Value?, any Error>.success(nil)
        let id = content.withLockUnchecked { content in
            content.lastID += 1
            return content.lastID
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let waits = content.withLockUnchecked { content in
                    result = Result { try body(&content.state) }
                    guard case .success(nil) = result, !Task.isCancelled else { return false }
                    content.waiting[id] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            content.withLockUnchecked { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        return result
    }
}
