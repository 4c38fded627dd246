import Foundation

extension Descriptor {
    /// The names in the folder, in no order.
    func names() throws -> [String] {
        // One of its own: a list goes on where the one before has ended.
        let copy = try Self.check { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let list = fdopendir(copy) else {
            let error = POSIXError.last
            close(copy)
            throw error
        }
        defer { closedir(list) }
        // Not copied: an entry is shorter than its type says.
        let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
        var names: [String] = []
        while let entry = readdir(list) {
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            names.append(String(cString: name))
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    /// Gives what is here another name in another folder, in place of what has that name. False if one of the folders is
    /// gone, or what is to be moved.
    func move(_ name: String, to folder: borrowing Descriptor, _ newName: String) throws -> Bool {
        if renameat(number, name, folder.number, newName) == 0 { return true }
        guard errno == ENOENT else { throw POSIXError.last }
        return false
    }

    /// Removes a file or a link. Nothing happens if there is none.
    func removeFile(_ name: String) throws {
        guard unlinkat(number, name, 0) == 0 || errno == ENOENT else { throw POSIXError.last }
    }

    /// Removes a folder if it is there and empty.
    func removeEmptyFolder(_ name: String) { unlinkat(number, name, AT_REMOVEDIR) }

    /// Removes a file, a link, or a folder with what is in it, up to three deep. Others may do so at the same time, or put
    /// files into it: what is left then stays.
    func remove(_ name: String, depth: Int = 3) throws {
        for _ in 0..<10 {
            guard let status = status(of: name) else { return }
            guard status.isFolder else { return try removeFile(name) }
            guard depth > 0, let folder = try anyFolder(name) else { return }
            for name in try folder.names() { try folder.remove(name, depth: depth - 1) }
            if unlinkat(number, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return }
        }
    }
}
