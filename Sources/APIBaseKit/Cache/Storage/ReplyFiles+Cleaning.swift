import Foundation

extension ReplyFiles {
    /// The facts about a file by which it is decided which ones go.
    private struct Found {
        let key: ResponseKey
        let status: FileStatus
    }

    /// Files take whole blocks of so many bytes.
    private static let block = 4_096

    /// A file that is being written, and a folder that is being removed, is left over after so many seconds.
    private static let patience = 3_600.0

    /// The approximate disk space of a file of that size, in bytes. It is capped, so that sums cannot overflow.
    static func space(_ size: Int) -> Int { (min(max(size, 1), 1 << 40) + block - 1) / block * block }

    /// Removes what crashed processes have left over, and, if the files take more than so many bytes, those that were not
    /// used for longest, until they take nine tenths of it.
    ///
    /// Others may read, write and clean meanwhile: what is gone when it is to be removed is fine.
    func clean(limit: Int) throws {
        // Again, since processes of an earlier version may go on writing theirs.
        try removeFormerVersions()
        guard let root = try root() else { return }
        var found: [Found] = []
        for name in try root.names() {
            if name.isGroup {
                if let group = try? root.folder(name) { try Self.list(group, into: &found) }
            } else {
                try Self.removeLeftover(name, in: root)
            }
        }
        var total = found.reduce(0) { $0 + Self.space($1.status.size) }
        guard total > limit else { return }
        let target = limit / 10 * 9
        for file in found.sorted(by: { $0.status.time < $1.status.time }) {
            guard total > target else { return }
            if try Self.remove(file, in: root) { total -= Self.space(file.status.size) }
        }
    }

    private static func list(_ group: borrowing Descriptor, into found: inout [Found]) throws {
        for url in try group.names() where url.isDigest {
            guard let folder = try? group.folder(url) else { continue }
            for user in try folder.names() where user.isDigest {
                guard let status = folder.status(of: user), status.isFile else { continue }
                found.append(Found(key: ResponseKey(url: url, user: user), status: status))
            }
        }
    }

    /// Removes a file unless it was used or replaced meanwhile; and folders that are empty then. Whether it is gone.
    private static func remove(_ file: Found, in root: borrowing Descriptor) throws -> Bool {
        guard let group = try root.folder(file.key.group), let folder = try group.folder(file.key.url),
            let status = folder.status(of: file.key.user)
        else { return true }
        guard status == file.status else { return false }
        try folder.removeFile(file.key.user)
        group.removeEmptyFolder(file.key.url)
        root.removeEmptyFolder(file.key.group)
        return true
    }

    private static func removeLeftover(_ name: String, in root: borrowing Descriptor) throws {
        guard name.hasPrefix(temporary) || name.hasPrefix(trash), let status = root.status(of: name),
            Date().timeIntervalSince1970 - status.time > patience
        else { return }
        try root.remove(name)
    }
}
