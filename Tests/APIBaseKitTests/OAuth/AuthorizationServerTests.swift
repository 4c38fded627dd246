import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Metadata (RFC 8414), and assertions in place of secrets (RFC 7523).
@Suite(.limited) struct AuthorizationServerTests {
    private static let metadata = """
        {
          "issuer": "https://login.example/tenant",
          "authorization_endpoint": "https://login.example/tenant/authorize",
          "token_endpoint": "https://login.example/tenant/token",
          "device_authorization_endpoint": "https://login.example/tenant/device",
          "revocation_endpoint": "https://login.example/tenant/revoke",
          "authorization_response_iss_parameter_supported": true
        }
        """

    private let issuer = LoginStubs.url("https://login.example/tenant")

    private func server(_ stubs: Stubs) async throws -> TokenSource.AuthorizationServer {
        try await stubs.run { try await TokenSource.authorizationServer(at: issuer) }
    }

    @Test func `OAuth endpoints are read from the issuer's oauth-authorization-server metadata`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/.well-known/oauth-authorization-server/tenant").answer(.json(Self.metadata))
        let server = try await server(stubs)
        #expect(server.issuer == "https://login.example/tenant")
        #expect(server.authorizeAt?.absoluteString == "https://login.example/tenant/authorize")
        #expect(server.tokenAt?.absoluteString == "https://login.example/tenant/token")
        #expect(server.deviceAt?.absoluteString == "https://login.example/tenant/device")
        #expect(server.revocationEndpoint?.absoluteString == "https://login.example/tenant/revoke")
        #expect(server.sendsIssuer)
    }

    @Test func `OAuth discovery reads OpenID Connect metadata if oauth-authorization-server gives 404`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/.well-known/oauth-authorization-server/tenant").answer(.text("", status: 404))
        stubs.on(.get, "/tenant/.well-known/openid-configuration")
            .answer(.json(#"{"issuer": "https://login.example/tenant"}"#))
        let server = try await server(stubs)
        #expect(server.tokenAt == nil && server.revocationEndpoint == nil)
        #expect(!server.sendsIssuer)
    }

    @Test(arguments: ["https://login.example/other", "https://login.example/tenant/", "https://evil.example/tenant"])
    func `OAuth discovery fails with issuerMismatch when the metadata names another issuer`(name: String) async throws {
        let stubs = Stubs()
        stubs.on().answer(.json(#"{"issuer": "\#(name)", "token_endpoint": "https://evil.example/token"}"#))
        let error = TokenSource.SignInError.issuerMismatch(expected: issuer.absoluteString, found: name)
        await #expect(throws: error) { try await server(stubs) }
    }

    @Test(arguments: [StubAnswer.text("<p>", status: 200), .json("{}"), .json("", status: 500), .fault(.tls)])
    func `OAuth discovery fails when the metadata is malformed, the server gives 500 or TLS fails`(answer: StubAnswer)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(answer)
        await #expect(throws: (any Error).self) { try await server(stubs) }
    }

    /// An endpoint is opened in a browser, or gets the client's secret.
    @Test(arguments: [
        "http://login.example/token", "file:///etc/passwd", "shop://pay", "https:", "javascript:alert(1)",
        "https://u:p@login.example/token", "https://u@login.example/token", "https://login.example/token#f",
        "https://login.example/token#", "https://:p@login.example/token", "/token",
    ])
    func `OAuth discovery fails with invalidEndpoint when an endpoint is no plain https URL without fragment`(
        endpoint: String
    )
        async throws
    {
        let names = ["authorization", "token", "device_authorization", "revocation"].map { $0 + "_endpoint" }
        for name in names {
            let stubs = Stubs()
            stubs.on().answer(.json(#"{"issuer": "https://login.example/tenant", "\#(name)": "\#(endpoint)"}"#))
            let error = await #expect(throws: TokenSource.SignInError.self) { try await server(stubs) }
            guard case .invalidEndpoint(let shown) = error else { throw try #require(error) }
            #expect(shown.scheme == LoginStubs.url(endpoint).scheme && shown.user == nil && shown.password == nil)
        }
    }

    @Test(arguments: [
        ("true", true), (#""true""#, true), (#""yes""#, true), (#""TRUE""#, true), ("1", true), (#""1""#, true),
        ("false", false), (#""false""#, false), (#""no""#, false), ("0", false), ("null", false), ("[]", false),
        ("{}", false), ("2", false), (#""""#, false),
    ])
    func `OAuth discovery reads a boolean of another type as what it says, and endpoints of another type as none`(
        text: String,
        isTrue: Bool
    ) async throws {
        for endpoint in ["null", "\"\"", "false", "7", "[]", "{}"] {
            let stubs = Stubs()
            stubs.on().answer(
                .json(
                    """
                    {"issuer": "https://login.example/tenant", "token_endpoint": "https://login.example/t",
                     "authorization_response_iss_parameter_supported": \(text), "scopes_supported": "all",
                     "device_authorization_endpoint": \(endpoint), "authorization_endpoint": \(endpoint)}
                    """
                )
            )
            let server = try await server(stubs)
            #expect(server.sendsIssuer == isTrue)
            #expect(server.deviceAt == nil && server.authorizeAt == nil)
            #expect(server.tokenAt?.absoluteString == "https://login.example/t")
        }
    }

    private static let page = StubAnswer.status(200, headers: ["Content-Type": "text/html"], data: Data("<p>".utf8))

    /// What a server answers for RFC 8414 where it has OpenID Connect only, and whether that is asked for then.
    static let firstAnswers: [(answer: StubAnswer, asksAgain: Bool)] = {
        let moved: HTTPHeaders = ["Location": "https://login.example/sign-in"]
        let absent = [301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 406, 410, 421, 423, 428, 430, 451, 499]
            .map { StubAnswer.status($0, headers: moved) }
        let noMetadata: [StubAnswer] = [
            page, .text("Not found"), .json("{}"), .json("[]"), .json("null"), .json(#"{"error": "not_found"}"#),
            .json("{"), .status(200), .status(204), .json(#"{"issuer": 7}"#),
            .status(200, headers: ["Content-Type": "text/html"], data: Data(count: 3 << 20)),
        ]
        let failures: [StubAnswer] = [
            .json(#"{"issuer": "https://other.example"}"#),
            .json(#"{"issuer": "https://login.example/tenant", "token_endpoint": "http://a.example"}"#),
            .status(408), .status(425), .status(429), .tooManyRequests(retryAfter: .seconds(60)),
            .status(500), .status(501), .status(502), .status(503), .status(504), .status(599), .never, .fault(.tls),
            .fault(.connectionLost), .fault(.connectionRefused), .fault(.hostNotFound),
        ]
        return (absent + noMetadata).map { ($0, true) } + failures.map { ($0, false) }
    }()

    @Test(arguments: firstAnswers.indices)
    func `OAuth discovery goes on to OpenID Connect after 3xx, most 4xx and other replies, but not after failures`(
        index: Int
    ) async throws {
        let (answer, asksAgain) = Self.firstAnswers[index]
        let stubs = Stubs()
        stubs.on(.get, "/.well-known/oauth-authorization-server/tenant").answer(answer)
        let second = stubs.on(.get, "/tenant/.well-known/openid-configuration").optional().answer(.json(Self.metadata))
        do {
            let server = try await server(stubs)
            #expect(asksAgain && server.sendsIssuer)
        } catch {
            #expect(!asksAgain, "\(error)")
        }
        #expect(second.callCount == (asksAgain ? 1 : 0))
        #expect(stubs.calls.count == (asksAgain ? 2 : 1))
    }

    @Test func `Each OAuth token request sends a newly made client assertion`() async throws {
        let login = LoginStubs(LoginStubs.refusal("invalid_grant"), LoginStubs.token(1))
        let numbers = Numbers()
        let source = TokenSource.clientCredentials(
            at: LoginStubs.tokenURL,
            id: "me",
            secretIn: .assertion { "jwt \(await numbers.next())" }
        )
        await #expect(throws: TokenSource.OAuthError.self) { try await login.token(of: source) }
        #expect(try await login.token(of: source) == "a1")
        for (number, form) in login.sent.enumerated() {
            #expect(
                form == [
                    "grant_type": "client_credentials", "client_id": "me", "client_assertion": "jwt \(number + 1)",
                    "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                ]
            )
        }
        #expect(login.sent.count == 2)
    }

    @Test
    func `An OAuth client assertion that throws fails the call with its error before a token request`() async throws {
        struct NoKey: Error {}
        let login = LoginStubs(LoginStubs.token(1))
        let place = TokenSource.SecretPlace.assertion { throw NoKey() }
        #expect(place == place)
        #expect(place != .assertion { "" })
        let source = TokenSource.refreshToken("r", at: LoginStubs.tokenURL, id: "me", secretIn: place)
        await #expect(throws: NoKey.self) { try await login.token(of: source) }
        #expect(login.sent.isEmpty)
    }

    private actor Numbers {
        private var last = 0

        func next() -> Int {
            last += 1
            return last
        }
    }
}
