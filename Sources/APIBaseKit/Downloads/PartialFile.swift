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

    /// What is stored: which file it is about, and what is known of that.
    private struct Record: Codable {
        var file: FileIdentity
        /// Nil if its bytes will be of no use later.
        var knowledge: Knowledge?
    }

    /// More than is ever known.
    private static let longestRecord = 1 << 16
    private static let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    /// The target that the caller asked for, named in errors.
    private let target: URL
    /// The path at which the file is put in the end: the target of a link, if it is one.
    private let finalPath: String
    private let path: String
    private let recordPath: String
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
        recordPath = path + "-info"
        guard target.isFileURL else { throw DownloadFailure(reason: .file(.EINVAL), file: target) }
        let (path, finalPath) = (path, finalPath)
        file = Locked(
            try Self.attempt(target) {
                try Self.checkKind(at: finalPath)
                try Self.checkNames(at: finalPath)
                return try OpenFile.locked(path)
            }
        )
        do {
            try Self.attempt(target) {
                // Again with the part locked: of two that are begun at once, one at least sees the other.
                try Self.checkNames(at: finalPath)
                try checkOrigin()
            }
        } catch {
            close()
            throw error
        }
    }

    /// The number of bytes that have been written.
    var count: Int64 { get throws { try work { try $0.count } } }

    /// The stored facts about the bytes; `nil` if there are none that can be read, or none about this file.
    var knowledge: Knowledge? {
        guard let record, let identity = try? work({ try $0.identity }), record.file == identity else { return nil }
        return record.knowledge
    }

    private var record: Record? {
        do {
            let file = Descriptor(try Descriptor.check { open(recordPath, O_RDONLY | Self.flags) })
            guard try file.status().distrust == nil, let data = try file.contents(atMost: Self.longestRecord) else {
                return nil
            }
            return try JSONDecoder().decode(Record.self, from: data)
        } catch {
            return nil
        }
    }

    /// Drops all bytes, and begins anew with what is known of those that will come; `nil` if they will be of no use later.
    func begin(_ knowledge: Knowledge?) throws {
        let identity = try work { file in
            try file.truncate(to: 0)
            return try file.identity
        }
        isOfUse.withLock { $0 = knowledge != nil }
        do {
            // There are no bytes yet that it could be wrong for, so it may be cut short, and needs no file beside it. What was
            // there is never written into: it may have another name as well.
            removeRecord()
            let flags = O_WRONLY | O_CREAT | O_EXCL | Self.flags
            let file = Descriptor(try Descriptor.check { open(recordPath, flags, 0o600) })
            try file.write(try JSONEncoder().encode(Record(file: identity, knowledge: knowledge)))
        } catch {
            // Without it the file is downloaded all the same.
            removeRecord()
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
        try work { file in
            try Self.checkKind(at: finalPath)
            guard file.isAt(path) else {
                guard FileStatus(at: path) != nil else { throw POSIXError(.ENOENT) }
                throw FileObstacle(.replacement, at: path)
            }
            guard rename(path, finalPath) == 0 else { throw POSIXError.last }
            file.takeUsualRights(in: (finalPath as NSString).deletingLastPathComponent)
        }
        removeRecord()
        close()
    }

    /// Removes it.
    func remove() {
        guard let file = file.withLock({ $0.take() }), file.isAt(path) else { return }
        unlink(path)
        removeRecord()
    }

    /// Lets another download have it. What cannot be gone on with is removed.
    func close() {
        guard let file = file.withLock({ $0.take() }), file.isAt(path) else { return }
        if (try? file.count) == 0 || !isOfUse.withLock({ $0 }) || !file.isTrusted {
            unlink(path)
            if record != nil { removeRecord() }
        }
    }

    private func removeRecord() { unlink(recordPath) }

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
        do { return try work() } catch let obstacle as FileObstacle {
            throw DownloadFailure(obstacle, file: target)
        } catch let error as POSIXError {
            let reason: DownloadFailure.Reason = error.code == .EWOULDBLOCK ? .inUse : .file(error.code)
            throw DownloadFailure(reason: reason, file: target)
        }
    }
}

// MARK: What is in the way

extension PartialFile {
    /// A folder, a device or a pipe must not be replaced by a file.
    private static func checkKind(at path: String) throws {
        guard let status = FileStatus(at: path), let kind = FileObstacle.kind(of: status) else { return }
        throw FileObstacle(kind == .link ? .danglingLink : kind, at: path)
    }

    /// Checks that no other download has the target for its part, or the part for its target.
    private static func checkNames(at target: String) throws {
        for end in [".partial", ".partial-info"] {
            if OpenFile.isLocked(target + end + ".partial") { throw FileObstacle(.target, at: target + end) }
            guard target.lowercased().hasSuffix(end), case let other = String(target.dropLast(end.count)),
                case let part = other + ".partial", FileStatus(at: part) != nil,
                OpenFile.isLocked(part) || FileStatus(at: part + "-info") != nil
            else { continue }
            throw FileObstacle(.part(of: URL(fileURLWithPath: other)), at: target)
        }
    }

    /// Checks that what is there has been left by a download.
    private func checkOrigin() throws {
        let info = FileStatus(at: recordPath)
        if try count > 0 {
            guard info?.owner == geteuid() else { throw FileObstacle(.notAPart, at: path) }
        } else if let info, info.isFile, info.size > 0, info.distrust == nil, record == nil {
            throw FileObstacle(.notAPart, at: recordPath)
        }
    }
}
