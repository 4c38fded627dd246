import Basics

/// The SHA-256 of a whole file, as a server says it (RFC 9530, section 3).
struct ReprDigest: Codable, Equatable {
    private let bytes: Data

    /// The digest of the fields; `nil` if there is none by SHA-256, or none that can be read.
    ///
    /// `Content-Digest` is that of the content as it was sent, which is the file only where the reply has all of it. Both are
    /// those of the compressed bytes where the reply is compressed.
    init?(_ response: HTTPURLResponse) {
        guard response.isUncompressed else { return nil }
        let names = response.statusCode == 206 ? ["Repr-Digest"] : ["Repr-Digest", "Content-Digest"]
        for name in names {
            guard let field = response.value(forHTTPHeaderField: name), let bytes = Self.sha256(in: field) else {
                continue
            }
            self.bytes = bytes
            return
        }
        return nil
    }

    /// The value of `sha-256` in `sha-512=:…:, sha-256=:…:`.
    private static func sha256(in field: String) -> Data? {
        for member in field.split(separator: ",") {
            let text = member.trimmingCharacters(in: .whitespaces)
            guard text.hasPrefix("sha-256=:"), case let rest = text.dropFirst("sha-256=:".count),
                let end = rest.firstIndex(of: ":"), let bytes = Data(base64Encoded: String(rest[..<end])),
                bytes.count == SHA256.count
            else { continue }
            return bytes
        }
        return nil
    }

    /// Whether these are the bytes of the digest.
    func matches(_ digest: [UInt8]) -> Bool { bytes.elementsEqual(digest) }
}
