import Basics
import Foundation

/// The beginning of a body without its secrets. No more is looked through than is shown, and some bytes after it.
struct BodyExcerpt {
    /// Bytes after what is shown, in which a name may stand that makes what comes before it a secret.
    private static let lookahead = 8 << 10

    private let body: Data
    private let type: String
    private let names: SecretNames

    /// - Parameters:
    ///   - body: The bytes, not compressed.
    ///   - type: Their media type, as `Content-Type` has it.
    ///   - names: What is secret.
    init(_ body: Data, type: String, without names: SecretNames) {
        (self.body, self.type, self.names) = (body, type, names)
    }

    /// At most so many bytes of it, with a mark if there are more; the number of its bytes if it is no text.
    func text(atMost limit: Int) -> String {
        let limit = max(0, limit)
        let window = body.prefix(limit < body.count ? limit + Self.lookahead : body.count)
        let whole = window.count == body.count ? window[...] : window.withoutCutCharacter
        guard String(valid: whole) != nil else { return "\(body.count) bytes" }
        let clean = names.redactedBody(Array(whole), type: type)?.bytes ?? Array(whole)
        let shown = String(decoding: clean.prefix(limit), as: UTF8.self)
        let isAll = window.count == body.count && clean.count <= limit
        return isAll ? shown : "\(shown)… (\(body.count) bytes)"
    }
}

extension Data {
    /// The text without the first bytes of a character whose last ones are missing.
    fileprivate var withoutCutCharacter: Data {
        // UTF-8 takes at most four bytes, of which the others begin with the bits 10.
        guard let first = suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), self[first] >= 0x80 else { return self }
        let length = self[first] >= 0xF0 ? 4 : self[first] >= 0xE0 ? 3 : 2
        return endIndex - first < length ? self[..<first] : self
    }
}
