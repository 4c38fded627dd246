import Basics
import HTTPTransport

extension Authorization {
    /// A user and a password that are never sent themselves (Digest, RFC 7616).
    ///
    /// The first call to a server is refused with status 401 and a challenge, and is sent again with the answer, once
    /// in each attempt. Later calls answer the last challenge at once, for the paths that it names. So keep the value
    /// in a `static let`: it holds the last nonce of each server and the number of its uses. Two values are equal only
    /// if one is a copy of the other.
    ///
    /// SHA-256, SHA-512-256 and MD5 are supported, also as `-sess`, and of several challenges the first with SHA is
    /// answered. The body is protected (`auth-int`) where the server offers it and the bytes are in memory. Challenges
    /// with another algorithm, without a nonce, or with a parameter twice are not answered: the 401 is the response. So
    /// it is for a wrong password, and for a body that can be sent once. The user's name can be read on the way, unless
    /// the server asks for its hash; with MD5 a weak password can be guessed from the answer. Use it over TLS.
    ///
    /// A control character in either makes the request fail to build.
    public static func digest(user: String, password: String) -> Authorization {
        if let invalid = invalidText(user, password) { return Authorization(invalid) }
        return Authorization(DigestAccount(user: user, password: password))
    }
}

/// A user and a password for Digest, with the last nonce of each server and the number of its uses.
final class DigestAccount: Sendable {
    private struct Space {
        var challenge: DigestChallenge
        let clientNonce = DigestAccount.newNonce()
        var count: UInt32 = 0
    }

    /// The nonces of one scope.
    private final class Spaces: Sendable {
        let known = Locked<[Origin: Space]>([:])
    }

    /// The number of servers from which on all are forgotten, which costs each another challenge.
    private static let limit = 1_024

    private let user: String
    private let password: String
    private let spaces = PerScope { Spaces() }
    /// The owner of stored responses, for caches.
    let identity = "digest \(UUID().uuidString)"

    init(user: String, password: String) { (self.user, self.password) = (user, password) }

    /// The answer for a request to the last challenge of its server; `nil` if there is none for it.
    ///
    /// A request that is not `asked` for it is answered only on the paths that the challenge names.
    func answer(for request: URLRequest, asked: Bool, in scope: AnyObject?) -> DigestAnswer? {
        guard let url = request.url else { return nil }
        let (origin, target) = (url.origin, url.digestTarget)
        return spaces.value(for: scope).known.withLock { known in
            guard var space = known[origin], asked || space.challenge.covers(target), space.count < .max else {
                return nil
            }
            space.count += 1
            known[origin] = space
            return DigestAnswer(
                user: user,
                password: password,
                challenge: space.challenge,
                clientNonce: space.clientNonce,
                count: space.count
            )
        }
    }

    /// Keeps the challenge of a server. No count is used twice with one nonce.
    func keep(_ challenge: DigestChallenge, of origin: Origin, in scope: AnyObject?) {
        let space = Space(challenge: challenge)
        spaces.value(for: scope).known.withLock { known in
            if known[origin]?.challenge.nonce == challenge.nonce {
                known[origin]?.challenge = challenge
            } else {
                if known.count >= Self.limit, known[origin] == nil { known = [:] }
                known[origin] = space
            }
        }
    }

    /// Forgets a challenge whose answer was refused.
    func forget(_ nonce: String, of origin: Origin, in scope: AnyObject?) {
        spaces.value(for: scope).known.withLock { known in
            if known[origin]?.challenge.nonce == nonce { known[origin] = nil }
        }
    }

    /// 126 random bits in hexadecimal digits.
    private static func newNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next() | 1 << 63, radix: 16) }.joined()
    }
}

extension DigestAccount: Hashable {
    static func == (left: DigestAccount, right: DigestAccount) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DigestAccount: CustomReflectable {
    /// An empty mirror: `dump` shows neither user nor password nor nonces.
    var customMirror: Mirror { Mirror(self, children: []) }
}
