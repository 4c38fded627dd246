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
        case waiting(CheckedContinuation<HeldLock, any Error>)
        case ended
    }

    private let state = Locked<State?>(nil)

    private init() {}

    /// Waits for the lock of a file on a thread of the queue.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    static func acquire(of file: TokenFile, on queue: DispatchQueue) async throws -> HeldLock {
        let pending = PendingLock()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard pending.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
                queue.async {
                    let result = Result { HeldLock(try file.lock(), for: file.path) }
                    // After a cancel, the lock is released with the result.
                    pending.end()?.resume(with: result)
                }
            }
        } onCancel: {
            pending.end()?.resume(throwing: CancellationError())
        }
    }

    private func begin(_ continuation: CheckedContinuation<HeldLock, any Error>) -> Bool {
        state.withLock { state in
            guard state == nil else { return false }
            state = .waiting(continuation)
            return true
        }
    }

    private func end() -> CheckedContinuation<HeldLock, any Error>? {
        state.withLock { state in
            defer { state = .ended }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
    }
}
