public import Foundation
import Basics

/// The body of a request, as a signature needs it. A request does not always hold its body, so it is passed.
public enum SignedBody: Sendable {
    /// These bytes; `Data()` for no body.
    case data(Data)
    /// The bytes of a file, which is read in pieces.
    case file(URL)
    /// A body with this SHA-256 digest, 32 bytes, which the caller has computed.
    case sha256(Data)
    /// A body that is not signed. Anyone on the way can replace it.
    case unsigned

    private static let pieceSize = 1 << 16

    var isUnsigned: Bool {
        if case .unsigned = self { true } else { false }
    }

    /// Passes the bytes in pieces.
    ///
    /// - Throws: ``SigningError/bodyNotPassed`` if only a digest is known, or nothing, and
    ///   ``SigningError/unreadableBody(path:)``.
    func read(_ take: (Data) -> Void) throws {
        switch self {
        case .data(let data): take(data)
        case .file(let url): try Self.read(url, take)
        case .sha256, .unsigned: throw SigningError.bodyNotPassed
        }
    }

    /// The SHA-256 digest.
    ///
    /// - Throws: As ``read(_:)``, but a digest is enough.
    func digest() throws -> [UInt8] {
        if case .sha256(let digest) = self {
            guard digest.count == SHA256.count else { throw SigningError.bodyNotPassed }
            return Array(digest)
        }
        var hash = SHA256()
        try read { hash.update($0) }
        return hash.finalize()
    }

    private static func read(_ url: URL, _ take: (Data) -> Void) throws {
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            while let piece = try file.read(upToCount: pieceSize), !piece.isEmpty { take(piece) }
        } catch {
            throw SigningError.unreadableBody(path: url.path)
        }
    }
}
