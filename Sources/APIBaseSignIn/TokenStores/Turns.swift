import Basics

/// Runs one piece of work at a time, in the order in which it came.
final class Turns: Sendable {
    private let last = Locked<Task<Void, Never>?>(nil)

    /// Runs `work` after all earlier work has ended. Cancellation reaches it, or ends it before it has begun.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = last.withLock { last in
            let before = last
            let task = Task {
                await before?.value
                try Task.checkCancellation()
                return try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Runs `work` to its end, also if the task is canceled: once a server has seen a token that it replaces, the new one
/// must not be lost.
func uncanceled<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task { try await work() }.value
}
