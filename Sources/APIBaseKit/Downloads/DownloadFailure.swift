/// Why a download could not become a file.
public struct DownloadFailure: Error, Sendable, Hashable {
    /// The reason of the failure.
    public enum Reason: Sendable, Hashable {
        /// The system refused something: `ENOSPC` for a full disk, `EACCES` for a folder without rights,
        /// `EINVAL` for what is no file, such as a device, or a URL that is not that of a file; `EPERM` for a part that belongs
        /// to another user, or that others may write; `EEXIST` where the part goes, for a file that no download has left.
        case file(POSIXErrorCode)
        /// Another download to the same file is under way; or the file is the part of another download, or has the name of
        /// this one's part.
        case inUse
        /// The reply is for another part of the file than was asked for.
        case unexpectedPart
        /// The file has another length than the server has said.
        case length(expected: Int64, received: Int64)
        /// The file has another digest than the server has said (RFC 9530). Nothing of it is kept.
        case digest
    }

    /// The reason of the failure.
    public let reason: Reason
    /// The target of the download.
    public let file: URL
    /// What is in the way, at the target or where its part goes; nil if the reason is another one.
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
        case .pipe, .device, .danglingLink: .file(.EINVAL)
        case .link: .file(.ELOOP)
        case .user, .mode, .severalNames: .file(.EPERM)
        case .notAPart, .replacement: .file(.EEXIST)
        case .part, .target: .inUse
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
