import Basics
import Dispatch

/// Replies in the files of a folder, which processes may share.
///
/// Whoever reads finds what was stored last or what was stored before, never a part, also when a process was killed while
/// it wrote. The folder is made with the first reply, for its owner alone, and so are the files. Symbolic links in it are
/// not followed.
///
/// On a machine with other users the folder may be anywhere, also in one that all may write: what is in it is in a folder
/// `v2`, which has to belong to this user, and so has everything in that, and nobody else may write it. A folder for which
/// that is not so is refused with a ``FileObstacle``; a file is not read, and is replaced by the next reply.
///
/// What goes wrong with files is thrown as the system's error, a `POSIXError`: `ENOSPC` if the disk is full, `EACCES` and
/// `EROFS` if the folder may not be written, `ENOTDIR` if it is a file. `EINVAL` is a key that is not made of digests.
public final class FolderStorage: ResponseStorage {
    /// The folder that holds the files.
    public let folder: URL

    /// The number of bytes that they may take, in blocks of 4,096.
    public let bytes: Int

    private let files: ReplyFiles
    private let cleaning: Locked<CleaningSchedule>

    /// The queue for work on files, which blocks: the threads of tasks must not.
    private let queue = DispatchQueue(label: "APIBaseKit.FolderStorage", attributes: .concurrent)

    /// Creates a storage. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - folder: Where the files are to be; nothing else should be in it. It need not exist.
    ///   - bytes: How many bytes they may take. From time to time those that were not used for longest are removed, until
    ///     nine tenths of it are taken: each process may write a sixteenth more before it looks.
    public init(_ folder: URL, bytes: Int = 64 << 20) {
        self.folder = folder
        self.bytes = max(0, bytes)
        files = ReplyFiles(path: folder.absoluteURL.path)
        cleaning = Locked(CleaningSchedule(interval: max(1, bytes / 16)))
    }

    /// The bytes that were stored last; nil if there are none.
    public func data(for key: ResponseKey) async throws -> Data? {
        try await perform { try $0.files.data(for: key, atMost: $0.bytes) }
    }

    /// Stores bytes in place of what was there. Those that take more than a quarter of the limit are not kept.
    public func store(_ data: Data, for key: ResponseKey) async throws {
        let space = ReplyFiles.space(data.count)
        try await perform(writing: space) { storage in
            guard space <= storage.bytes / 4 else { return try storage.files.remove(key) }
            try storage.files.store(data, for: key)
        }
    }

    /// Removes what is stored for a URL, whoever it was for.
    public func removeAll(for url: ResponseKey.URLDigest) async throws {
        try await perform { try $0.files.removeAll(for: url) }
    }

    /// Removes everything.
    public func removeAll() async throws {
        try await perform { try $0.files.removeAll() }
    }

    /// Waits until all that was begun has been done.
    func settle() async {
        await withCheckedContinuation { continuation in
            queue.async(flags: .barrier) { continuation.resume() }
        }
    }

    /// Works on files, and then cleans if it is time to, which nobody waits for.
    private func perform<Value: Sendable>(
        writing count: Int = 0,
        _ work: @escaping @Sendable (FolderStorage) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try work(self) })
                guard cleaning.withLock({ $0.begin(writing: count) }) else { return }
                // What can't be cleaned now may be the next time.
                try? files.clean(limit: bytes)
                cleaning.withLock { $0.end() }
            }
        }
    }
}
