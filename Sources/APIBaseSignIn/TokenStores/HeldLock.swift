import Basics
import Dispatch

/// The lock of a file, which this process holds until it is released.
final class HeldLock: Sendable {
    private let path: String
    private let lock: Locked<FileLock?>

    init(_ lock: FileLock, for path: String) {
        (self.lock, self.path) = (Locked(lock), path)
    }

    /// Whether the lock is of this file, and still held. Tasks that were started under it may outlive it.
    func isHeld(for path: String) -> Bool { self.path == path && lock.withLock { $0 != nil } }

    func release() {
        let lock = lock.withLock { $0.take() }
        withExtendedLifetime(lock) {}
    }
}

/// A lock that a task waits for.
final class PendingLock: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        case ended(Result<HeldLock, any Error>)
        case taken
    }

    private let state = Locked(State.new)

    private init() {}

    /// Waits for the lock of a file on a thread of the queue.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    static func acquire(of file: TokenFile, on queue: DispatchQueue) async throws -> HeldLock {
        let pending = PendingLock()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.begin(continuation) else { return continuation.resume() }
                // After a cancel, the lock is released with its result.
                queue.async { pending.end(Result { HeldLock(try file.lock(), for: file.path) }) }
            }
        } onCancel: {
            pending.end(.failure(CancellationError()))
        }
        return try pending.take()
    }

    private func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    /// Keeps the first result, and continues the task.
    private func end(_ result: Result<HeldLock, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .new: state = .ended(result)
            case .waiting(let continuation):
                state = .ended(result)
                return continuation
            case .ended, .taken: break
            }
            return nil
        }
        continuation?.resume()
    }

    private func take() throws -> HeldLock {
        let last = state.withLock { state in
            defer { state = .taken }
            return state
        }
        guard case .ended(let result) = last else { throw CancellationError() }
        return try result.get()
    }
}
