import APIBaseKit

/// The target of downloads: a file or a folder.
struct DownloadTarget: Equatable {
    let path: String?

    private enum Kind {
        case file, folder, missing, other
    }

    /// A file for each URL. For several URLs, or a path that ends in a slash, a missing folder is created.
    func files(for urls: [URL]) throws -> [URL] {
        guard let path else { return try files(for: urls, in: ".") }
        guard urls.count > 1 || path.hasSuffix("/") || Self.kind(of: path) == .folder else {
            return [try Self.checked(URL(fileURLWithPath: path))]
        }
        let files = try files(for: urls, in: path)
        try makeFolder()
        return files
    }

    func makeFolder() throws {
        guard let path else { return }
        switch Self.kind(of: path) {
        case .folder: return
        case .missing: if mkdir(path, 0o777) != 0 { throw FileFailure.system(path) }
        case .file, .other: throw FileFailure.missingFolder(path: path)
        }
    }

    private func files(for urls: [URL], in folder: String) throws -> [URL] {
        let names = try urls.map { url in
            if let name = FileNames.name(of: url) { return name }
            throw UsageError.needs(url.redacted?.absoluteString ?? "URL", "\(Option.target.name) FILE")
        }
        return try FileNames.distinct(names).map { name in
            try Self.checked(URL(fileURLWithPath: folder).appendingPathComponent(name))
        }
    }

    private static func checked(_ file: URL) throws -> URL {
        if kind(of: file.path) == .other { throw FileFailure.notAFile(path: file.path) }
        return file
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}

enum FileNames {
    /// The decoded last segment of the URL's path; `nil` if it is empty or not usable as a file name.
    static func name(of url: URL) -> String? {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let segment = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return safe(segment.removingPercentEncoding ?? String(segment))
    }

    /// The name without slashes and control characters; `nil` if it is not usable as a file name.
    static func safe(_ name: String) -> String? {
        let scalars = name.unicodeScalars.map { scalar -> Character in
            scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control ? "_" : Character(scalar)
        }
        let name = String(scalars)
        return ["", ".", ".."].contains(name) ? nil : name
    }

    /// The names, with a number added to repeated ones: `a.bin`, `a-2.bin`.
    static func distinct(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            let url = URL(fileURLWithPath: "/" + name)
            let (stem, ending) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
            var (distinct, number) = (name, 2)
            while !taken.insert(distinct).inserted {
                distinct = ending.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(ending)"
                number += 1
            }
            return distinct
        }
    }
}
