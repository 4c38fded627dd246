import APIBaseKit
@testable import APIBaseSigning
import Testing

/// Answers that the standards give as examples, and challenges that have none.
@Suite struct DigestAnswerTests {
    private func challenge(_ fields: [String]) -> DigestChallenge? {
        var headers = HTTPHeaders()
        for field in fields { headers.add(name: "WWW-Authenticate", value: field) }
        guard let url = URL(string: "http://www.example.org/dir/index.html") else { return nil }
        return DigestChallenge.strongest(in: ResponseHead(statusCode: 401, headers: headers, url: url))
    }

    private func challenge(_ field: String) -> DigestChallenge? { challenge([field]) }

    private func header(
        _ challenge: DigestChallenge?,
        user: String = "Mufasa",
        password: String = "Circle of Life",
        nonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
        target: String = "/dir/index.html"
    ) throws -> String {
        let challenge = try #require(challenge)
        let answer = DigestAnswer(
            user: user,
            password: password,
            challenge: challenge,
            clientNonce: nonce,
            count: 1
        )
        return try #require(answer.header(method: "GET", target: target, body: nil))
    }

    private static let rest = """
        realm="http-auth@example.org", qop="auth, auth-int", \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    /// RFC 7616, section 3.9.1.
    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `The digest Authorization header equals the MD5 and SHA-256 examples of RFC 7616`(
        algorithm: String,
        response: String
    ) throws {
        let header = try header(challenge("Digest \(Self.rest), algorithm=\(algorithm)"))
        #expect(
            header == """
                Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", \
                algorithm=\(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\(response)", \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
                """
        )
    }

    /// RFC 2617, section 3.5.
    @Test func `A digest challenge without an algorithm gets the response of the example in RFC 2617`() throws {
        let challenge = challenge(
            """
            Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        )
        let header = try header(challenge, password: "Circle Of Life", nonce: "0a4f113b")
        #expect(header.contains("response=\"6629fae49393a05397450978507c4ef1\""))
        #expect(!header.contains("algorithm"))
    }

    @Test func `The strongest digest challenge is answered, and the first of equally strong ones`() {
        let (weak, strong) = ("Digest \(Self.rest), algorithm=MD5", "Digest \(Self.rest), algorithm=SHA-256")
        for fields in [[weak, strong], [strong, weak], ["Basic realm=\"a, b\", \(weak), Negotiate YQ==, \(strong)"]] {
            #expect(challenge(fields)?.algorithmName == "SHA-256")
        }
        let other = "Digest \(Self.rest), algorithm=SHA-512-256"
        #expect(challenge([weak, other, strong])?.algorithmName == "SHA-512-256")
        #expect(challenge([weak, strong, other])?.algorithmName == "SHA-256")
    }

    /// RFC 7616, section 3.9.2, with the values of its erratum 4897: those of the text are not of this algorithm.
    @Test func `The digest Authorization header equals the SHA-512-256 example of RFC 7616, erratum 4897`() throws {
        let challenge = challenge(
            """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
            """
        )
        let header = try header(
            challenge,
            user: "Ja\u{308}s\u{F8}n Doe",
            password: "Secret, or not?",
            nonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
            target: "/doe.json"
        )
        #expect(
            header == """
                Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", \
                realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, \
                nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, \
                cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, \
                response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", \
                opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", userhash=true
                """
        )
    }

    @Test func `A digest user name beyond ASCII is sent percent-encoded, or hashed with userhash=true`() throws {
        let user = "Ja\u{308}s\u{F8}n Doe"
        let plain = try header(challenge("Digest \(Self.rest), charset=UTF-8"), user: user)
        #expect(plain.contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"))
        let hashed = try header(challenge("Digest \(Self.rest), charset=UTF-8, userhash=true"), user: user)
        #expect(hashed.contains("username=\"\(MD5.hex(of: "J\u{E4}s\u{F8}n Doe:http-auth@example.org".utf8))\""))
        #expect(hashed.hasSuffix("userhash=true"))
    }

    @Test func `Quotes and backslashes in the realm and user name of a digest are escaped`() throws {
        let challenge = challenge(#"Digest realm="a \"b\" \\ c", nonce="n", qop="auth""#)
        #expect(challenge?.realm == #"a "b" \ c"#)
        #expect(try header(challenge, user: #"x"y"#).contains(#"username="x\"y", realm="a \"b\" \\ c""#))
    }

    @Test(arguments: [
        "", "Digest", "Digest realm=\"a\"", "Digest nonce=\"a\"", "Basic realm=\"a\"",
        "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-512", "Digest realm=\"a\", nonce=\"b\", algorithm=other",
        "Digest realm=\"a\", nonce=\"b\", qop=\"other\"", "Digest realm=\"a\", nonce=\"b\", algorithm=MD5-sess",
        "Digest realm=\"a\", nonce=\"b\", nonce=\"c\", qop=\"auth\"", "Digest realm=\"a\", nonce=\"b",
        "Digest realm=\"a\", nonce=\"\(String(repeating: "n", count: 5_000))\"", "Digest realm=\"ä\", nonce=\"b\"",
    ])
    func `A malformed digest challenge or one with an unsupported algorithm or qop is not answered`(field: String) {
        #expect(challenge(field) == nil)
    }
}
