/// A file or folder that is in the way: it is of the wrong kind, or others may have written it.
public struct FileObstacle: Error, Sendable, Hashable {
    /// What is wrong with it.
    public enum Kind: Sendable, Hashable {
        /// It is a folder, a pipe, or a device or socket, and not a file.
        case folder, pipe, device
        /// It is a symbolic link, where none is followed.
        case link
        /// It is a symbolic link that leads to nothing.
        case danglingLink
        /// It belongs to another user, of this number.
        case user(UInt32)
        /// Its rights let other users write it.
        case mode(UInt16)
        /// It has several names (hard links).
        case severalNames
        /// It is the part of a download to another file.
        case part(of: URL)
        /// It is the target of a download that is under way.
        case target
        /// It is a file that no download has left.
        case notAPart
        /// It has taken the place of the file that was written.
        case replacement
    }

    /// What is wrong with it.
    public let kind: Kind
    /// Where it is; relative to its folder, if it was found there.
    public let path: String

    init(_ kind: Kind, at path: String) {
        (self.kind, self.path) = (kind, path)
    }
}

extension FileObstacle: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? { "“\(path)” \(predicate)." }

    /// The sentence without its subject and the full stop.
    var predicate: String {
        switch kind {
        case .folder: "is a folder"
        case .pipe: "is a pipe"
        case .device: "is a device or a socket"
        case .link: "is a symbolic link"
        case .danglingLink: "is a symbolic link that leads nowhere"
        case .user(let number): "belongs to another user (number \(number))"
        case .mode(let mode): "can be written by other users (mode \(String(mode, radix: 8)))"
        case .severalNames: "has several names (hard links)"
        case .part(let file): "is the part of a download to “\(file.lastPathComponent)”"
        case .target: "is the target of another download"
        case .notAPart: "is not the part of a download"
        case .replacement: "is not the file that was written"
        }
    }
}
