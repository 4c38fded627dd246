import Basics

/// Runs one piece of work at a time, in the order in which it came.
final class Turns: Sendable {
    private let last = Locked<Task<Void, Never>?>(nil)

    /// Runs `work` after all earlier work has ended. Cancellation reaches it, or ends it before it has begun.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = last.withLock { last in
            let before = last
            let task = Task.onOneTime {
                await before?.value
                try Task.checkCancellation()
                return try await work()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.timedValue()
        } onCancel: {
            task.cancel()
        }
    }
}

/// A value, and the time at which it came.
private struct Timed<Value: Sendable>: Sendable {
    let result: Result<Value, any Error>
    let time: any CallClock
}

extension Task where Failure == any Error {
    /// A task whose time goes on from that of this one, under immediate clocks.
    fileprivate static func onOneTime<Value>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Timed<Value>, any Error> where Success == Timed<Value> {
        let begin = CallScope.reachedTime
        return Task {
            begin.handOn()
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            return Timed(result: result, time: CallScope.reachedTime)
        }
    }

    /// The value. The time of the running task goes on from that of the other.
    fileprivate func timedValue<Value>() async throws -> Value where Success == Timed<Value> {
        let timed = try await value
        timed.time.handOn()
        return try timed.result.get()
    }
}

/// Runs `work` to its end, also if the task is canceled: once a server has seen a token that it replaces, the new one
/// must not be lost.
func uncanceled<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task.onOneTime(work).timedValue()
}
