import Foundation

/// The status of a file or folder, without opening it.
struct FileStatus: Equatable {
    let isFile: Bool
    let isFolder: Bool

    /// The size in bytes.
    let size: Int

    /// The time of the last write or touch, in seconds since 1970.
    let time: Double

    /// The inode number, which tells the file from another one of the same name.
    private let number: UInt64

    fileprivate init(_ status: stat) {
        isFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int(status.st_size)
        number = UInt64(status.st_ino)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        // By place: where another module declares `timespec` as well, the names of its members are not visible.
        self.time = withUnsafeBytes(of: time) { time in
            let nanoseconds = time.load(fromByteOffset: MemoryLayout<Int>.stride, as: Int.self)
            return Double(time.load(as: Int.self)) + Double(nanoseconds) / 1e9
        }
    }
}

extension Descriptor {
    /// The status of the open file or folder itself.
    func status() throws -> FileStatus {
        var status = stat()
        _ = try Self.check { fstat(number, &status) }
        return FileStatus(status)
    }

    /// The status of the entry of the folder with this name; nil if there is none. Of a link, not of its target.
    func status(of name: String) -> FileStatus? {
        var status = stat()
        return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }
}
