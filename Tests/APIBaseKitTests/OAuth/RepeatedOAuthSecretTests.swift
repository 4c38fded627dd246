import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Authorization servers that repeat what they were sent, or know.
@Suite(.limited) struct RepeatedOAuthSecretTests {
    private static let secret = SecretSpelling.secret

    /// A place of a server's answer, and the sign-in that gets it.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signIn: @Sendable (_ text: String) async throws -> Void
    }

    private static func refusal(_ text: String, code: String = "invalid_grant", status: Int = 400) -> StubAnswer {
        .json(#"{"error": \#(code.quotedForJSON), "error_description": \#(text.quotedForJSON)}"#, status: status)
    }

    private static func token(_ answer: StubAnswer, _ source: TokenSource) async throws {
        _ = try await LoginStubs(answer).token(of: source)
    }

    private static let refreshing = TokenSource.refreshToken(secret, at: LoginStubs.tokenURL, id: "cid", secret: secret)

    private static func client(_ place: TokenSource.SecretPlace) -> TokenSource {
        .clientCredentials(at: LoginStubs.tokenURL, id: "cid", secret: secret, secretIn: place)
    }

    /// A sign-in with a browser, which is sent back with these fields.
    private static func browser(_ fields: [(String, String)]) -> TokenSource {
        .authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "cid",
            secret: secret,
            redirect: LoginStubs.redirect,
            issuer: "https://login.example"
        ) { url in
            let all =
                [("state", url.fields["state"] ?? ""), ("iss", "https://login.example")]
                .filter { own in !fields.contains { $0.0 == own.0 } } + fields
            let query = all.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
            }
            return LoginStubs.url(LoginStubs.redirect.absoluteString + "?" + query.joined(separator: "&"))
        }
    }

    static let places: [Place] = [
        Place(testDescription: "refresh token") { try await token(refusal("bad token \($0)"), refreshing) },
        Place(testDescription: "status 200") { try await token(refusal("bad \($0)", status: 200), refreshing) },
        Place(testDescription: "code") { try await token(refusal("", code: "no_\($0)"), refreshing) },
        Place(testDescription: "client secret in the header") {
            try await token(refusal("client \($0) is unknown"), client(.header))
        },
        Place(testDescription: "client secret in the form") {
            try await token(refusal("client \($0) is unknown"), client(.form))
        },
        Place(testDescription: "page") {
            try await token(.text("<p>\($0)</p>", status: 500, headers: ["Content-Type": "text/html"]), refreshing)
        },
        Place(testDescription: "problem") {
            let body = #"{"title": \#($0.quotedForJSON)}"#
            let headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
            try await token(.text(body, status: 500, headers: headers), refreshing)
        },
        Place(testDescription: "explanation of a callback") {
            try await token(.json("{}"), browser([("error", "access_denied"), ("error_description", "no \($0)")]))
        },
        Place(testDescription: "code of a callback") { try await token(.json("{}"), browser([("error", $0)])) },
        Place(testDescription: "issuer of a callback") {
            try await token(.json("{}"), browser([("iss", "https://x.example/\($0)"), ("code", "c")]))
        },
        Place(testDescription: "authorization code") {
            try await token(refusal("code \($0) is used"), browser([("code", secret)]))
        },
        Place(testDescription: "device") {
            let source = TokenSource.deviceCode(
                authorizeAt: LoginStubs.deviceURL,
                tokenAt: LoginStubs.tokenURL,
                id: "cid",
                secret: secret
            ) { _ in }
            _ = try await LoginStubs(.json("{}"), device: refusal("no \($0)")).token(of: source)
        },
    ]

    @Test(arguments: places, SecretSpelling.all)
    func `The error of a sign-in shows no secret that the server repeats, and no part of it, in any spelling`(
        place: Place,
        spelling: SecretSpelling
    ) async throws {
        let error = await #expect(throws: (any Error).self) { try await place.signIn(spelling.text) }
        let text = error.map(shown) ?? ""
        // Errors without an explanation of OAuth show a problem's title, in which only whole secrets are found.
        let inPieces = !["page", "problem"].contains(place.testDescription)
        #expect(!text.isEmpty && (spelling.isPart && !inPieces || !spelling.isIn(text, inPieces: inPieces)), "\(text)")
    }

    @Test(arguments: [
        ("invalid_grant", "The token has expired.", "invalid_grant", "The token has expired."),
        ("authorization_pending", "wait", "authorization_pending", "wait"),
        ("E-17", "see https://login.example/help?x=1", "E-17", "see https://login.example/help?x=1"),
        ("E-17", "token=abcdef is wrong", "E-17", "token=REDACTED is wrong"),
        ("E-17", "authorization-secret is wrong", "E-17", "REDACTED is wrong"),
        ("E-17", "authoriz", "E-17", nil),
        ("E-17", "ization-", "E-17", nil),
        ("E-17", "a pin of pin1", "E-17", nil),
        ("authorization-secret", "x", "REDACTED", "x"),
    ])
    func `An OAuthError keeps a known code, hides a repeated secret, and drops a text with a piece of one`(
        code: String,
        text: String,
        shownCode: String,
        shownText: String?
    ) async throws {
        let source = TokenSource.refreshToken(
            "authorization-secret",
            at: LoginStubs.tokenURL,
            id: "cid",
            parameters: ["password": "pin1"]
        )
        let stubs = LoginStubs(Self.refusal(text, code: code))
        let error = await #expect(throws: TokenSource.OAuthError.self) { try await stubs.token(of: source) }
        #expect(error?.code == shownCode)
        #expect(error?.explanation == shownText)
    }

    /// A search that starts again at every byte would take minutes for these texts.
    @Test(arguments: ["a", "token=a ", "bearer ", "Bearer\n", "a = ", "= ", "token: ", "\"a\":", "a.b[c]", "\\n", " "])
    func `An OAuthError shows the beginning of an endless explanation, and takes no longer for it`(
        piece: String
    ) async throws {
        let source = TokenSource.refreshToken("authorization-secret", at: LoginStubs.tokenURL, id: "cid")
        let text = String(repeating: piece, count: 250_000 / piece.utf8.count)
        let stubs = LoginStubs(Self.refusal(text))
        let error = await #expect(throws: TokenSource.OAuthError.self) { try await stubs.token(of: source) }
        #expect(error?.explanation.map { $0.count < 2_000 && $0.hasSuffix("…") } == true)
    }
}
