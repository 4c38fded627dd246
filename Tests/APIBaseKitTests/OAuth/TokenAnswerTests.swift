import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Token endpoints that write their answers in their own way.
@Suite(.limited) struct TokenAnswerTests {
    private func source(_ store: MemoryTokenStore) -> TokenSource {
        .refreshToken("r0", at: LoginStubs.tokenURL, id: "me", store: store)
    }

    /// The lifetime in seconds; `nil` if it is not known.
    @Test(
        arguments: [
            ("3600", 3_600), ("3600.0", 3_600), (#""3600""#, 3_600), (#"" 3600 ""#, 3_600), (#""3600.0""#, 3_600),
            (#""\t3600""#, 3_600), ("0", nil), ("-1", nil), ("-5", nil), ("0.0", nil),
            (#""0""#, nil), (#""-5""#, nil), ("-1e300", nil), ("0.5", 0.5), ("1e300", 3_155_760_000),
            (#""1e300""#, 3_155_760_000), ("null", nil), (#""soon""#, nil), (#""""#, nil), (#""nan""#, nil),
            ("true", nil),
            ("[3600]", nil), (#"{"seconds": 3600}"#, nil),
        ] as [(String, Double?)]
    )
    func `The expires_in of an OAuth token is a number or text of up to a hundred years, and ignored if 0 or less`(
        text: String,
        seconds: Double?
    ) async throws {
        let store = MemoryTokenStore()
        let login = LoginStubs(.json(#"{"access_token": "a1", "expires_in": \#(text)}"#))
        #expect(try await login.token(of: source(store)) == "a1")
        let left = try #require(store.token).expiresAt?.timeIntervalSinceNow
        if let seconds {
            #expect(abs(try #require(left) - seconds) < 1_000)
        } else {
            #expect(left == nil)
        }
    }

    /// Servers mean by it that there is no end, or that they do not know it.
    @Test(arguments: ["0", "-1", #""0""#, "null"])
    func `An OAuth token whose expires_in is 0 or less serves later calls without another token request`(text: String)
        async throws
    {
        let login = LoginStubs(.json(#"{"access_token": "a1", "expires_in": \#(text)}"#))
        let sources = [
            source(MemoryTokenStore()), .clientCredentials(at: LoginStubs.tokenURL, id: "me", secret: "s"),
        ]
        for (number, source) in sources.enumerated() {
            for _ in 0..<3 { #expect(try await login.token(of: source) == "a1") }
            #expect(login.sent.count == number + 1)
        }
    }

    @Test(arguments: [
        #""error": """#, #""error": " ""#, #""error": null"#, #""error": 0"#, #""error": false"#, #""error": {}"#,
        #""error": []"#, #""error": {"code": 0}"#, #""error_description": "none""#, #""token_type": 7"#,
        #""token_type": "Bearer ""#, #""token_type": "JWT""#, #""scope": ["a"]"#, #""expires": "x""#,
    ])
    func `An OAuth answer with a token and an empty error, or other odd fields, is a token`(more: String) async throws {
        let store = MemoryTokenStore()
        let login = LoginStubs(.json(#"{"access_token": "a1", "refresh_token": "r1", \#(more)}"#))
        #expect(try await login.token(of: source(store)) == "a1")
        #expect(store.token?.refreshToken == "r1")
    }

    /// Each refusal with `invalid_grant`, and its explanation.
    @Test(
        arguments: [
            (#"{"error": "invalid_grant"}"#, nil), (#"{"error": " invalid_grant\n"}"#, nil),
            (#"{"error": "invalid_grant", "error_description": "Used."}"#, "Used."),
            (#"{"error": "invalid_grant", "error_description": {"en": "Used."}}"#, nil),
            (#"{"error": {"code": "invalid_grant", "message": "Used."}}"#, "Used."),
            (#"{"error": {"error": "invalid_grant", "error_description": "Used."}}"#, "Used."),
            (#"{"error": {"type": "invalid_grant", "code": 100, "message": "Used."}}"#, "Used."),
            (#"{"error": {"code": 400, "status": "invalid_grant"}}"#, nil),
            (#"{"error": {"code": "invalid_grant"}, "error_description": "Used."}"#, "Used."),
            ("error=invalid_grant", nil), ("error=invalid_grant&error_description=Used+up%2E", "Used up."),
            ("error_description=Used.&error=invalid_grant&error_uri=https%3A%2F%2Fa.example", "Used."),
        ] as [(String, String?)]
    )
    func `An OAuth refusal is read as text, as an object or as a form, and after invalid_grant a user signs in again`(
        body: String,
        explanation: String?
    ) async throws {
        let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        for status in [400, 401] {
            let answer = StubAnswer.status(status, headers: ["Content-Type": type], data: Data(body.utf8))
            let login = LoginStubs(answer, LoginStubs.token(1))
            let error = await #expect(throws: TokenSource.OAuthError.self) {
                try await login.token(of: self.source(MemoryTokenStore()))
            }
            #expect(error?.code == "invalid_grant" && error?.statusCode == status)
            #expect(error?.explanation == explanation)
        }
        let login = LoginStubs(
            .status(400, headers: ["Content-Type": type], data: Data(body.utf8)),
            LoginStubs.token(1)
        )
        let source = TokenSource.authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "me",
            redirect: LoginStubs.redirect,
            store: MemoryTokenStore(StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0"))
        ) { url in
            LoginStubs.url("\(LoginStubs.redirect.absoluteString)?code=c&state=\(url.fields["state"] ?? "")")
        }
        #expect(try await login.token(of: source) == "a1")
        #expect(login.sent.map { $0["grant_type"] } == ["refresh_token", "authorization_code"])
    }

    private static let form = "application/x-www-form-urlencoded"

    /// Pages and texts of proxies among them.
    @Test(arguments: [
        ("text/html", "<p>error=invalid_grant</p>"), ("text/html", ""), ("text/html", "error=invalid_grant"),
        ("text/html", #"<a href="/x?a=1&error=bad">"#), ("text/html", #"{"error": 5}"#), ("text/html", "[]"),
        ("application/json", "error=invalid_grant"), ("application/json", "x&error=bad"),
        ("application/xml", "error=a"),
        ("text/plain", #"<a href="/x?a=1&error=bad">"#), ("text/plain", "see http://a.example/?a=1&error=bad"),
        ("text/plain", "Bad gateway\nerror=bad"), ("text/plain", "error"), ("text/plain", "error="),
        ("text/plain", "invalid_grant"), ("text/plain", ""), ("text/plain", "error=a&error=b"),
        (form, "error=%C3%A4rger"), (form, "error=a%22b"), (form, "error=a%0Ab"), (form, "error=a\\b"),
        (form, "error="),
        (form, "error=" + String(repeating: "x", count: 101)), (form, #"<a href='/x?a=1&error=bad&b=c'>"#),
        (form, "error=invalid_grant&error=invalid_grant"), ("", "error=invalid_grant"),
    ])
    func `An OAuth refusal that is no JSON object and no form with a code fails with httpFailure`(
        type: String,
        body: String
    ) async throws {
        for status in [400, 502] {
            let login = LoginStubs(.status(status, headers: ["Content-Type": type], data: Data(body.utf8)))
            let error = await #expect(throws: RequestError.self) {
                try await login.token(of: source(MemoryTokenStore()))
            }
            guard case .httpFailure(status)? = error else { throw try #require(error) }
        }
        let login = LoginStubs(.status(200, headers: ["Content-Type": type], data: Data(body.utf8)))
        await #expect(throws: RequestError.self) { try await login.token(of: source(MemoryTokenStore())) }
    }

    /// The type and the body with status 200; the code of the refusal, if it is one.
    @Test(
        arguments: [
            (form, "access_token=a1&refresh_token=r1&expires_in=3600&token_type=bearer", nil),
            (form + "; charset=utf-8", "access_token=a%31&scope=repo%2Cgist&refresh_token=r1&expires_in=3600\r\n", nil),
            (form.uppercased(), "error=&access_token=a1&refresh_token=r1&expires_in=3600", nil),
            (form, #"{"access_token": "a1", "refresh_token": "r1", "expires_in": 3600}"#, nil),
            (form, "error=invalid_grant&error_description=Used.", "invalid_grant"),
            (form, "error=bad_verification_code&access_token=a1", "bad_verification_code"),
        ] as [(String, String, String?)]
    )
    func `A form with its own type in place of JSON is a token or an OAuth refusal, also for a device`(
        type: String,
        body: String,
        code: String?
    ) async throws {
        let store = MemoryTokenStore()
        let answer = StubAnswer.status(200, headers: ["Content-Type": type], data: Data(body.utf8))
        let times = "interval=7&expires_in=600"
        let device = "device_code=device-1&user_code=u&verification_uri=https%3A%2F%2Fa.example&" + times
        let login = LoginStubs(
            answer,
            device: .status(200, headers: ["Content-Type": type], data: Data(device.utf8))
        )
        let devices = TokenSource.deviceCode(authorizeAt: LoginStubs.deviceURL, tokenAt: LoginStubs.tokenURL, id: "me")
        {
            #expect($0.userCode == "u" && $0.lifetime == .seconds(600))
        }
        for source in [source(store), devices] {
            do {
                #expect(try await login.token(of: source) == "a1" && code == nil)
                #expect(try #require(store.token?.expiresAt).timeIntervalSinceNow > 3_000)
                #expect(store.token?.refreshToken == "r1")
            } catch let error as TokenSource.OAuthError {
                #expect(error.code == code && error.statusCode == 200)
            }
        }
        #expect(login.stubs.waits == [.init(.sleep, .seconds(7))])
    }
}
