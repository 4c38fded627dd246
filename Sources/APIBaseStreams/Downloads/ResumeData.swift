import Basics
import HTTPTransport

/// The facts about a partial file that are needed to resume its download.
struct ResumeData: Codable, Equatable {
    /// A digest of the URL, which may hold secrets.
    var url: String
    /// The validator of this version of the file: a strong entity tag, or a date.
    var validator: String
    /// The length of the complete file in bytes, and its digest, if the server has stated them.
    var total: Int64?
    var digest: ReprDigest?
}

extension ResumeData {
    /// Reads the facts from a response; `nil` if its download cannot be resumed.
    init?(url: String, _ response: HTTPURLResponse) {
        guard response.isUncompressed, let validator = response.strongValidator,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none", validator.isKeepableValidator
        else { return nil }
        self.init(url: url, validator: validator, total: response.fileLength, digest: ReprDigest(response))
    }

    /// True if a partial response is of the same version of the file, and reaches to its end.
    func isConfirmed(by response: HTTPURLResponse, _ part: ContentRange) -> Bool {
        guard response.isUncompressed else { return false }
        if HTTPDate.date(validator) == nil {
            // The response must have the tag (RFC 9110, section 15.3.7): some servers ignore `If-Range`.
            guard EntityTag(HTTPHeaders(response.headerDictionary))?.text == validator else { return false }
        } else if let lastModified = response.value(forHTTPHeaderField: "Last-Modified"), lastModified != validator {
            return false
        }
        if let total, let stated = part.total, stated != total { return false }
        return (total ?? part.total).map { part.last == $0 - 1 } ?? true
    }
}

/// The value of `Content-Range` in bytes (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// The length of the complete file; `nil` if the server does not know it.
    let total: Int64?

    /// - Returns: `nil` for anything but `bytes 0-9/100` and `bytes 0-9/*` with possible numbers.
    init?(_ field: String) {
        guard let match = field.wholeMatch(of: /\ *(?i:bytes) +([0-9]+)-([0-9]+)\/([0-9]+|\*) */),
            let first = Int64(match.1), let last = Int64(match.2), first <= last, last < .max
        else { return nil }
        let total = Int64(match.3)
        guard match.3 == "*" || total.map({ last < $0 }) == true else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}

/// The SHA-256 of a complete file, as the server states it (RFC 9530, section 3).
struct ReprDigest: Codable, Equatable {
    private let bytes: Data

    /// Reads the digest from the fields; `nil` if there is no valid SHA-256.
    ///
    /// `Content-Digest` is about the content as sent, which is the file only if the response is not partial. Both are
    /// about the compressed bytes if the response is compressed.
    init?(_ response: HTTPURLResponse) {
        guard response.isUncompressed else { return nil }
        let names = response.statusCode == 206 ? ["Repr-Digest"] : ["Repr-Digest", "Content-Digest"]
        let digests = names.lazy.compactMap { response.value(forHTTPHeaderField: $0) }.compactMap(Self.sha256)
        guard let bytes = digests.first else { return nil }
        self.bytes = bytes
    }

    /// The value of `sha-256` in `sha-512=:…:, sha-256=:…:`.
    private static func sha256(in field: String) -> Data? {
        for text in field.parts(at: ",") {
            guard text.hasPrefix("sha-256=:"), case let rest = text.dropFirst("sha-256=:".count),
                let end = rest.firstIndex(of: ":"), let bytes = Data(base64Encoded: String(rest[..<end])),
                bytes.count == SHA256.count
            else { continue }
            return bytes
        }
        return nil
    }

    func matches(_ digest: [UInt8]) -> Bool { bytes.elementsEqual(digest) }
}

extension HTTPURLResponse {
    /// The range of a partial response.
    var contentRange: ContentRange? { value(forHTTPHeaderField: "Content-Range").flatMap(ContentRange.init) }

    /// True if the bytes are delivered as they come.
    fileprivate var isUncompressed: Bool {
        ContentCodings(value(forHTTPHeaderField: "Content-Encoding")).decoded == nil
    }

    /// The length in bytes of the complete file in this response; `nil` if it is compressed or not stated.
    var fileLength: Int64? {
        guard isUncompressed else { return nil }
        return value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    /// A strong validator, which identifies the version of the file: a strong entity tag, or a date of modification at
    /// least a minute before that of the response (RFC 9110, section 8.8.2.2). `nil` without such a date.
    fileprivate var strongValidator: String? {
        if let tag = EntityTag(HTTPHeaders(headerDictionary)) { return tag.isWeak ? nil : tag.text }
        guard let lastModified = value(forHTTPHeaderField: "Last-Modified"),
            let date = value(forHTTPHeaderField: "Date"),
            let change = HTTPDate.date(lastModified), let now = HTTPDate.date(date), now.timeIntervalSince(change) >= 60
        else { return nil }
        return lastModified
    }
}
