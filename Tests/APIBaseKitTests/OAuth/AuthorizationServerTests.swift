import APIBaseKit
import APIBaseStubs
import Testing

/// Metadata (RFC 8414), and assertions in place of secrets (RFC 7523).
@Suite(.timeLimit(.minutes(1))) struct AuthorizationServerTests {
    private static let metadata = """
        {
          "issuer": "https://login.example/tenant",
          "authorization_endpoint": "https://login.example/tenant/authorize",
          "token_endpoint": "https://login.example/tenant/token",
          "device_authorization_endpoint": "https://login.example/tenant/device",
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
        #expect(server.sendsIssuer)
    }

    @Test func `OAuth discovery reads OpenID Connect metadata if oauth-authorization-server gives 404`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/.well-known/oauth-authorization-server/tenant").answer(.text("", status: 404))
        stubs.on(.get, "/tenant/.well-known/openid-configuration")
            .answer(.json(#"{"issuer": "https://login.example/tenant"}"#))
        let server = try await server(stubs)
        #expect(server.tokenAt == nil)
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
    ])
    func `OAuth discovery fails with invalidEndpoint when an endpoint is not a full https URL`(endpoint: String)
        async throws
    {
        for name in ["authorization_endpoint", "token_endpoint", "device_authorization_endpoint"] {
            let stubs = Stubs()
            stubs.on().answer(.json(#"{"issuer": "https://login.example/tenant", "\#(name)": "\#(endpoint)"}"#))
            let error = TokenSource.SignInError.invalidEndpoint(LoginStubs.url(endpoint))
            await #expect(throws: error) { try await server(stubs) }
        }
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
