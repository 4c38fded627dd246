import Foundation

/// The files of a ``FolderStorage``: `v2/<first two digits of the URL>/<URL>/<user>`. Each call blocks.
struct ReplyFiles: Sendable {
    /// The folder of this version of the format, and those of earlier ones, which had the requests' credentials and URLs in
    /// their files: nothing of them is read, and they are removed.
    private static let version = "v2"
    private static let formerVersions = ["v1"]

    /// The prefixes of the names of files that are being written, and of folders that are being removed.
    static let temporary = "temporary-"
    static let trash = "trash-"

    /// The number of times that a write is tried if its folder is removed meanwhile.
    private static let attempts = 100

    /// A file that is read counts as used at most once in so many seconds.
    private static let touchInterval = 60.0

    /// The folder around all of them.
    let path: String

    /// The folder of this version of the format; nil if it was not made yet.
    func root() throws -> Descriptor? {
        do {
            return try Descriptor(folder: path).folder(Self.version)
        } catch POSIXError.ENOENT {
            return nil
        } catch let obstacle as FileObstacle {
            throw FileObstacle(obstacle.kind, at: (path as NSString).appendingPathComponent(obstacle.path))
        }
    }

    /// The bytes for a key; nil if there are none, or more than so many, or if others may have written them.
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

    /// Stores bytes in place of what was there: whoever reads finds the old ones or the new ones.
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
                // A folder in its place would be there for ever.
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

    /// Removes all files of a URL: they are gone at once.
    func removeAll(for url: ResponseKey.URLDigest) throws {
        let key = ResponseKey(url: url, user: url)
        try key.check()
        guard let root = try root(), let group = try root.folder(key.group) else { return }
        let name = Self.unique(Self.trash)
        do {
            if try group.move(url, to: root, name) { try root.remove(name) }
        } catch {
            // A new name needs room, which a full disk may not have.
            try group.remove(url)
        }
    }

    /// Removes all files, group by group.
    func removeAll() throws {
        try? removeFormerVersions()
        guard let root = try root() else { return }
        for group in try root.names() where group.isGroup {
            let name = Self.unique(Self.trash)
            if try root.move(group, to: root, name) { try root.remove(name) }
        }
    }

    func removeFormerVersions() throws {
        let folder = try Descriptor(folder: path)
        for version in Self.formerVersions { try folder.remove(version) }
    }

    private func makeRoot() throws -> Descriptor {
        if let root = try root() { return root }
        try makeFolder(path)
        try? removeFormerVersions()
        guard let root = try Descriptor(folder: path).makeFolder(Self.version) else { throw POSIXError(.ENOENT) }
        return root
    }

    /// Makes a folder with those around it.
    private func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, case let parent = (path as NSString).deletingLastPathComponent,
            !parent.isEmpty, parent != path
        else { throw POSIXError.last }
        try makeFolder(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw POSIXError.last }
    }

    /// A name that no other process and no other thread has.
    private static func unique(_ prefix: String) -> String {
        "\(prefix)\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }
}
