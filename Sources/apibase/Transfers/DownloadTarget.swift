import APIBaseKit

/// The target of downloads: a file, a folder, or the current folder.
struct DownloadTarget: Equatable {
    /// The value of `--out`; `nil` for the current folder.
    let path: String?

    var isFolder: Bool { path.map { kind(of: $0) == .folder } ?? true }

    private enum Kind {
        case file, folder, nothing, other
    }

    /// The files for these URLs, one each.
    ///
    /// - Throws: ``UsageError`` if there is no name for a file, ``FileFailure`` if one cannot be there.
    func files(for urls: [URL]) throws -> [URL] {
        guard let path else { return try files(for: urls, in: ".") }
        switch kind(of: path) {
        case .folder: return try files(for: urls, in: path)
        case .nothing where path.hasSuffix("/") || urls.count > 1:
            let files = try files(for: urls, in: path)
            try makeFolder()
            return files
        case .file where urls.count > 1: throw FileFailure.noFolder(path: path)
        case .file, .nothing: return [URL(fileURLWithPath: path)]
        case .other: throw FileFailure.noFile(path: path)
        }
    }

    /// Makes the folder, if there is nothing of its name.
    ///
    /// - Throws: ``FileFailure`` if it cannot be made, or if there is something else.
    func makeFolder() throws(FileFailure) {
        guard let path, !isFolder else { return }
        guard kind(of: path) == .nothing else { throw .noFolder(path: path) }
        guard mkdir(path, 0o777) == 0 else {
            throw .refused(path: path, POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    private func files(for urls: [URL], in folder: String) throws -> [URL] {
        let names = try urls.map { url in
            guard let name = FileNames.name(of: url) else {
                throw UsageError.needs(url.redacted?.absoluteString ?? "URL", "\(Option.target.name) FILE")
            }
            return name
        }
        return try FileNames.distinct(names).map { name in
            let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
            if kind(of: file.path) == .other { throw FileFailure.noFile(path: file.path) }
            return file
        }
    }

    private func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}
