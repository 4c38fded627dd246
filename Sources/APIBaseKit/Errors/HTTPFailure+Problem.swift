import Foundation
import HTTPTransport

extension HTTPFailure {
    /// The title of a problem, for a message (RFC 9457, section 3.1.3); `nil` if there is none.
    ///
    /// Its `detail` is left out: it is about one occurrence, and may quote what was sent, a key or a token for example.
    ///
    /// A member of another type than that of the RFC counts as one that is not there (section 3.1).
    var problemText: String? {
        guard let type = headers["Content-Type"], MediaType(type) == MediaType("application/problem+json"),
            body.count <= Self.problemLimit,
            let members = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let title = members["title"] as? String, !title.isEmpty
        else { return nil }
        // What is far beyond the end is not looked at: to find secrets takes its time.
        let beginning = String(title.prefix(4 * Self.textLimit))
        let text = Self.withoutSecrets(beginning).withoutControls
        return text.count > Self.textLimit ? "\(text.prefix(Self.textLimit))…" : text
    }

    /// The text without what stands behind the name of a secret, in prose as well: `token=…`, `Authorization: Bearer …`.
    static func withoutSecrets(_ text: String) -> String {
        let text = secrets.withoutSecrets(text).replacing(/(?i)(bearer\s+)[\w.~+\/=-]{16,}/) { "\($0.1)REDACTED" }
        var (result, rest) = ("", text[...])
        while let match = rest.firstMatch(of: /(?i)([\w.\[\]-]{1,64})["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?/) {
            result += rest[..<match.range.upperBound]
            rest = rest[match.range.upperBound...]
            let name = String(match.1)
            guard secrets.hasField(name) || secrets.hasQueryName(name) || secrets.hasHeader(name) else { continue }
            result += "REDACTED"
            rest = rest.drop { !$0.isWhitespace && !"\"'&;,".contains($0) }
        }
        return result + rest
    }

    /// The longest body that is read for it, in bytes, and the most that is shown, in characters.
    private static let (problemLimit, textLimit) = (64 << 10, 300)
    private static let secrets = SecretNames(.default, secretHeaders: [])
}
