import HTTPTransport

/// The answer to a challenge for one request (RFC 7616, section 3.4).
struct DigestAnswer: Sendable {
    let user: String
    let password: String
    let challenge: DigestChallenge
    /// The client's nonce, which stays the same for one nonce of the server: the key of a session depends on both.
    let clientNonce: String
    /// The number of this request among those with this nonce.
    let count: UInt32

    /// The value of `Authorization`; `nil` if the server wants a protection of the body, and the body is not in memory.
    func header(method: String, target: String, body: [Data]?) -> String? {
        let quality: String?
        switch challenge.qualities {
        case nil: quality = nil
        case let known? where known.contains("auth-int") && body != nil: quality = "auth-int"
        case let known? where known.contains("auth"): quality = "auth"
        default: return nil
        }
        let number = String(count, radix: 16)
        let counter = String(repeating: "0", count: 8 - number.count) + number
        var request = "\(method):\(target)"
        if quality == "auth-int" { request += ":" + challenge.algorithm.hex(of: (body ?? []).joined()) }
        let middle = quality.map { ":\(counter):\(clientNonce):\($0)" } ?? ""
        let response = hash("\(key):\(challenge.nonce)\(middle):\(hash(request))")
        let fields: [String?] = [
            userField, "realm=\(challenge.realm.quoted)", "uri=\(target.quoted)",
            challenge.algorithmName.map { "algorithm=\($0)" }, "nonce=\(challenge.nonce.quoted)",
            quality.map { "nc=\(counter), cnonce=\(clientNonce.quoted), qop=\($0)" }, "response=\(response.quoted)",
            challenge.opaque.map { "opaque=\($0.quoted)" }, challenge.hashesUser ? "userhash=true" : nil,
        ]
        return "Digest " + fields.compactMap(\.self).joined(separator: ", ")
    }

    /// The hash of user, realm and password (section 3.4.2).
    private var key: String {
        let plain = hash("\(normal(user)):\(challenge.realm):\(normal(password))")
        return challenge.isSession ? hash("\(plain):\(challenge.nonce):\(clientNonce)") : plain
    }

    private var userField: String {
        let user = normal(user)
        if challenge.hashesUser { return "username=\(hash("\(user):\(challenge.realm)").quoted)" }
        guard user.utf8.contains(where: { $0 >= 0x80 }) else { return "username=\(user.quoted)" }
        // RFC 8187, section 3.2.1.
        return "username*=UTF-8''" + (user.addingPercentEncoding(withAllowedCharacters: .unreservedASCII) ?? "")
    }

    /// A text in the form of which the server has the hash (section 4).
    private func normal(_ text: String) -> String {
        challenge.isUTF8 ? text.precomposedStringWithCanonicalMapping : text
    }

    private func hash(_ text: String) -> String { challenge.algorithm.hex(of: text.utf8) }
}

extension String {
    /// The text as a quoted string (RFC 9110, section 5.6.4).
    fileprivate var quoted: String {
        let escaped = replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension CharacterSet {
    fileprivate static let unreservedASCII = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
