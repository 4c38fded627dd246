import APIBaseKit

/// A file that the body of a reply goes to as it comes. What was there before stays until all of it has come.
struct BodyFile {
    private let path: String
    /// The path at which the file grows; `nil` for what is no file, such as a device or a pipe, which is written at once.
    private let part: String?
    private let handle: FileHandle

    init(_ path: String) throws(FileFailure) {
        // What a link leads to is replaced, not the link.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.path = path
        var status = stat()
        let isThere = stat(path, &status) == 0
        part = !isThere || status.st_mode & S_IFMT == S_IFREG ? "\(path).\(UInt32.random(in: 0 ... .max)).tmp" : nil
        if let part { Interruption.remove(part) }
        let flags = O_WRONLY | O_CLOEXEC | (part == nil ? 0 : O_CREAT | O_EXCL)
        let descriptor = open(part ?? path, flags, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func failure(_ path: String) -> FileFailure {
        .refused(path: path, POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    func write(_ data: Data) throws(FileFailure) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(handle.fileDescriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Self.failure(path)
            }
        }
    }

    /// Puts it into its place.
    func finish() throws(FileFailure) {
        guard let part else { return }
        guard rename(part, path) == 0 else { throw Self.failure(path) }
        Interruption.keep(part)
    }

    /// Removes what has come, if it is not all.
    func discard() {
        guard let part else { return }
        unlink(part)
        Interruption.keep(part)
    }
}

/// The function of the system, beside a method of its name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
