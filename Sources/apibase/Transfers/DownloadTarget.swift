import APIBaseKit

/// The target of downloads: a file or a folder.
struct DownloadTarget: Equatable {
    let path: String?

    private enum Kind {
        case file, folder, missing, other
    }

    /// Whether the path is that of the file itself, and not of the folder of all files.
    func isFile(for urls: [URL]) -> Bool {
        guard let path else { return false }
        return urls.count == 1 && !path.hasSuffix("/") && Self.kind(of: path) != .folder
    }

    /// A file for each URL. For several URLs, or a path that ends in a slash, a missing folder is created.
    func files(for urls: [URL]) throws -> [URL] {
        guard let path else { return try files(for: urls, in: ".") }
        if isFile(for: urls) { return [try Self.checked(URL(fileURLWithPath: path))] }
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
        let names = urls.map { FileNames.name(of: $0) ?? FileNames.unknown }
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
    /// The name of a file for which there is no other.
    static let unknown = "download"

    /// The decoded last segment of the URL's path; `nil` if it is empty or not usable as a file name.
    static func name(of url: URL) -> String? {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let segment = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return safe(segment.removingPercentEncoding ?? String(segment))
    }

    /// The name without slashes, control characters, and invisible ones, which can change the order of the others; `nil`
    /// if it is not usable as a file name.
    static func safe(_ name: String) -> String? {
        let unsafe: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isUnsafe = scalar == "/" || scalar == "\\" || unsafe.contains(scalar.properties.generalCategory)
            scalars.append(isUnsafe ? "_" : scalar)
        }
        let name = String(scalars)
        return ["", ".", ".."].contains(name) ? nil : name
    }

    /// The names, with a number added to repeated ones: `a.bin`, `a-2.bin`.
    static func distinct(_ names: [String]) -> [String] {
        var taken: Set<String> = []
        return names.map { name in
            var number = 1
            while !taken.insert(numbered(name, number)).inserted { number += 1 }
            return numbered(name, number)
        }
    }

    /// An empty file of that name, or of one with a number, where there was none; `nil` if it cannot be made.
    static func newFile(_ name: String, in folder: URL) -> URL? {
        for number in 1...1_000 {
            let file = folder.appendingPathComponent(numbered(name, number))
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                return file
            }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// Removes a file without contents.
    static func removeEmpty(_ file: URL) {
        var status = stat()
        if lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(file.path) }
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let url = URL(fileURLWithPath: "/" + name)
        let (stem, ending) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
        return ending.isEmpty ? "\(name)-\(number)" : "\(stem)-\(number).\(ending)"
    }
}
