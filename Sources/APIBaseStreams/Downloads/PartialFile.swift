import Basics
import Foundation

/// The partial file beside the target of a download, and the file with its resume data.
///
/// Both survive the process. The resume data is written before the first byte, and removed after the last.
final class PartialFile: Sendable {
    /// The contents of the second file.
    private struct Record: Codable {
        /// The identity of the partial file.
        var file: FileIdentity
        /// `nil` if the file cannot be resumed.
        var resumeData: ResumeData?

        /// The keys must stay: another version may have left the file.
        enum CodingKeys: String, CodingKey { case file, resumeData = "knowledge" }
    }

    /// The maximum length of a record, in bytes.
    private static let longestRecord = 1 << 16

    /// The target that the caller asked for, named in errors.
    private let target: URL
    /// The path of the complete file: the target, or what that links to.
    private let finalPath: String
    private let path: String
    private let recordPath: String
    private let file: Locked<LockedFile?>
    private let isResumable = Locked(true)

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
                try Self.checkName(of: finalPath)
                try Self.checkKind(at: finalPath)
                return try LockedFile.open(path)
            }
        )
        do {
            try Self.attempt(target) { try checkOrigin() }
        } catch {
            close()
            throw error
        }
    }

    /// The number of bytes in the file.
    var count: Int64 { get throws { try work { try $0.count } } }

    /// The resume data; `nil` if it cannot be read and sent, or is about another file.
    var resumeData: ResumeData? {
        guard let record, let identity = try? work({ try $0.identity }), record.file == identity,
            // The contents of a file may be anything.
            record.resumeData?.validator.isKeepableValidator == true
        else { return nil }
        return record.resumeData
    }

    private var record: Record? {
        do {
            let file = try FileDescriptor(path: recordPath, O_RDONLY)
            guard try file.status().distrust == nil, let data = try file.contents(atMost: Self.longestRecord) else {
                return nil
            }
            return try JSONDecoder().decode(Record.self, from: data)
        } catch {
            return nil
        }
    }

    /// Removes all bytes, and stores the resume data for those that follow; `nil` if they cannot be resumed.
    func restart(_ data: ResumeData?) throws {
        let identity = try work { file in
            try file.truncate(to: 0)
            return try file.identity
        }
        isResumable.withLock { $0 = data != nil }
        do {
            // There are no bytes yet, so a record that is cut off does no harm. The old one is replaced and not
            // overwritten, since it may have another name (a hard link).
            removeRecord()
            let file = try FileDescriptor(path: recordPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(try JSONEncoder().encode(Record(file: identity, resumeData: data)))
        } catch {
            // The download works without a record.
            removeRecord()
            isResumable.withLock { $0 = false }
        }
    }

    /// Keeps the first bytes only.
    func resume(after count: Int64) throws { try work { try $0.truncate(to: count) } }

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

    /// Moves the file to the target, or to another file of its folder.
    func finish(as other: URL?) throws {
        let finalPath = other?.path ?? finalPath
        try work { file in
            try Self.checkKind(at: finalPath)
            guard file.isAt(path) else {
                guard FileStatus(at: path) != nil else { throw POSIXError(.ENOENT) }
                throw FileObstacle(.replacement, at: path)
            }
            guard rename(path, finalPath) == 0 else { throw POSIXError.last }
        }
        removeRecord()
        close()
    }

    /// Removes both files.
    func remove() {
        guard let file = file.withLock({ $0.take() }), file.isAt(path) else { return }
        unlink(path)
        removeRecord()
    }

    /// Releases the file for other downloads. It is removed if it cannot be resumed.
    func close() {
        guard let file = file.withLock({ $0.take() }), file.isAt(path) else { return }
        if (try? file.count) == 0 || !isResumable.withLock({ $0 }) || !file.isTrusted {
            unlink(path)
            if record != nil { removeRecord() }
        }
    }

    private func removeRecord() { unlink(recordPath) }

    /// Works with the file under the lock: it is released when the work is done.
    private func work<Value>(_ work: (LockedFile) throws -> Value) throws -> Value {
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

// MARK: Obstacles

extension PartialFile {
    /// A file must not replace a folder, a device or a pipe.
    private static func checkKind(at path: String) throws {
        guard let kind = FileStatus(at: path)?.obstacle else { return }
        throw FileObstacle(kind == .link ? .danglingLink : kind, at: path)
    }

    /// A file must not have the name of another's partial file.
    private static func checkName(of target: String) throws {
        guard [".partial", ".partial-info"].contains(where: target.lowercased().hasSuffix) else { return }
        throw FileObstacle(.partName, at: target)
    }

    /// Checks that existing files are from a download.
    private func checkOrigin() throws {
        let info = FileStatus(at: recordPath)
        if try count > 0 {
            guard info?.owner == geteuid() else { throw FileObstacle(.notAPart, at: path) }
        } else if let info, info.isFile, info.size > 0, info.distrust == nil, record == nil {
            throw FileObstacle(.notAPart, at: recordPath)
        }
    }
}
