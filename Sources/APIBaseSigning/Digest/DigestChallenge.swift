import Basics
import HTTPTransport

/// A challenge for Digest that can be answered (RFC 7616, section 3.3).
struct DigestChallenge: Sendable {
    enum Algorithm: Sendable {
        case md5, sha256, sha512256

        func hex(of bytes: some Sequence<UInt8>) -> String {
            switch self {
            case .md5: MD5.hex(of: bytes)
            case .sha256: SHA256.hex(of: bytes)
            case .sha512256: SHA512256.hex(of: bytes)
            }
        }
    }

    let realm: String
    private(set) var nonce: String
    let opaque: String?
    /// The algorithm as the server has named it; `nil` if it has named none.
    let algorithmName: String?
    let algorithm: Algorithm
    let isSession: Bool
    /// The qualities of protection that are known; `nil` for a server of RFC 2069, which has none.
    let qualities: Set<String>?
    let isStale: Bool
    let hashesUser: Bool
    let isUTF8: Bool
    /// The paths for which the credentials are meant; empty for the whole server.
    let domain: [String]

    /// The first challenge of a response that is not with MD5, or else the first; `nil` if none can be answered.
    static func strongest(in head: ResponseHead) -> DigestChallenge? {
        let all = head.headers["WWW-Authenticate"].map(AuthenticationChallenge.all) ?? []
        let usable = all.compactMap { DigestChallenge($0, from: head.url) }
        return usable.first { $0.algorithm != .md5 } ?? usable.first
    }

    init?(_ challenge: AuthenticationChallenge, from url: URL) {
        guard challenge.scheme == "digest", let parameters = challenge.parameters,
            let realm = parameters["realm"], let nonce = parameters["nonce"],
            [realm, nonce, parameters["opaque"] ?? ""].allSatisfy(Self.canBeSent)
        else { return nil }
        let name = parameters["algorithm"]?.lowercased()
        switch name {
        case nil, "md5", "md5-sess": algorithm = .md5
        case "sha-256", "sha-256-sess": algorithm = .sha256
        case "sha-512-256", "sha-512-256-sess": algorithm = .sha512256
        default: return nil
        }
        isSession = name?.hasSuffix("-sess") == true
        let offered = parameters["qop"].map { $0.lowercased().parts(at: ",") }
        qualities = offered.map { Set($0).intersection(["auth", "auth-int"]) }
        // RFC 2069 has neither qualities nor session keys.
        guard qualities?.isEmpty != true, qualities != nil || !isSession else { return nil }
        (self.realm, self.nonce, opaque) = (realm, nonce, parameters["opaque"])
        algorithmName = parameters["algorithm"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        isUTF8 = parameters["charset"]?.lowercased() == "utf-8"
        let spaces = parameters["domain"]?.split(separator: " ") ?? []
        domain = spaces.map { place in
            let target = URL(string: String(place), relativeTo: url)?.absoluteURL
            // A space of another server only says that this one has none.
            return target?.origin == url.origin ? target?.digestTarget ?? "*" : "*"
        }
    }

    /// Whether a request for this target may carry an answer before it is asked for (RFC 7616, section 3.3).
    func covers(_ target: String) -> Bool { domain.isEmpty || domain.contains(where: target.hasPrefix) }

    /// The challenge with the nonce that a response has announced as the next.
    func renewed(_ next: String) -> DigestChallenge? {
        // The key of a session belongs to its first nonce.
        guard !next.isEmpty, Self.canBeSent(next), !isSession, next != nonce else { return nil }
        var challenge = self
        challenge.nonce = next
        return challenge
    }

    private static func canBeSent(_ text: String) -> Bool {
        text.utf8.count <= Echo.limit && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension URL {
    /// The path and the query as they are sent (RFC 9112, section 3.2.1).
    var digestTarget: String {
        let parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        let path = parts?.percentEncodedPath ?? ""
        return (path.isEmpty ? "/" : path) + (parts?.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
