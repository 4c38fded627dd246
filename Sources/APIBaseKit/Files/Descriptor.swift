import Foundation

/// An open file or folder, which is closed with its value.
///
/// What has a name is looked for in an open folder, and symbolic links are not followed: so nobody who moves folders or
/// puts links in their place leads out of it. All errors are those of the system, as `POSIXError`.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes over what was opened.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens a folder, which may be a link to one.
    init(folder path: String) throws {
        self.init(try Self.check { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// The folder of a name; nil if there is none.
    ///
    /// - Throws: ``FileObstacle`` if others may have put something into it.
    func folder(_ name: String) throws -> Descriptor? {
        guard let folder = try anyFolder(name) else { return nil }
        if let distrust = try folder.status().distrust { throw FileObstacle(distrust, at: name) }
        return folder
    }

    /// The folder of a name, whoever may write it: for what is to be removed.
    func anyFolder(_ name: String) throws -> Descriptor? { try opened(name, O_RDONLY | O_DIRECTORY) }

    /// The folder of a name, which is made if there is none. Nil if this folder was removed meanwhile.
    func makeFolder(_ name: String) throws -> Descriptor? {
        if let folder = try folder(name) { return folder }
        guard mkdirat(number, name, 0o700) == 0 || errno == EEXIST || errno == ENOENT else { throw POSIXError.last }
        return try folder(name)
    }

    /// The file of a name, to be read; nil if there is none. What is no file is not waited for.
    func file(_ name: String) throws -> Descriptor? {
        try opened(name, O_RDONLY | O_NONBLOCK)
    }

    /// A new file, to be written. Nothing of that name may be there.
    func newFile(_ name: String) throws -> Descriptor {
        Descriptor(
            try Self.check { openat(number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        )
    }

    /// Closes it, and says what was found out only then.
    consuming func finish() throws {
        let number = number
        discard self
        // A call that was interrupted has closed it all the same.
        guard close(number) == 0 || errno == EINTR else { throw POSIXError.last }
    }

    private func opened(_ name: String, _ flags: Int32) throws -> Descriptor? {
        do {
            return Descriptor(try Self.check { openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC) })
        } catch POSIXError.ENOENT {
            return nil
        }
    }

    /// Calls again what was interrupted.
    static func check<Result: SignedInteger>(_ call: () -> Result) throws -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw POSIXError.last }
        }
    }
}

extension POSIXError {
    /// The error of the call that has just failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
