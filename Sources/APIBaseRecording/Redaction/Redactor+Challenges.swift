import APIBaseKit
import Basics

extension Redactor {
    /// The challenges for Digest (RFC 7616) in a field, without their secrets: a replayed call answers them as the
    /// recorded call did. `nil` if there are none.
    mutating func redactedChallenges(in field: HAR.Field) -> String? {
        guard field.name.lowercased() == "www-authenticate" else { return nil }
        var texts: [String] = []
        for challenge in AuthenticationChallenge.all(in: field.value) where challenge.scheme == "digest" {
            guard let parameters = challenge.parameters, let nonce = parameters["nonce"], parameters["realm"] != nil
            else { continue }
            let marker = RedactionRules.marker
            // Another nonce stays another one: that distinguishes a new challenge from a refused password.
            var text = "Digest realm=\"\(marker)\", nonce=\"\(marker)-\(SHA256.hex(of: nonce).prefix(8))\""
            for name in ["algorithm", "qop", "stale", "domain"] {
                guard let value = parameters[name] else { continue }
                text += ", \(name)=\"\(value.isHarmless ? redacted(value) : marker)\""
            }
            texts.append(text)
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}

extension String {
    /// Whether it is short, and can be quoted without an escape.
    fileprivate var isHarmless: Bool {
        utf8.count <= 256 && utf8.allSatisfy { (0x20..<0x7F).contains($0) && !"\"\\".utf8.contains($0) }
    }
}
