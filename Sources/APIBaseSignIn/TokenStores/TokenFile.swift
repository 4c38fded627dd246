/// The file of a ``FileTokenStore``. Each call blocks.
struct TokenFile: Sendable {
    /// More bytes are no token.
    private static let limit = 1 << 20

    let path: String

    private var name: String { (path as NSString).lastPathComponent }
    private var folderPath: String { (path as NSString).deletingLastPathComponent }
    private var lockName: String { name + ".lock" }
    private var temporary: String { name + ".temporary-" }

    /// The token; nil without a file.
    func load() throws -> StoredToken? {
        guard let folder = try folder(), let file = try checked(name, in: folder, { try folder.file(name) }) else {
            return nil
        }
        guard let data = try file.contents(atMost: Self.limit),
            let token = try? Self.decoder.decode(StoredToken.self, from: data)
        else { throw FileObstacle(.notAToken, at: path) }
        return token
    }

    /// Stores a token in place of the old one. The lock must be held.
    func store(_ token: StoredToken) throws {
        let folder = try makeFolder()
        // What a killed process has left: every other writer would hold the lock.
        for name in try folder.names() where name.hasPrefix(temporary) { try folder.removeFile(name) }
        // A link or a file of another user is refused, not replaced.
        _ = try checked(name, in: folder) { try folder.file(name) } as FileDescriptor?
        let new = temporary + "\(getpid())"
        do {
            let file = try folder.newFile(new)
            try file.write(Self.encoder.encode(token))
            try file.synchronize()
            try file.finish()
            guard try folder.move(new, to: folder, name) else { throw POSIXError(.ENOENT) }
            try folder.synchronize()
        } catch {
            try? folder.removeFile(new)
            throw error
        }
    }

    /// Removes the file, if it is there. The lock must be held.
    func remove() throws {
        guard let folder = try folder() else { return }
        try folder.removeFile(name)
        try folder.synchronize()
    }

    /// Waits until no other process, and no other descriptor of this one, has the lock.
    func lock() throws -> FileLock {
        let folder = try makeFolder()
        guard let file = try checked(lockName, in: folder, { try folder.lockFile(lockName) }) else {
            throw POSIXError(.ENOENT)
        }
        return try FileLock(file)
    }

    /// The folder around the file; nil if it does not exist.
    private func folder() throws -> FileDescriptor? {
        do {
            let folder = try FileDescriptor(folder: folderPath)
            if let distrust = try folder.status().distrust { throw FileObstacle(distrust, at: folderPath) }
            return folder
        } catch POSIXError.ENOENT {
            return nil
        }
    }

    private func makeFolder() throws -> FileDescriptor {
        if let folder = try folder() { return folder }
        try FileDescriptor.makeFolder(path: folderPath)
        guard let folder = try folder() else { throw POSIXError(.ENOENT) }
        return folder
    }

    /// An opened file; nil if it does not exist.
    ///
    /// - Throws: ``FileObstacle`` if it is not a regular file, or others may have written it.
    private func checked(
        _ name: String,
        in folder: borrowing FileDescriptor,
        _ open: () throws -> FileDescriptor?
    ) throws -> FileDescriptor? {
        let place = (folderPath as NSString).appendingPathComponent(name)
        if let obstacle = folder.status(of: name)?.obstacle { throw FileObstacle(obstacle, at: place) }
        guard let file = try open() else { return nil }
        let status = try file.status()
        if let obstacle = status.obstacle ?? status.distrust { throw FileObstacle(obstacle, at: place) }
        if status.linkCount > 1 { throw FileObstacle(.severalNames, at: place) }
        return file
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return encoder
    }
}
