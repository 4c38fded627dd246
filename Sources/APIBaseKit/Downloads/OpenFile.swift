import Foundation

/// A file that is open for reading and appending, locked against others. All errors are those of the system.
final class OpenFile: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// A process that is being started has a copy of the descriptor for a moment, which would keep the lock.
    deinit { flock(descriptor.number, LOCK_UN) }

    /// The file at a path, which is made if there is none.
    ///
    /// - Throws: `EWOULDBLOCK` if another has locked it.
    static func locked(_ path: String) throws -> OpenFile {
        for _ in 0..<100 {
            let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let file = OpenFile(Descriptor(try Descriptor.check { open(path, flags, 0o666) }))
            guard try file.descriptor.status().isFile else { throw POSIXError(.EEXIST) }
            _ = try Descriptor.check { flock(file.descriptor.number, LOCK_EX | LOCK_NB) }
            // One that had the lock may have put the file elsewhere meanwhile.
            if file.isAt(path) { return file }
        }
        throw POSIXError(.EWOULDBLOCK)
    }

    /// Whether the file is the one at this path.
    func isAt(_ path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor.number, &own) == 0, lstat(path, &other) == 0 else { return false }
        return own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    var count: Int64 { get throws { Int64(try descriptor.status().size) } }

    /// Drops what is behind so many bytes.
    func truncate(to length: Int64) throws {
        // ext4 writes a file that was ever truncated to nothing to the disk before it is closed.
        guard try count > length else { return }
        _ = try Descriptor.check { ftruncate(descriptor.number, off_t(length)) }
    }

    func write(_ data: Data) throws { try descriptor.write(data) }

    /// Reads what is at an offset.
    ///
    /// - Returns: How many bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try Descriptor.check { pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(offset)) }
    }
}
