import Foundation

/// The files of a ``FolderStorage``: `v2/<first two digits of the URL>/<URL>/<user>`. Each call blocks.
struct ResponseFiles: Sendable {
    /// The folder of this version of the format, and those of earlier ones. Their files had the credentials and URLs of
    /// requests in them, so they are removed unread.
    private static let version = "v2"
    private static let formerVersions = ["v1"]

    /// The prefixes of files that are being written, and of folders that are being removed.
    private static let temporary = "temporary-"
    private static let trash = "trash-"

    /// The number of times that a write is tried if its folder is removed meanwhile.
    private static let attempts = 100

    /// The minimum number of seconds between two updates of the time of last use of a file.
    private static let touchInterval = 60.0

    /// The folder around all files.
    let path: String

    /// The bytes for a key; nil if nothing is stored, or more than the limit, or if others may have written them.
    func data(for key: ResponseKey, atMost limit: Int) throws -> Data? {
        try key.check()
        guard let folder = try root()?.folder(key.group)?.folder(key.url), let file = try folder.file(key.user) else {
            return nil
        }
        let status = try file.status()
        guard status.distrust == nil else { return nil }
        if abs(status.time - Date().timeIntervalSince1970) > Self.touchInterval { file.touch() }
        return try file.contents(atMost: limit)
    }

    /// Stores bytes in place of the old ones. A reader finds the old ones or the new ones.
    func store(_ data: Data, for key: ResponseKey) throws {
        try key.check()
        let root = try makeRoot()
        let name = Self.unique(Self.temporary)
        do {
            let file = try root.newFile(name)
            try file.write(data)
            try file.finish()
            for _ in 0..<Self.attempts {
                guard let folder = try root.makeFolder(key.group)?.makeFolder(key.url) else { continue }
                // A file cannot replace a folder.
                if folder.status(of: key.user)?.isFolder == true { try folder.remove(key.user) }
                if try root.move(name, to: folder, key.user) { return }
            }
            throw POSIXError(.ENOENT)
        } catch {
            try? root.removeFile(name)
            throw error
        }
    }

    /// Removes the file for a key, if there is one.
    func remove(_ key: ResponseKey) throws {
        try key.check()
        try root()?.folder(key.group)?.folder(key.url)?.removeFile(key.user)
    }

    /// Removes all files of a URL at once.
    func removeAll(for url: ResponseKey.URLDigest) throws {
        let key = ResponseKey(url: url, user: url)
        try key.check()
        guard let root = try root(), let group = try root.folder(key.group) else { return }
        do {
            try Self.discard(url, in: group, by: root)
        } catch {
            // A new name needs space, which a full disk may not have.
            try group.remove(url)
        }
    }

    /// Removes all files, group by group.
    func removeAll() throws {
        try? removeFormerVersions()
        guard let root = try root() else { return }
        for group in try root.names() where group.isGroup { try Self.discard(group, in: root, by: root) }
    }

    /// Moves a folder out of the way at once, and then removes it.
    private static func discard(
        _ name: String,
        in folder: borrowing FileDescriptor,
        by root: borrowing FileDescriptor
    ) throws {
        let newName = unique(trash)
        if try folder.move(name, to: root, newName) { try root.remove(newName) }
    }

    private func removeFormerVersions() throws {
        let folder = try FileDescriptor(folder: path)
        for version in Self.formerVersions { try folder.remove(version) }
    }

    /// The folder of this version of the format; nil if it does not exist yet.
    private func root() throws -> FileDescriptor? {
        do {
            return try FileDescriptor(folder: path).folder(Self.version)
        } catch POSIXError.ENOENT {
            return nil
        } catch let obstacle as FileObstacle {
            throw FileObstacle(obstacle.kind, at: (path as NSString).appendingPathComponent(obstacle.path))
        }
    }

    private func makeRoot() throws -> FileDescriptor {
        if let root = try root() { return root }
        try FileDescriptor.makeFolder(path: path)
        try? removeFormerVersions()
        guard let root = try FileDescriptor(folder: path).makeFolder(Self.version) else { throw POSIXError(.ENOENT) }
        return root
    }

    /// A name that no other process and no other thread uses.
    private static func unique(_ prefix: String) -> String {
        "\(prefix)\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }
}

// MARK: Cleaning

extension ResponseFiles {
    /// A file, and its status when it was found.
    private struct FileEntry {
        let key: ResponseKey
        let status: FileStatus
    }

    /// The size of a block on disk, in bytes.
    private static let block = 4_096

    /// The age in seconds after which a temporary file or folder counts as left by a crash.
    private static let leftoverAge = 3_600.0

    /// The approximate disk space of a file of that size, in bytes. It is limited, so that sums cannot overflow.
    static func space(_ size: Int) -> Int { (min(max(size, 1), 1 << 40) + block - 1) / block * block }

    /// Removes what crashed processes have left and, if the files take more than the limit, the least recently used
    /// ones, until they take nine tenths of it.
    ///
    /// Other processes may read, write and clean at the same time: it is no error if a file is gone already.
    func clean(limit: Int) throws {
        // Processes of an earlier version may still write files.
        try removeFormerVersions()
        guard let root = try root() else { return }
        var files: [FileEntry] = []
        for name in try root.names() {
            if name.isGroup {
                if let group = try? root.folder(name) { try Self.list(group, into: &files) }
            } else {
                try Self.removeLeftover(name, in: root)
            }
        }
        var total = files.reduce(0) { $0 + Self.space($1.status.size) }
        guard total > limit else { return }
        let target = limit / 10 * 9
        for file in files.sorted(by: { $0.status.time < $1.status.time }) {
            guard total > target else { return }
            if try Self.remove(file, in: root) { total -= Self.space(file.status.size) }
        }
    }

    private static func list(_ group: borrowing FileDescriptor, into files: inout [FileEntry]) throws {
        for url in try group.names() where url.isDigest {
            guard let folder = try? group.folder(url) else { continue }
            for user in try folder.names() where user.isDigest {
                guard let status = folder.status(of: user), status.isFile else { continue }
                files.append(FileEntry(key: ResponseKey(url: url, user: user), status: status))
            }
        }
    }

    /// Removes a file, unless it was used or replaced meanwhile, and the folders that are empty then. Returns whether
    /// it is gone.
    private static func remove(_ file: FileEntry, in root: borrowing FileDescriptor) throws -> Bool {
        guard let group = try root.folder(file.key.group), let folder = try group.folder(file.key.url),
            let status = folder.status(of: file.key.user)
        else { return true }
        guard status == file.status else { return false }
        try folder.removeFile(file.key.user)
        group.removeEmptyFolder(file.key.url)
        root.removeEmptyFolder(file.key.group)
        return true
    }

    private static func removeLeftover(_ name: String, in root: borrowing FileDescriptor) throws {
        guard name.hasPrefix(temporary) || name.hasPrefix(trash), let status = root.status(of: name),
            Date().timeIntervalSince1970 - status.time > leftoverAge
        else { return }
        try root.remove(name)
    }
}
