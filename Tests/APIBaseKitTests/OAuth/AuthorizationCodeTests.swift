import APIBaseKit
@testable import APIBaseCore
@testable import APIBaseSignIn
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// The authorization code: RFC 6749, section 4.1, and RFC 7636.
@Suite(.tags(.concurrent), .limited) struct AuthorizationCodeTests {
    /// A source, and what its user does.
    private func source(
        issuer: String? = nil,
        parameters: [String: String] = [:],
        store: (any TokenStore)? = nil,
        open: @escaping @Sendable (URL) async throws -> URL
    ) -> TokenSource {
        .authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "me",
            redirect: LoginStubs.redirect,
            scope: "read write",
            issuer: issuer,
            parameters: parameters,
            store: store,
            open: open
        )
    }

    /// The callback of a server that does as it should.
    private static func callback(_ url: URL, _ more: String = "&code=c%201") -> URL {
        LoginStubs.url("\(LoginStubs.redirect.absoluteString)?state=\(url.fields["state"] ?? "")\(more)")
    }

    /// RFC 7636, appendix B.
    @Test func `The PKCE code challenge for S256 equals the example of RFC 7636`() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let secrets = AuthorizationRequest.Secrets(state: "s", verifier: verifier)
        #expect(secrets.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `The OAuth page gets PKCE challenge and extra parameters, the token endpoint the verifier`() async throws
    {
        let login = LoginStubs(LoginStubs.token(1))
        let opened = Locked<[URL]>([])
        let more = ["prompt": "consent", "resource": "https://api.example", "state": "mine"]
        let source = source(parameters: more) { url in
            opened.withLock { $0.append(url) }
            return Self.callback(url)
        }
        #expect(try await login.token(of: source) == "a1")
        let url = try #require(opened.withLock { $0 }.first)
        #expect(
            url.absoluteString.hasPrefix("https://login.example/authorize?tenant=7&response_type=code&client_id=me&")
        )
        let asked = url.fields
        #expect(asked["redirect_uri"] == LoginStubs.redirect.absoluteString)
        #expect(asked["scope"]?.replacing("+", with: " ") == "read write")
        #expect(asked["code_challenge_method"] == "S256")
        #expect(asked["prompt"] == "consent")
        #expect(asked["resource"] == "https://api.example")
        #expect(asked["state"]?.count == 43)
        #expect(login.sent.count == 1)
        let sent = try #require(login.sent.first)
        let verifier = try #require(sent["code_verifier"])
        #expect(AuthorizationRequest.Secrets(state: "", verifier: verifier).challenge == asked["code_challenge"])
        #expect(verifier.count == 43)
        #expect(
            sent.filter { $0.key != "code_verifier" } == [
                "grant_type": "authorization_code", "code": "c 1", "redirect_uri": LoginStubs.redirect.absoluteString,
                "client_id": "me", "resource": "https://api.example",
            ]
        )
    }

    /// RFC 6749, section 3.1: no parameter more than once.
    @Test(arguments: [
        ("?tenant=7", "tenant=7&"), ("?tenant=7&state=x&client_id=other&redirect_uri=y", "tenant=7&"),
        ("?st%61te=x&scope=all&tenant=7", "tenant=7&"), ("?response_type=token&code_challenge=x&a=b", "a=b&"),
        ("?prompt=login&prompt=none&flag&=x&a=%26", "flag&=x&a=%26&"), ("?state&state=", ""), ("", ""), ("?", ""),
        ("?code_challenge_method=plain&a=b&a=c#f", "a=b&a=c&"), ("?States=1&state+=2", "States=1&state+=2&"),
    ])
    func `An OAuth authorization URL keeps the endpoint's query without the parameters that the sign-in sets`(
        query: String,
        kept: String
    ) throws {
        let request = AuthorizationRequest(redirect: LoginStubs.redirect, issuer: nil)
        let endpoint = LoginStubs.url("https://login.example/authorize" + query)
        let url = try request.url(
            at: endpoint,
            id: "me",
            scope: "read",
            parameters: ["prompt": "consent", "state": "x"]
        )
        let prefix = "https://login.example/authorize?\(kept)response_type=code&client_id=me&redirect_uri="
        #expect(url.absoluteString.hasPrefix(prefix), "\(url.absoluteString)")
        #expect(url.fragment == nil)
        #expect(url.fields["state"] == request.secrets.state && url.fields["prompt"] == "consent")
    }

    @Test func `Each OAuth code sign-in has a new state and PKCE verifier of unreserved characters`() {
        let secrets = (0..<100).map { _ in AuthorizationRequest.Secrets() }
        #expect(Set(secrets.flatMap { [$0.state, $0.verifier] }).count == 200)
        #expect(secrets.allSatisfy { $0.verifier.utf8.allSatisfy { $0.isUnreserved } })
    }

    /// Each callback, with `STATE` in place of the right one, and its error.
    @Test(arguments: [
        ("http://127.0.0.1:49152/callback?code=c", TokenSource.SignInError.stateMismatch),
        ("http://127.0.0.1:49152/callback?code=c&state=", .stateMismatch),
        ("http://127.0.0.1:49152/callback?code=c&state=other", .stateMismatch),
        ("http://127.0.0.1:49152/callback?code=c&state=STATEx", .stateMismatch),
        ("http://127.0.0.1:49152/callback?error=access_denied", .stateMismatch),
        ("http://127.0.0.1:49152/callback?code=c&state=STATE&state=STATE", .repeatedParameter("state")),
        ("http://127.0.0.1:49152/callback?code=c&code=d&state=STATE", .repeatedParameter("code")),
        ("http://127.0.0.1:49152/callback?state=STATE", .missingCode),
        ("http://127.0.0.1:49152/callback?state=STATE&code=", .missingCode),
        ("http://127.0.0.1:49152/callback#state=STATE&code=c", .stateMismatch),
        ("http://127.0.0.1:49153/callback?code=c&state=STATE", .notAtRedirect),
        ("http://127.0.0.1/callback?code=c&state=STATE", .notAtRedirect),
        ("https://127.0.0.1:49152/callback?code=c&state=STATE", .notAtRedirect),
        ("http://127.0.0.2:49152/callback?code=c&state=STATE", .notAtRedirect),
        ("http://127.0.0.1:49152/callback/x?code=c&state=STATE", .notAtRedirect),
        ("http://me@127.0.0.1:49152/callback?code=c&state=STATE", .notAtRedirect),
        (
            "http://127.0.0.1:49152/callback?error=access_denied&error_description=Not+now&state=STATE",
            .denied(code: "access_denied", explanation: "Not now")
        ),
        (
            "http://127.0.0.1:49152/callback?error=server_error&code=c&state=STATE",
            .denied(code: "server_error", explanation: nil)
        ),
    ])
    func `A wrong OAuth callback fails with a SignInError such as stateMismatch, and requests no token`(
        callback: String,
        error: TokenSource.SignInError
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let source = source { url in
            LoginStubs.url(callback.replacing("STATE", with: url.fields["state"] ?? ""))
        }
        await #expect(throws: error) { try await login.token(of: source) }
        #expect(login.sent.isEmpty)
        #expect(error.errorDescription?.isEmpty == false)
    }

    /// RFC 9207: another server's code is not sent to this one.
    @Test(arguments: [
        ("https://login.example", "&iss=https%3A%2F%2Flogin.example", true),
        ("https://login.example", "&iss=https%3A%2F%2Fother.example", false),
        ("https://login.example", "&iss=https%3A%2F%2Flogin.example%2F", false),
        ("https://login.example", "", false),
        (nil, "&iss=https%3A%2F%2Fother.example", true),
    ])
    func `An OAuth callback with a missing or wrong iss fails with issuerMismatch if an issuer is set`(
        issuer: String?,
        parameter: String,
        isAccepted: Bool
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let source = source(issuer: issuer) { Self.callback($0, "&code=c" + parameter) }
        do {
            #expect(try await login.token(of: source) == "a1")
            #expect(isAccepted)
        } catch TokenSource.SignInError.issuerMismatch {
            #expect(!isAccepted)
        }
        #expect(login.sent.count == (isAccepted ? 1 : 0))
    }

    /// The callback of the first sign-in comes again in the second.
    @Test func `An OAuth callback of an earlier sign-in fails with stateMismatch`() async throws {
        let login = LoginStubs(LoginStubs.refusal("invalid_grant"))
        let first = Locked<URL?>(nil)
        let source = source { url in
            first.withLock { first in
                first = first ?? Self.callback(url)
                return first ?? url
            }
        }
        await #expect(throws: TokenSource.OAuthError.self) { try await login.token(of: source) }
        await #expect(throws: TokenSource.SignInError.stateMismatch) { try await login.token(of: source) }
        #expect(login.sent.count == 1)
    }

    @Test
    func `The user has to sign in again only when the OAuth token refresh fails with invalid_grant`() async throws {
        let opened = Locked(0)
        let expired = StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0")
        let login = LoginStubs(
            LoginStubs.refusal("server_error", status: 500),
            LoginStubs.refusal("invalid_grant"),
            LoginStubs.token(1)
        )
        let store = MemoryTokenStore(expired)
        let source = source(store: store) { url in
            opened.withLock { $0 += 1 }
            return Self.callback(url)
        }
        await #expect(throws: TokenSource.OAuthError.self) { try await login.token(of: source) }
        #expect(opened.withLock { $0 } == 0)
        #expect(store.token == expired)
        #expect(try await login.token(of: source) == "a1")
        #expect(opened.withLock { $0 } == 1)
        #expect(login.sent.map { $0["grant_type"] } == ["refresh_token", "refresh_token", "authorization_code"])
        #expect(store.token?.refreshToken == "r1")
    }

    @Test func `Concurrent calls to several servers open one OAuth sign-in page at a time`() async throws {
        let open = Locked((now: 0, most: 0, all: 0))
        let login = LoginStubs(
            LoginStubs.token(1, #", "refresh_token": null"#),
            LoginStubs.token(2),
            LoginStubs.token(3)
        )
        let source = source { url in
            open.withLock { ($0.now, $0.most, $0.all) = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
            // Room for another one.
            for _ in 0..<100 { await Task.yield() }
            open.withLock { $0.now -= 1 }
            return Self.callback(url)
        }
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<12 {
                group.addTask { try await login.token(of: source, at: "http://\(number % 3).example") }
            }
            var tokens: Set<String?> = []
            for try await token in group { tokens.insert(token) }
            #expect(tokens.count == 3)
        }
        #expect(open.withLock { $0.most } == 1)
    }

    @Test(arguments: [1, 3])
    func `A call whose deadline passes during an OAuth sign-in says that it waited for a token or a sign-in`(
        attempts: Int
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let call = Call("/x")
        call.authorization = .tokens(
            source { url in
                try await Task.sleep(for: .seconds(600))
                return url
            }
        )
        call.retry = RetryPolicy(attempts: attempts, deadline: .milliseconds(1_500))
        let error = try #require(
            await #expect(throws: TransportError.self) { try await login.stubs.run { try await call.value() } }
        )
        #expect(error.phase == .credentials && error.reason == .timedOut(which: .total, after: .milliseconds(1_500)))
        #expect(
            error.localizedDescription == "There were no credentials within 1.5 seconds: the call waited for a token "
                + "or a sign-in (http://api.example/x)"
        )
        let unsent = TransportError(phase: .request, reason: error.reason, url: nil)
        #expect(unsent.localizedDescription == "The request was not sent within 1.5 seconds")
    }

    @Test func `Canceling a call cancels the closure that shows its OAuth sign-in page`() async throws {
        let (began, ended) = (Later<Void>(), Later<Void>())
        let login = LoginStubs(LoginStubs.token(1))
        let source = source { url in
            began.set()
            defer { ended.set() }
            try await Task.sleep(for: .seconds(600))
            return url
        }
        let task = Task { try await login.token(of: source) }
        try await began.value()
        task.cancel()
        try await ended.value()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
