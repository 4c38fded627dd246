import Basics
import Foundation

/// Finds the secrets in the value of a header: the parts that a server may repeat without the rest.
package enum Credentials {
    /// The secrets of a value that is one, or that is made of a scheme and credentials (RFC 9110, section 11.4): those without
    /// the scheme, a password of `Basic`, and the parameters of others.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isHeader: Whether it is that of a header; in other places only known schemes are taken for such.
    /// - Returns: The secrets, the value itself if it is made of nothing else.
    package static func secrets(of value: String, isHeader: Bool) -> [[UInt8]] {
        let value = value.trimmingCharacters(in: .whitespaces)
        let scheme = value.prefix { $0 != " " && $0 != "\t" }
        let rest = value[scheme.endIndex...].trimmingCharacters(in: .whitespaces)
        guard !rest.isEmpty, isHeader || schemes.contains(scheme.lowercased()) else { return [Array(value.utf8)] }
        var secrets = [Array(rest.utf8)] + (isHeader ? [] : [Array(value.utf8)])
        if scheme.lowercased() == "basic", let data = Data(base64Encoded: rest),
            let password = data.split(separator: UInt8(ascii: ":"), maxSplits: 1).last
        {
            secrets.append(Array(password))
        }
        // Most credentials are one token, and to look for a pattern takes as long as all the rest of a recorded call.
        guard rest.utf8.contains(UInt8(ascii: "=")) else { return secrets }
        let parameters = rest.matches(of: /([A-Za-z0-9_.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",=]+)(?=\s*(?:,|$)))/)
        for match in parameters where !publicParameters.contains(match.1.lowercased()) {
            secrets.append(Array((match.2 ?? match.3 ?? "").utf8))
        }
        return secrets
    }

    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "token", "oauth", "dpop", "hawk", "mac", "negotiate", "apikey", "signature",
        "aws4-hmac-sha256", "gnap", "scram-sha-256", "sso-key", "key",
    ]

    /// Parameters that everybody may know.
    private static let publicParameters: Set<String> = [
        "realm", "username", "uri", "algorithm", "qop", "nc", "charset", "userhash", "scope", "oauth_version",
        "oauth_signature_method", "oauth_timestamp", "signedheaders", "headers", "keyid", "ts", "stale", "domain",
    ]
}
