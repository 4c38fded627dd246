public import Foundation
/// A file or folder that prevents an operation: it is of the wrong kind, or other users may have written it.
public struct FileObstacle: Error, Sendable, Hashable {
    /// The problem with a file or folder.
    public enum Kind: Sendable, Hashable {
        /// It is not a regular file but a folder, a pipe, or a device or socket.
        case folder, pipe, device
        /// It is a symbolic link, and links are not followed.
        case link
        /// It is a symbolic link without a target.
        case danglingLink
        /// It belongs to another user, of this number.
        case user(UInt32)
        /// Other users may write it: its permissions.
        case mode(UInt16)
        /// It has several names (hard links).
        case severalNames
        /// Its name ends as those of partial files, in `.partial` or `.partial-info`.
        case partName
        /// It is not the partial file of a download.
        case notAPart
        /// It has replaced the file that was written.
        case replacement
        /// It does not hold a token.
        case notAToken
    }

    /// The problem.
    public let kind: Kind
    /// The path; relative to its folder, if it was found there.
    public let path: String

    package init(_ kind: Kind, at path: String) {
        (self.kind, self.path) = (kind, path)
    }
}

extension FileObstacle: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? { "“\(path)” \(predicate)." }

    /// The predicate of that sentence.
    package var predicate: String {
        switch kind {
        case .folder: "is a folder"
        case .pipe: "is a pipe"
        case .device: "is a device or a socket"
        case .link: "is a symbolic link"
        case .danglingLink: "is a symbolic link that leads nowhere"
        case .user(let number): "belongs to another user (number \(number))"
        case .mode(let mode): "can be written by other users (mode \(String(mode, radix: 8)))"
        case .severalNames: "has several names (hard links)"
        case .partName: "has the name of a partial file"
        case .notAPart: "is not the part of a download"
        case .replacement: "is not the file that was written"
        case .notAToken: "does not hold a token"
        }
    }
}
