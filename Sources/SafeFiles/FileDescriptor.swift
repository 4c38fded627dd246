package import Foundation

/// An open file or folder, which is closed with its value.
///
/// Entries are opened relative to an open folder, and symbolic links are not followed, so moved folders and planted
/// links lead nowhere else. All errors are those of the system, as `POSIXError`.
package struct FileDescriptor: ~Copyable {
    package let number: Int32

    /// Takes over an open descriptor.
    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens a file without following a link at its path. Pipes and devices are not waited for.
    package init(path: String, _ flags: Int32, mode: mode_t = 0) throws {
        self.init(try Self.check { open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode) })
    }

    /// Opens a folder, or the target of a link to one.
    package init(folder path: String) throws {
        self.init(try Self.check { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// Closes it. Only this reports some errors of writing.
    package consuming func finish() throws {
        let number = number
        discard self
        // An interrupted call has closed it nevertheless.
        guard close(number) == 0 || errno == EINTR else { throw POSIXError.last }
    }

    /// Repeats a call while it is interrupted.
    package static func check<Result: SignedInteger>(_ call: () -> Result) throws -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw POSIXError.last }
        }
    }
}

extension POSIXError {
    /// The error of the last call of the system.
    package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

// MARK: Files

extension FileDescriptor {
    /// All bytes of the file; nil if it is not a regular file, or longer than the limit.
    package func contents(atMost limit: Int) throws -> Data? {
        let status = try status()
        guard status.isFile, status.size <= limit else { return nil }
        var contents = Data(count: status.size)
        var count = 0
        while count < contents.count {
            let read = try contents.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                return try Self.check { Foundation.read(number, rest.baseAddress, rest.count) }
            }
            guard read > 0 else { return contents.prefix(count) }
            count += read
        }
        return contents
    }

    /// Writes all bytes.
    package func write(_ contents: Data) throws {
        var count = 0
        while count < contents.count {
            count += try contents.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
                return try Self.check { Foundation.write(number, rest.baseAddress, rest.count) }
            }
        }
    }

    /// Waits until the disk has what was written, or the entries of the folder.
    package func synchronize() throws { _ = try Self.check { fsync(number) } }

    /// Sets the time of the last use to now. Errors are ignored.
    package func touch() { futimens(number, nil) }
}

// MARK: Folders

extension FileDescriptor {
    /// The folder of a name, or nil.
    ///
    /// - Throws: ``FileObstacle`` if other users may have put something into it.
    package func folder(_ name: String) throws -> FileDescriptor? {
        guard let folder = try anyFolder(name) else { return nil }
        if let distrust = try folder.status().distrust { throw FileObstacle(distrust, at: name) }
        return folder
    }

    /// The folder of a name, without a check of its owner and mode: to remove it.
    private func anyFolder(_ name: String) throws -> FileDescriptor? { try opened(name, O_RDONLY | O_DIRECTORY) }

    /// The folder of a name, which is made if it does not exist. Nil if this folder has been removed meanwhile.
    package func makeFolder(_ name: String) throws -> FileDescriptor? {
        if let folder = try folder(name) { return folder }
        guard mkdirat(number, name, 0o700) == 0 || errno == EEXIST || errno == ENOENT else { throw POSIXError.last }
        return try folder(name)
    }

    /// The file of a name, to be read, or nil. Pipes and devices are not waited for.
    package func file(_ name: String) throws -> FileDescriptor? { try opened(name, O_RDONLY | O_NONBLOCK) }

    /// A new file, to be written. Throws if the name is taken.
    package func newFile(_ name: String) throws -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(try Self.check { openat(number, name, flags, 0o600) })
    }

    /// The file of a name, to be locked, which is made if it does not exist.
    package func lockFile(_ name: String) throws -> FileDescriptor {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        return FileDescriptor(try Self.check { openat(number, name, flags, 0o600) })
    }

    /// Makes a folder with those around it, unless it exists.
    package static func makeFolder(path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, case let parent = (path as NSString).deletingLastPathComponent,
            !parent.isEmpty, parent != path
        else { throw POSIXError.last }
        try makeFolder(path: parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw POSIXError.last }
    }

    private func opened(_ name: String, _ flags: Int32) throws -> FileDescriptor? {
        do {
            return FileDescriptor(try Self.check { openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC) })
        } catch POSIXError.ENOENT {
            return nil
        }
    }

    /// The names in the folder, in no order.
    package func names() throws -> [String] {
        // A copy, since the position in the list belongs to the descriptor.
        let copy = try Self.check { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let list = fdopendir(copy) else {
            let error = POSIXError.last
            close(copy)
            throw error
        }
        defer { closedir(list) }
        // Read in place: an entry is shorter than its type says.
        let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
        var names: [String] = []
        while let entry = readdir(list) {
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            names.append(String(cString: name))
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// Moves an entry to another folder under a new name, in place of what has that name. Returns false if the entry or
    /// one of the folders is gone.
    package func move(_ name: String, to folder: borrowing FileDescriptor, _ newName: String) throws -> Bool {
        if renameat(number, name, folder.number, newName) == 0 { return true }
        guard errno == ENOENT else { throw POSIXError.last }
        return false
    }

    /// Removes a file or a link, if it is there.
    package func removeFile(_ name: String) throws {
        guard unlinkat(number, name, 0) == 0 || errno == ENOENT else { throw POSIXError.last }
    }

    /// Removes a folder if it is there and empty.
    package func removeEmptyFolder(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

    /// Removes a file, a link, or a folder with its contents, up to three levels deep. Other processes may do so at the
    /// same time. If they keep adding files, some stay.
    package func remove(_ name: String, depth: Int = 3) throws {
        for _ in 0..<10 {
            guard let status = status(of: name) else { return }
            guard status.isFolder else { return try removeFile(name) }
            guard depth > 0, let folder = try anyFolder(name) else { return }
            for name in try folder.names() { try folder.remove(name, depth: depth - 1) }
            if unlinkat(number, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
        }
    }
}
