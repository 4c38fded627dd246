import Foundation

/// A file that is open for reading and appending, locked against others. All errors are those of the system.
final class OpenFile: Sendable {
    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// A process that is being started has a copy of the descriptor for a moment, which would keep the lock.
    deinit { flock(descriptor.number, LOCK_UN) }

    private static let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    /// The file at a path, which is made if there is none.
    ///
    /// - Throws: `EWOULDBLOCK` if another has locked it; ``FileObstacle`` if it is no file, or others may have written it.
    static func locked(_ path: String) throws -> OpenFile {
        for _ in 0..<100 {
            guard let file = try new(path) ?? existing(path) else { continue }
            _ = try Descriptor.check { flock(file.descriptor.number, LOCK_EX | LOCK_NB) }
            // One that had the lock may have put the file elsewhere meanwhile.
            if file.isAt(path) { return file }
        }
        throw POSIXError(.EWOULDBLOCK)
    }

    /// A new file, which only this user may write; nil if there is something. Its owner and its rights are not checked: nobody
    /// can have written into a file that has just been made.
    private static func new(_ path: String) throws -> OpenFile? {
        do {
            let flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | Self.flags
            return OpenFile(Descriptor(try Descriptor.check { open(path, flags, 0o644) }))
        } catch POSIXError.EEXIST {
            return nil
        }
    }

    /// The file that is there; nil if there is none any more.
    private static func existing(_ path: String) throws -> OpenFile? {
        do {
            let file = OpenFile(Descriptor(try Descriptor.check { open(path, O_RDWR | O_APPEND | Self.flags) }))
            if let obstacle = FileObstacle(of: try file.descriptor.status(), at: path) { throw obstacle }
            return file
        } catch POSIXError.ENOENT {
            return nil
        } catch let error as POSIXError {
            if let status = FileStatus(at: path), let obstacle = FileObstacle(of: status, at: path) { throw obstacle }
            throw error
        }
    }

    /// Whether somebody has locked the file at a path.
    static func isLocked(_ path: String) -> Bool {
        let number = open(path, O_RDONLY | Self.flags)
        guard number >= 0 else { return false }
        let file = OpenFile(Descriptor(number))
        return flock(file.descriptor.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Whether the file is the one at this path.
    func isAt(_ path: String) -> Bool {
        guard let own = try? descriptor.status(), let other = FileStatus(at: path) else { return false }
        return own.isSameFile(as: other)
    }

    var count: Int64 { get throws { Int64(try descriptor.status().size) } }

    /// Whether another process may go on with it.
    var isTrusted: Bool { (try? descriptor.status().distrust == nil) ?? false }

    /// What tells it from every other file of its folder, also later.
    var identity: FileIdentity {
        get throws { FileIdentity(number: try descriptor.status().number, birth: descriptor.birth) }
    }

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

    /// Gives it the rights that a new file has in a folder, which the process's mask and the folder decide. Only a file that is
    /// made there shows them.
    func takeUsualRights(in folder: String) {
        let path = "\(folder)/.\(UUID().uuidString).partial"
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | Self.flags, 0o666)
        guard number >= 0 else { return }
        let model = Descriptor(number)
        unlink(path)
        if let status = try? model.status() { fchmod(descriptor.number, mode_t(status.mode)) }
    }
}

extension FileObstacle {
    /// What makes that a download must not go on with a file; nil if nothing does.
    init?(of status: FileStatus, at path: String) {
        if let kind = Self.kind(of: status) {
            self.init(kind, at: path)
        } else if let distrust = status.distrust {
            self.init(distrust, at: path)
        } else if status.names > 1 {
            // What is written into it would be written into another file.
            self.init(.severalNames, at: path)
        } else {
            return nil
        }
    }

    /// What it is, if it is no file.
    static func kind(of status: FileStatus) -> Kind? {
        switch status.kind {
        case .file: nil
        case .folder: .folder
        case .link: .link
        case .pipe: .pipe
        case .device: .device
        }
    }
}
