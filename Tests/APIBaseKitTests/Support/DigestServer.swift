import APIBaseKit
@testable import APIBaseCore
@testable import APIBaseSigning
import Basics
import LoopbackServer

/// A server that checks the answers to its challenges.
final class DigestServer: Sendable {
    /// The parameters of the challenge beside realm and nonce.
    let rest: String
    let user = "reader"
    let password = "open \"sesame\""
    /// The status of each response, and the `Authorization` of its request.
    let seen = Locked<[(status: Int, header: String)]>([])
    /// The nonce that is good, and the counts that have been used with it.
    let nonce = Locked((text: "nonce 1", used: Set<String>()))

    init(_ rest: String) { self.rest = rest }

    /// The next nonce, which is good from now on; a response announces it.
    let next = Locked<String?>(nil)

    private func announce() -> KeyValuePairs<String, String> {
        guard let text = next.withLock({ $0.take() }) else { return [:] }
        replace(text)
        return ["Authentication-Info": "rspauth=\"0\", nextnonce=\"\(text)\""]
    }

    var statuses: [Int] { seen.withLock { $0.map(\.status) } }

    func replace(_ text: String) { nonce.withLock { $0 = (text, []) } }

    @Sendable func answer(_ request: ServerRequest) -> ServerResponse {
        let header = request.headers.values(for: "Authorization").first ?? ""
        let (isRight, isFresh) = check(header, request)
        seen.withLock { $0.append((isRight && isFresh ? 200 : 401, header)) }
        if isRight, isFresh { return .text("in", headers: HTTPFields(announce())) }
        let challenge = "Digest realm=\"books\", nonce=\"\(nonce.withLock { $0.text })\"\(rest)"
        return .text(
            "out",
            status: 401,
            headers: HTTPFields(["WWW-Authenticate": isRight ? challenge + ", stale=true" : challenge])
        )
    }

    private func check(_ header: String, _ request: ServerRequest) -> (isRight: Bool, isFresh: Bool) {
        guard let fields = AuthenticationChallenge.all(in: header).first?.parameters, fields["uri"] == request.target
        else { return (false, false) }
        func hash(_ text: String) -> String {
            if rest.contains("SHA-512-256") { return SHA512256.hex(of: text.utf8) }
            return rest.contains("SHA-256") ? SHA256.hex(of: text) : MD5.hex(of: text.utf8)
        }
        var key = hash("\(user):books:\(password)")
        let (nonce, clientNonce) = (fields["nonce"] ?? "", fields["cnonce"] ?? "")
        if rest.contains("-sess") { key = hash("\(key):\(nonce):\(clientNonce)") }
        var target = "\(request.method):\(request.target)"
        if fields["qop"] == "auth-int" { target += ":" + hash(String(decoding: request.body, as: UTF8.self)) }
        let middle = fields["qop"].map { ":\(fields["nc"] ?? ""):\(clientNonce):\($0)" } ?? ""
        let isUser = fields["username"] == (rest.contains("userhash") ? hash("\(user):books") : user)
        let isRight = isUser && fields["response"] == hash("\(key):\(nonce)\(middle):\(hash(target))")
        let isFresh = self.nonce.withLock { state in
            nonce == state.text && (fields["nc"].map { state.used.insert($0).inserted } ?? true)
        }
        return (isRight, isFresh)
    }
}
