import Foundation

/// A regular file, or the place for one, after following links.
package struct RegularFile {
    private struct NotAFile: LocalizedError {
        let kind: String
        var errorDescription: String? { "It is \(kind), not a regular file." }
    }

    private let path: String
    /// The permissions of the file; nil if it does not exist.
    private let mode: mode_t?

    /// - Throws: If it is something other than a file, such as a folder, a device or a pipe.
    package init(_ file: URL) throws {
        var path = file.path
        // Linux follows 40 links as well.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = URL(fileURLWithPath: target, relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent()).path
        }
        self.path = path
        var status = stat()
        guard lstat(path, &status) == 0 else {
            mode = nil
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: mode = status.st_mode & 0o7777
        case S_IFDIR: throw NotAFile(kind: "a folder")
        case S_IFIFO: throw NotAFile(kind: "a pipe")
        case S_IFLNK: throw NotAFile(kind: "one of too many links")
        default: throw NotAFile(kind: "a device or a socket")
        }
    }

    var exists: Bool { mode != nil }

    /// Replaces the whole file or nothing. Its permissions stay; only the owner can read and write a new file.
    package func replace(with data: Data) throws {
        let file = URL(fileURLWithPath: path)
        let draft = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).draft")
        let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: data)
            if let mode, fchmod(descriptor, mode) != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            try handle.close()
            guard rename(draft.path, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            unlink(draft.path)
            throw error
        }
    }
}
