import APIBaseKit

/// A file for the body of a response. An existing file is replaced only when the body is complete.
struct BodyFile {
    private let path: String
    /// The temporary file; `nil` for a device or a pipe, which is written directly.
    private let temporary: String?
    private let handle: FileHandle

    init(_ path: String) throws {
        // Replaces the target of a link, not the link.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.path = path
        var status = stat()
        let exists = stat(path, &status) == 0
        temporary =
            !exists || status.st_mode & S_IFMT == S_IFREG ? "\(path).\(UInt32.random(in: 0 ... .max)).tmp" : nil
        if let temporary { SignalHandler.addFile(temporary) }
        let flags = O_WRONLY | O_CLOEXEC | (temporary == nil ? 0 : O_CREAT | O_EXCL)
        let descriptor = open(temporary ?? path, flags, 0o666)
        guard descriptor >= 0 else { throw FileFailure.system(path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ data: Data) throws {
        let code = writeAll(data, to: handle.fileDescriptor)
        if code != 0 { throw FileFailure.system(path, code) }
    }

    func finish() throws {
        guard let temporary else { return }
        guard rename(temporary, path) == 0 else { throw FileFailure.system(path) }
        SignalHandler.forgetFile(temporary)
    }

    /// Removes a file that is not finished.
    func discard() {
        guard let temporary else { return }
        unlink(temporary)
        SignalHandler.forgetFile(temporary)
    }
}

enum FileFailure: Error, Hashable, LocalizedError {
    case refused(path: String, POSIXErrorCode)
    case missingFolder(path: String)
    /// The path leads to a device or the like, which must not be replaced.
    case notAFile(path: String)
    /// Some downloads failed. The error of each was printed.
    case downloads(Int, of: Int)

    /// A system error, by default the current one.
    static func system(_ path: String, _ code: Int32 = errno) -> FileFailure {
        .refused(path: path, POSIXErrorCode(rawValue: code) ?? .EIO)
    }

    var errorDescription: String? {
        switch self {
        case .refused(let path, let code): "“\(path)” cannot be written: \(String(cString: strerror(code.rawValue)))"
        case .missingFolder(let path): "There is no folder “\(path)”."
        case .notAFile(let path): "“\(path)” is neither a file nor a folder."
        case .downloads(let count, let all): "\(count) of \(all) downloads failed."
        }
    }
}
