import Basics
import Foundation

/// The file beside the target that a download grows in, and what is known of it.
///
/// Both survive the process. What is known is stored before the first byte it speaks of, and removed after the last.
final class PartialFile: Sendable {
    /// The facts that are needed to go on.
    struct Knowledge: Codable, Equatable {
        /// A digest of the URL, which may hold secrets.
        var url: String
        /// The validator of this version of the file: a strong entity tag, or a date.
        var validator: String
        var total: Int64?
        var digest: ReprDigest?
    }

    /// More than is ever known.
    private static let longestKnowledge = 1 << 16
    private static let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    /// The target that the caller asked for, named in errors.
    private let target: URL
    /// The path at which the file is put in the end: the target of a link, if it is one.
    private let finalPath: String
    private let path: String
    private let knowledgePath: String
    private let file: Locked<OpenFile?>
    /// Whether what is in it can be gone on with.
    private let isOfUse = Locked(true)

    /// Opens the file, or makes it. Only one download has it at a time.
    ///
    /// - Throws: ``DownloadFailure``.
    init(beside target: URL) throws {
        self.target = target
        finalPath = target.resolvingSymlinksInPath().path
        path = finalPath + ".partial"
        knowledgePath = path + "-info"
        guard target.isFileURL else { throw DownloadFailure(reason: .file(.EINVAL), file: target) }
        // A folder, a device or a pipe must not be replaced by a file.
        if let reason = Self.obstacle(at: finalPath) { throw DownloadFailure(reason: .file(reason), file: target) }
        let path = path
        file = Locked(try Self.attempt(target) { try OpenFile.locked(path) })
    }

    /// The number of bytes that have been written.
    var count: Int64 { get throws { try work { try $0.count } } }

    /// The stored facts about the bytes; `nil` if there are none that can be read.
    var knowledge: Knowledge? {
        do {
            let file = Descriptor(try Descriptor.check { open(knowledgePath, O_RDONLY | Self.flags) })
            guard let data = try file.contents(atMost: Self.longestKnowledge) else { return nil }
            return try JSONDecoder().decode(Knowledge.self, from: data)
        } catch {
            return nil
        }
    }

    /// Drops all bytes, and begins anew with what is known of those that will come; `nil` if they will be of no use later.
    func begin(_ knowledge: Knowledge?) throws {
        try work { try $0.truncate(to: 0) }
        isOfUse.withLock { $0 = knowledge != nil }
        guard let knowledge else { return removeKnowledge() }
        do {
            // There are no bytes yet that it could be wrong for, so it may be cut short, and needs no file beside it.
            let flags = O_WRONLY | O_CREAT | O_TRUNC | Self.flags
            let file = Descriptor(try Descriptor.check { open(knowledgePath, flags, 0o666) })
            try file.write(try JSONEncoder().encode(knowledge))
        } catch {
            // Without it the file is downloaded all the same.
            removeKnowledge()
            isOfUse.withLock { $0 = false }
        }
    }

    /// Goes on behind the first bytes.
    func goOn(after count: Int64) throws { try work { try $0.truncate(to: count) } }

    func write(_ data: Data) throws { try work { try $0.write(data) } }

    /// The SHA-256 of all bytes.
    func digest() throws -> [UInt8] {
        var (hash, offset) = (SHA256(), Int64(0))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try work({ try $0.read(into: buffer, at: offset) }), count > 0 {
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        return hash.finalize()
    }

    /// Puts the file into its place, in that of what was there.
    func finish() throws {
        try work { _ in
            guard rename(path, finalPath) == 0 else { throw POSIXError.last }
        }
        removeKnowledge()
        close()
    }

    /// Removes it.
    func remove() {
        guard let file = file.withLock({ $0.take() }), file.isAt(path) else { return }
        removeKnowledge()
        unlink(path)
    }

    /// Lets another download have it. What cannot be gone on with is removed.
    func close() {
        guard let file = file.withLock({ $0.take() }) else { return }
        if (try? file.count) == 0 || !isOfUse.withLock({ $0 }), file.isAt(path) { unlink(path) }
    }

    private static func obstacle(at path: String) -> POSIXErrorCode? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: .EISDIR
        default: .EINVAL
        }
    }

    private func removeKnowledge() { unlink(knowledgePath) }

    /// One call of the system. It is waited for before another download can have the file.
    private func work<Value>(_ work: (OpenFile) throws -> Value) throws -> Value {
        try Self.attempt(target) {
            try file.withLock { file in
                guard let file else { throw CancellationError() }
                return try work(file)
            }
        }
    }

    private static func attempt<Value>(_ target: URL, _ work: () throws -> Value) throws -> Value {
        do { return try work() } catch let error as POSIXError {
            let reason: DownloadFailure.Reason = error.code == .EWOULDBLOCK ? .inUse : .file(error.code)
            throw DownloadFailure(reason: reason, file: target)
        }
    }
}
