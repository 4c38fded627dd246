import Basics
import Dispatch

/// Responses in the files of a folder, which processes may share.
///
/// Reading finds the bytes that were stored last, or those stored before, never a part, even when a process was killed
/// while it wrote. The folder is made with the first response. Only its owner may read or write the folder and its
/// files. Symbolic links in it are not followed.
///
/// On a machine with other users the folder may be anywhere, also in one that all users may write. Its contents are in
/// a folder `v2`, which must belong to this user, with everything in it, and must not be writable by others. If that is
/// not so, a folder is refused with a ``FileObstacle``, and a file is ignored and replaced by the next response.
///
/// Errors of the file system are thrown as `POSIXError`: `ENOSPC` if the disk is full, `EACCES` and `EROFS` if the
/// folder may not be written, `ENOTDIR` if it is a file. `EINVAL` is a key that is not made of digests.
public final class FolderStorage: ResponseStorage {
    /// The folder that holds the files.
    public let folder: URL

    /// The limit of the files' size in bytes, in blocks of 4,096.
    public let bytes: Int

    private let files: ResponseFiles
    private let cleaning: Locked<CleaningSchedule>

    /// The queue for work on files. It blocks, which the threads of tasks must not.
    private let queue = DispatchQueue(label: "APIBaseKit.FolderStorage", attributes: .concurrent)

    /// Creates a storage. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - folder: The folder for the files. It should contain nothing else, and need not exist.
    ///   - bytes: The limit of their size in bytes. From time to time the least recently used files are removed, until
    ///     they take nine tenths of the limit. Each process may write a sixteenth of the limit in between.
    public init(_ folder: URL, bytes: Int = 64 << 20) {
        self.folder = folder
        self.bytes = max(0, bytes)
        files = ResponseFiles(path: folder.absoluteURL.path)
        cleaning = Locked(CleaningSchedule(interval: max(1, bytes / 16)))
    }

    /// The bytes that were stored last; nil if nothing is stored.
    public func data(for key: ResponseKey) async throws -> Data? {
        try await perform { try $0.files.data(for: key, atMost: $0.bytes) }
    }

    /// Stores bytes, in place of those that were stored before. More than a quarter of the limit is not kept.
    public func store(_ data: Data, for key: ResponseKey) async throws {
        let space = ResponseFiles.space(data.count)
        try await perform(writing: space) { storage in
            guard space <= storage.bytes / 4 else { return try storage.files.remove(key) }
            try storage.files.store(data, for: key)
        }
    }

    /// Removes what is stored for a URL, for all users.
    public func removeAll(for url: ResponseKey.URLDigest) async throws {
        try await perform { try $0.files.removeAll(for: url) }
    }

    /// Removes everything.
    public func removeAll() async throws {
        try await perform { try $0.files.removeAll() }
    }

    /// Waits until all work that has begun is done.
    func flush() async {
        await withCheckedContinuation { continuation in
            queue.async(flags: .barrier) { continuation.resume() }
        }
    }

    /// Performs work on files, and then cleans the folder if that is due. The caller does not wait for the cleaning.
    private func perform<Value: Sendable>(
        writing count: Int = 0,
        _ work: @escaping @Sendable (FolderStorage) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Result { try work(self) })
                guard cleaning.withLock({ $0.begin(writing: count) }) else { return }
                // After an error the next cleaning tries again.
                try? files.clean(limit: bytes)
                cleaning.withLock { $0.end() }
            }
        }
    }
}

/// The schedule for cleaning a folder: at its first use, and then each time that a number of bytes has been written.
private struct CleaningSchedule {
    private let interval: Int
    private var written = 0
    private var isFirst = true
    private var isRunning = false

    init(interval: Int) { self.interval = interval }

    /// Counts written bytes, and returns whether to clean now.
    mutating func begin(writing count: Int) -> Bool {
        written += count
        guard !isRunning, isFirst || written >= interval else { return false }
        (written, isFirst, isRunning) = (0, false, true)
        return true
    }

    mutating func end() { isRunning = false }
}
