import Foundation

/// The status of a file or folder.
package struct FileStatus: Equatable {
    /// The kind, if it is not a regular file.
    package let obstacle: FileObstacle.Kind?

    /// The size in bytes.
    package let size: Int

    /// The time of the last modification, in seconds since 1970.
    package let time: Double

    /// The number of its owner, its permissions, and the number of its hard links.
    package let owner: UInt32
    package let mode: UInt16
    package let linkCount: Int

    /// The inode number and the device, which identify the file.
    package let number: UInt64
    private let device: UInt64

    fileprivate init(_ status: stat) {
        obstacle =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            default: .device
            }
        size = Int(status.st_size)
        (owner, mode, linkCount) = (UInt32(status.st_uid), UInt16(status.st_mode & 0o7777), Int(status.st_nlink))
        (number, device) = (UInt64(status.st_ino), UInt64(truncatingIfNeeded: status.st_dev))
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        // By offset: where another module declares `timespec` as well, the names of its fields are not visible.
        self.time = withUnsafeBytes(of: time) { time in
            let nanoseconds = time.load(fromByteOffset: MemoryLayout<Int>.stride, as: Int.self)
            return Double(time.load(as: Int.self)) + Double(nanoseconds) / 1e9
        }
    }

    /// The status of the entry at a path, or nil. Links are not followed.
    package init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(found: status)
    }

    /// The status that a look-up by name has found; nil if the entry was removed during the look-up, and has no link.
    fileprivate init?(found status: stat) {
        guard status.st_nlink > 0 else { return nil }
        self.init(status)
    }

    package var isFile: Bool { obstacle == nil }
    package var isFolder: Bool { obstacle == .folder }

    /// True if this is the same file, with or without changes.
    package func isSameFile(as other: FileStatus) -> Bool { number == other.number && device == other.device }

    /// The reason why other users may have written its contents; nil if only this user can have.
    package var distrust: FileObstacle.Kind? {
        if owner != geteuid() { return .user(owner) }
        return mode & 0o022 == 0 ? nil : .mode(mode)
    }
}

extension FileDescriptor {
    /// The status of the open file or folder.
    package func status() throws -> FileStatus {
        var status = stat()
        _ = try Self.check { fstat(number, &status) }
        return FileStatus(status)
    }

    /// The status of an entry of the folder, or nil. Links are not followed.
    package func status(of name: String) -> FileStatus? {
        var status = stat()
        return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(found: status) : nil
    }
}
