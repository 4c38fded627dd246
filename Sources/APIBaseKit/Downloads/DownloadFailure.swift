/// Why a download could not become a file.
public struct DownloadFailure: Error, Sendable, Hashable {
    /// The reason of the failure.
    public enum Reason: Sendable, Hashable {
        /// The system refused something: `ENOSPC` for a full disk, `EACCES` for a folder without rights,
        /// `EINVAL` for what is no file, such as a device, or a URL that is not that of a file.
        case file(POSIXErrorCode)
        /// Another download to the same file is under way.
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
}

extension DownloadFailure: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? {
        let name = "“\(file.lastPathComponent)”"
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
