import Foundation

/// The status of a file or folder, without opening it.
struct FileStatus: Equatable {
    let isFile: Bool
    let isFolder: Bool

    /// How many bytes it has.
    let size: Int

    /// When it was written last, or touched: in seconds since 1970.
    let time: Double

    /// What tells it from another one of the same name.
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
    /// What is known of the file or folder itself.
    func status() throws -> FileStatus {
        var status = stat()
        _ = try Self.check { fstat(number, &status) }
        return FileStatus(status)
    }

    /// What is known of what has this name in the folder; nil if there is nothing. Of a link, not of what it leads to.
    func status(of name: String) -> FileStatus? {
        var status = stat()
        return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }
}
