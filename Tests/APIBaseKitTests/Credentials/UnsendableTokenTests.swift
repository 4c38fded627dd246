import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Tokens that a header cannot have, and every way in which a source can get one.
@Suite(.limited) struct UnsendableTokenTests {
    static let values = [
        "", " ", "tok\n", "tok\r\n", "\ntok", "to\nk", " tok", "tok ", "tok\t", "to\tk", "t\u{F6}k", "tok\u{0}",
        "tok\u{7F}", "tok\u{2028}", "\u{65E5}\u{672C}", "\u{FEFF}tok",
    ]

    /// A store that is empty or has a token.
    private static func stores(_ folder: StorageFolder, with token: StoredToken?) async throws -> [any TokenStore] {
        let file = FileTokenStore(at: folder.url.appendingPathComponent("token"))
        if let token { _ = try await file.replace(nil, with: token) }
        return [MemoryTokenStore(token), file]
    }

    private static func isAboutTheToken(_ error: (any Error)?) -> Bool {
        guard case .invalidRequest(let invalid)? = error as? RequestError else { return false }
        return invalid.part == .token && invalid.description.hasPrefix("The token ")
    }

    @Test(arguments: values)
    func `A refresh that brings a token that cannot be sent fails and stores nothing, and the next call refreshes`(
        value: String
    ) async throws {
        let folder = StorageFolder()
        let login = LoginStubs(LoginStubs.token(1))
        for store in try await [nil] + Self.stores(folder, with: nil) {
            let values = Locked([value, "good"])
            let next: @Sendable () -> String = { values.withLock { $0.removeFirst() } }
            let source =
                store.map { TokenSource(store: $0) { _ in StoredToken(next()) } } ?? TokenSource { _ in Token(next()) }
            let error = await #expect(throws: RequestError.self) { try await login.token(of: source) }
            #expect(Self.isAboutTheToken(error))
            #expect(try await store?.load() == nil)
            #expect(try await login.token(of: source) == "good")
            #expect(try await store?.load()?.value == (store == nil ? nil : "good"))
        }
    }

    @Test(arguments: values)
    func `A stored or first token that cannot be sent counts as refused, and is refreshed`(value: String) async throws {
        let folder = StorageFolder()
        let bad = StoredToken(value, expiresAt: .distantFuture, refreshToken: "r0")
        for store in try await Self.stores(folder, with: bad) {
            let login = LoginStubs(LoginStubs.token(1))
            let source = TokenSource.refreshToken("other", at: LoginStubs.tokenURL, id: "me", store: store)
            #expect(try await login.token(of: source) == "a1")
            #expect(login.sent.map { $0["refresh_token"] } == ["r0"])
            #expect(try await store.load()?.value == "a1")
        }
        let source = TokenSource(Token(value)) { old in Token(old?.value == value ? "good" : "unexpected") }
        #expect(try await LoginStubs(LoginStubs.token(1)).token(of: source) == "good")
    }

    @Test(arguments: values)
    func `A token endpoint that gives a token that cannot be sent fails the call, and the stored one stays`(
        value: String
    ) async throws {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        let answer = StubAnswer.json(#"{"access_token": \#(text), "refresh_token": "r1"}"#)
        let old = StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0")
        let store = MemoryTokenStore(old)
        let login = LoginStubs(answer, LoginStubs.token(1))
        for source in [
            TokenSource.refreshToken("r", at: LoginStubs.tokenURL, id: "me", store: store),
            .clientCredentials(at: LoginStubs.tokenURL, id: "me", secret: "s"),
        ] {
            let login = LoginStubs(answer)
            await #expect(throws: RequestError.self) { try await login.token(of: source) }
        }
        #expect(store.token == old)
        let source = TokenSource.refreshToken("r", at: LoginStubs.tokenURL, id: "me", store: store)
        await #expect(throws: RequestError.self) { try await login.token(of: source) }
        #expect(try await login.token(of: source) == "a1")
    }

    @Test
    func `An empty refresh token counts as missing: refreshToken fails with signedOut, and a user signs in again`()
        async throws
    {
        let old = StoredToken("a0", expiresAt: .distantPast, refreshToken: "")
        for store in [MemoryTokenStore(), MemoryTokenStore(old)] {
            let login = LoginStubs(LoginStubs.token(1))
            let source = TokenSource.refreshToken("", at: LoginStubs.tokenURL, id: "me", store: store)
            await #expect(throws: TokenSource.SignInError.signedOut) { try await login.token(of: source) }
            #expect(login.sent.isEmpty)
        }
        let login = LoginStubs(LoginStubs.token(1))
        let source = TokenSource.authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "me",
            redirect: LoginStubs.redirect,
            store: MemoryTokenStore(old)
        ) { url in
            LoginStubs.url("\(LoginStubs.redirect.absoluteString)?code=c&state=\(url.fields["state"] ?? "")")
        }
        #expect(try await login.token(of: source) == "a1")
        #expect(login.sent.map { $0["grant_type"] } == ["authorization_code"])
    }
}
