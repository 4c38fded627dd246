import Basics

/// Finds the secret parts in the value of a header or field. A server may repeat one part without the rest.
enum Credentials {
    /// Returns the secret parts of a value that is a secret, or that has a scheme and credentials (RFC 9110, section
    /// 11.4): the credentials without the scheme, a password of `Basic`, and the parameters of other schemes.
    /// The value itself is returned if it has no parts. Except in headers, only known schemes count as schemes.
    static func secrets(of value: String, isHeader: Bool) -> [[UInt8]] {
        let value = value.trimmingCharacters(in: .whitespaces)
        let scheme = value.prefix { $0 != " " && $0 != "\t" }
        let rest = value[scheme.endIndex...].trimmingCharacters(in: .whitespaces)
        // `Authentication-Info` and most signatures have parameters without a scheme.
        if isHeader, scheme.contains("=") || rest.isEmpty {
            let long = parameters(of: Array(value.utf8)).filter { $0.value.count >= 16 }
            return [Array(value.utf8)] + long.filter { !isPublic($0.name) }.map(\.value)
        }
        guard !rest.isEmpty, isHeader || schemes.contains(scheme.lowercased()) else { return [Array(value.utf8)] }
        var secrets = [Array(rest.utf8)] + (isHeader ? [] : [Array(value.utf8)])
        if scheme.lowercased() == "basic", let data = Data(base64Encoded: rest),
            let password = data.split(separator: UInt8(ascii: ":"), maxSplits: 1).last
        {
            secrets.append(Array(password))
        }
        for (name, secret) in parameters(of: Array(rest.utf8)) where !isPublic(name) { secrets.append(secret) }
        return secrets
    }

    /// The index after a scheme that is usual in messages and the white space after it; nil without one.
    static func afterScheme(in text: [UInt8], at index: Int, _ schemes: [StaticString] = ["bearer", "basic"]) -> Int? {
        let scheme = text.withUnsafeBufferPointer { text in schemes.first { text.matches($0, at: index) } }
        guard let end = scheme.map({ index + $0.utf8CodeUnitCount }), end < text.count, text[end].isWhiteSpace else {
            return nil
        }
        return text[end...].firstIndex { !$0.isWhiteSpace }
    }

    /// Redacts the credentials of at least 16 bytes (RFC 6750, section 2.1) after the word “bearer”.
    static func bearerTokens(in text: [UInt8]) -> Edits {
        var (edits, index) = (Edits(text), 0)
        while index < text.count {
            guard let start = afterScheme(in: text, at: index, ["bearer"]) else {
                index += 1
                continue
            }
            let end = text[start...].firstIndex { !$0.isPartOfName && !"~+/=".utf8.contains($0) } ?? text.count
            if end - start >= 16 { edits.redact(start..<end) }
            index = end - start >= 16 ? end : start
        }
        return edits
    }

    private static func isPublic(_ name: ArraySlice<UInt8>) -> Bool {
        publicParameters.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// The parameters of credentials (RFC 9110, section 11.2): `name=token`, or `name="text"` with its escapes.
    private static func parameters(of text: [UInt8]) -> [(name: ArraySlice<UInt8>, value: [UInt8])] {
        var parameters: [(name: ArraySlice<UInt8>, value: [UInt8])] = []
        var start = 0
        while let equals = text[start...].firstIndex(of: UInt8(ascii: "=")) {
            var end = equals
            while end > start, text[end - 1].isWhiteSpace { end -= 1 }
            var first = end
            while first > start, text[first - 1].isPartOfName { first -= 1 }
            start = equals + 1
            guard first < end, let value = value(in: text, from: start) else { continue }
            parameters.append((text[first..<end], Array(text[value])))
            start = value.upperBound
        }
        return parameters
    }

    /// The value after an equals sign: a quoted string without its quotes, or a token before a comma or the end.
    private static func value(in text: [UInt8], from index: Int) -> Range<Int>? {
        guard let start = text[index...].firstIndex(where: { !$0.isWhiteSpace }) else { return nil }
        if text[start] == UInt8(ascii: "\"") {
            var end = start + 1
            while end < text.count, text[end] != text[start] { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
            return end < text.count ? (start + 1)..<end : nil
        }
        let end = text[start...].firstIndex { "\",=".utf8.contains($0) || $0.isWhiteSpace } ?? text.count
        let next = text[end...].first { !$0.isWhiteSpace }
        return end > start && (next == nil || next == UInt8(ascii: ",")) ? start..<end : nil
    }

    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "token", "oauth", "dpop", "hawk", "mac", "negotiate", "apikey", "signature",
        "aws4-hmac-sha256", "gnap", "scram-sha-256", "sso-key", "key",
    ]

    private static let publicParameters: Set<String> = [
        "realm", "username", "uri", "algorithm", "qop", "nc", "charset", "userhash", "scope", "oauth_version",
        "oauth_signature_method", "oauth_timestamp", "signedheaders", "headers", "keyid", "ts", "stale", "domain",
    ]
}
