/// An error of a download to a file.
public struct DownloadFailure: Error, Sendable, Hashable {
    /// The reasons of failures.
    public enum Reason: Sendable, Hashable {
        /// An error of the file system: `ENOSPC` for a full disk, `EACCES` for a folder without permissions, `EINVAL`
        /// for a target that is not a file, such as a device, whose name ends in `.partial` or `.partial-info`, or
        /// whose URL is not a file URL; `EPERM` for a partial file that belongs to another user, or that others may
        /// write; `EEXIST` for a file that is in the place of the partial file and not from a download.
        case file(POSIXErrorCode)
        /// Another download to the same file is under way.
        case inUse
        /// The response has another range of the file than requested.
        case unexpectedPart
        /// The file has another length than the server has stated.
        case length(expected: Int64, received: Int64)
        /// The file has another digest than the server has stated (RFC 9530). It is removed.
        case digest
    }

    /// The reason of the failure.
    public let reason: Reason
    /// The target of the download.
    public let file: URL
    /// The obstacle at the target or at its partial file; nil for another reason.
    public let obstacle: FileObstacle?

    init(reason: Reason, file: URL) {
        (self.reason, self.file, obstacle) = (reason, file, nil)
    }

    init(_ obstacle: FileObstacle, file: URL) {
        (reason, self.file, self.obstacle) = (obstacle.reason, file, obstacle)
    }
}

extension FileObstacle {
    fileprivate var reason: DownloadFailure.Reason {
        switch kind {
        case .folder: .file(.EISDIR)
        case .pipe, .device, .danglingLink, .partName: .file(.EINVAL)
        case .link: .file(.ELOOP)
        case .user, .mode, .severalNames: .file(.EPERM)
        case .notAPart, .replacement, .notAToken: .file(.EEXIST)
        }
    }
}

extension DownloadFailure: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? {
        let name = "“\(file.lastPathComponent)”"
        if let obstacle {
            let place = (obstacle.path as NSString).lastPathComponent
            let subject = place == file.lastPathComponent ? "it" : "“\(place)”"
            return "\(name) cannot be written: \(subject) \(obstacle.predicate)."
        }
        return switch reason {
        case .file(let code): "\(name) cannot be written: \(POSIXError(code).localizedDescription)"
        case .inUse: "\(name) is being downloaded already."
        case .unexpectedPart: "The server has sent another part of \(name) than it was asked for."
        case .length(let expected, let received):
            "\(name) has \(received) bytes where the server has said \(expected)."
        case .digest: "\(name) has another digest than the server has said."
        }
    }
}
