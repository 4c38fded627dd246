import Foundation

/// A file that is open for reading and appending, and locked against other downloads. All errors are those of the
/// system.
final class LockedFile: Sendable {
    private let descriptor: FileDescriptor

    private init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Unlocks explicitly: a process that is starting has a copy of the descriptor for a moment, which keeps the lock.
    deinit { flock(descriptor.number, LOCK_UN) }

    /// Opens the file at a path, or makes it.
    ///
    /// - Throws: `EWOULDBLOCK` if it is locked; ``FileObstacle`` if it is not a regular file, or others may have
    ///   written it.
    static func open(_ path: String) throws -> LockedFile {
        for _ in 0..<100 {
            guard let file = try new(path) ?? existing(path) else { continue }
            _ = try FileDescriptor.check { flock(file.descriptor.number, LOCK_EX | LOCK_NB) }
            // Another download may have moved the file meanwhile.
            if file.isAt(path) { return file }
        }
        throw POSIXError(.EWOULDBLOCK)
    }

    /// A new file; nil if the path is taken. Its owner and mode are not checked, since it has no contents yet.
    private static func new(_ path: String) throws -> LockedFile? {
        do {
            let flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL
            return LockedFile(try FileDescriptor(path: path, flags, mode: 0o644))
        } catch POSIXError.EEXIST {
            return nil
        }
    }

    /// The existing file; nil if it has been removed meanwhile.
    private static func existing(_ path: String) throws -> LockedFile? {
        do {
            let file = LockedFile(try FileDescriptor(path: path, O_RDWR | O_APPEND))
            if let obstacle = FileObstacle(of: try file.descriptor.status(), at: path) { throw obstacle }
            return file
        } catch POSIXError.ENOENT {
            return nil
        } catch let error as POSIXError {
            if let status = FileStatus(at: path), let obstacle = FileObstacle(of: status, at: path) { throw obstacle }
            throw error
        }
    }

    /// True if the file is the one at this path.
    func isAt(_ path: String) -> Bool {
        guard let own = try? descriptor.status(), let other = FileStatus(at: path) else { return false }
        return own.isSameFile(as: other)
    }

    var count: Int64 { get throws { Int64(try descriptor.status().size) } }

    /// True if another process may resume it.
    var isTrusted: Bool { (try? descriptor.status().distrust == nil) ?? false }

    var identity: FileIdentity { get throws { FileIdentity(number: try descriptor.status().number) } }

    /// Removes the bytes after the first ones.
    func truncate(to length: Int64) throws {
        // ext4 flushes a file that was ever truncated to zero before it is closed.
        guard try count > length else { return }
        _ = try FileDescriptor.check { ftruncate(descriptor.number, off_t(length)) }
    }

    func write(_ data: Data) throws { try descriptor.write(data) }

    /// Reads bytes at an offset.
    ///
    /// - Returns: The number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try FileDescriptor.check { pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
}

/// The identity of a file in its folder: the inode number. The device is omitted, since on some file systems its number
/// changes with each mount.
struct FileIdentity: Codable, Equatable {
    var number: UInt64
}

extension FileObstacle {
    /// The reason why a download must not resume a file, or nil.
    fileprivate init?(of status: FileStatus, at path: String) {
        if let kind = status.obstacle {
            self.init(kind, at: path)
        } else if let distrust = status.distrust {
            self.init(distrust, at: path)
        } else if status.linkCount > 1 {
            // Writing would change the file under its other names too.
            self.init(.severalNames, at: path)
        } else {
            return nil
        }
    }
}
