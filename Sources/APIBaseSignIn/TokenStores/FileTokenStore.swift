import Basics
import Dispatch

/// A token in a file, which processes share.
///
/// The file has mode 0600. A new token is written to another file, which is synchronized with the disk and then takes
/// the place of the old one, so a reader finds the old token or the new one, even if a process is killed. A file beside
/// it, with `.lock` after its name, is locked during a refresh: one process refreshes, and the others use its token. The
/// lock ends with its process.
///
/// The file is not encrypted. Its folder is made with the first token, with mode 0700. Folder and files must belong to
/// this user, and must not be writable by others; otherwise, or if one of the files is a symbolic link, it is refused
/// with a ``FileObstacle``. Errors of the file system are thrown as `POSIXError`.
///
/// If a server has replaced a refresh token, and the process is killed before the new one is stored, the new one is
/// lost. Servers that accept the former one for a short time allow for that.
public final class FileTokenStore: TokenStore {
    /// The file.
    public let file: URL

    private let tokens: TokenFile

    /// The lock that the running code holds.
    @TaskLocal private static var held: HeldLock?

    /// The queues for work on the file and for waits for its lock. They block, as the threads of tasks must not; serial
    /// ones get a thread at once, and waits take no more than one.
    private let queue = DispatchQueue(label: "APIBaseKit.FileTokenStore")
    private let lockQueue = DispatchQueue(label: "APIBaseKit.FileTokenStore.lock")

    /// Creates a store. Nothing is read or written yet.
    ///
    /// - Parameter file: The file for the token of one user.
    public init(at file: URL) {
        self.file = file
        tokens = TokenFile(path: file.absoluteURL.path)
    }

    /// The token in the file; `nil` without a file.
    ///
    /// - Throws: ``FileObstacle`` if others may have written the file, or it holds no token; `POSIXError`.
    public func load() async throws -> StoredToken? {
        try await perform { try $0.load() }
    }

    /// Stores a token if the present one is still `old`.
    ///
    /// - Throws: `CancellationError` if the file has been removed meanwhile; ``FileObstacle``; `POSIXError`.
    public func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
        try await exclusively {
            try await perform { file in
                let kept = try new.winner(over: old, where: file.load())
                if kept == new { try file.store(kept) }
                return kept
            }
        }
    }

    /// Runs `body` while this process has the lock of the file. The wait for it ends if the task is canceled.
    public func exclusively<R>(_ body: () async throws -> R) async throws -> R {
        if let held = Self.held, held.isHeld(for: tokens.path) { return try await body() }
        let lock = try await PendingLock.acquire(of: tokens, on: lockQueue)
        defer { lock.release() }
        return try await Self.$held.withValue(lock, operation: body)
    }

    /// Removes the file.
    public func removeAll() async throws {
        try await exclusively { try await perform { try $0.remove() } }
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (TokenFile) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [tokens] in continuation.resume(with: Result { try work(tokens) }) }
        }
    }
}
