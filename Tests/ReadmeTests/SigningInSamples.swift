// swift-format-ignore-file
// The samples of the article on signing in, in its order.

import APIBaseTesting
import Testing

// sample x
func jobTokens(at token: URL) -> TokenSource {
    .clientCredentials(at: token, id: "nightly-job", secret: ProcessInfo.processInfo.environment["JOB_SECRET"])
}
// end

// sample x
enum Login {
    static let redirect = "com.example.reader:/signed-in"

    static func tokens(
        _ store: any TokenStore,
        open: @escaping @Sendable (URL) async throws -> URL
    ) throws -> TokenSource {
        guard let authorize = URL(string: "https://login.example/authorize"),
            let token = URL(string: "https://login.example/token"), let redirect = URL(string: redirect)
        else { throw URLError(.badURL) }
        return .authorizationCode(
            authorizeAt: authorize,
            tokenAt: token,
            id: "reader",
            redirect: redirect,
            scope: "books offline_access",
            store: store,
            open: open
        )
    }
}
// end

// sample x
func commandTokens(_ server: TokenSource.AuthorizationServer, _ file: URL) throws -> TokenSource {
    guard let authorizeAt = server.authorizeAt, let tokenAt = server.tokenAt else { throw URLError(.badURL) }
    let receiver = try LoopbackReceiver()
    return .authorizationCode(
        authorizeAt: authorizeAt,
        tokenAt: tokenAt,
        revokeAt: server.revocationEndpoint,
        id: "reader-command",
        redirect: receiver.url,
        issuer: server.sendsIssuer ? server.issuer : nil,
        store: FileTokenStore(at: file)
    ) { url in
        print("Open this page to sign in: \(url.absoluteString)")
        fflush(nil)                                             // a pipe would get the line at the end only
        return try await receiver.callback(of: url)
    }
}
// end

// sample x
func deviceTokens(_ server: TokenSource.AuthorizationServer, _ file: URL) throws -> TokenSource {
    guard let deviceAt = server.deviceAt, let tokenAt = server.tokenAt else { throw URLError(.badURL) }
    return .deviceCode(
        authorizeAt: deviceAt,
        tokenAt: tokenAt,
        revokeAt: server.revocationEndpoint,
        id: "reader-television",
        store: FileTokenStore(at: file)
    ) { device in
        print("Open \(device.page.absoluteString) on another device, and enter \(device.userCode).")
        fflush(nil)
    }
}
// end

// sample x
func signIn(at issuer: URL) async throws -> TokenSource {
    let server = try await TokenSource.authorizationServer(at: issuer)
    return try commandTokens(server, URL(fileURLWithPath: NSHomeDirectory() + "/.reader/token"))
}
// end

// sample x
func logIn(_ server: TokenSource.AuthorizationServer, _ file: URL) async throws {
    try await commandTokens(server, file).signIn()
}

func storedTokens(_ server: TokenSource.AuthorizationServer, _ file: URL) throws -> TokenSource {
    guard let tokenAt = server.tokenAt else { throw URLError(.badURL) }
    let store = FileTokenStore(at: file)
    return .stored(in: store, tokenAt: tokenAt, revokeAt: server.revocationEndpoint, id: "reader-command")
}
// end

// sample x
func signedJobs(at token: URL, sign: @escaping @Sendable () async throws -> String) -> TokenSource {
    .clientCredentials(at: token, id: "nightly-job", secretIn: .assertion(sign))
}
// end

// sample x
struct SessionReply: Decodable {
    var key: String
    var renewal: String
}

final class RenewRequest: JSONAPI, Request {
    typealias ModelType = SessionReply
    init(_ renewal: String?) { super.init(.post("https://books.example/session", json: ["renewal": renewal])) }
}

func ownTokens(_ store: any TokenStore) -> TokenSource {
    TokenSource(store: store) { old in
        let reply = try await RenewRequest(old?.refreshToken).value()
        return StoredToken(reply.key, refreshToken: reply.renewal)
    }
}
// end

// sample x
func deskTokens(_ server: TokenSource.AuthorizationServer, _ file: URL) throws -> TokenSource {
    guard let tokenAt = server.tokenAt else { throw URLError(.badURL) }
    return .stored(
        in: FileTokenStore(at: file),
        tokenAt: tokenAt,
        revokeAt: server.revocationEndpoint,
        id: "desk-command",
        servers: ["api.desk.example", "*.files.desk.example"]
    )
}
// end

// sample x
func deskSignIn(_ server: TokenSource.AuthorizationServer, _ file: URL) throws -> TokenSource {
    guard let authorizeAt = server.authorizeAt, let tokenAt = server.tokenAt else { throw URLError(.badURL) }
    let receiver = try LoopbackReceiver()
    return .authorizationCode(
        authorizeAt: authorizeAt,
        tokenAt: tokenAt,
        id: "desk-command",
        redirect: receiver.url,
        store: FileTokenStore(at: file),
        servers: ["api.desk.example", "*.files.desk.example"]
    ) { url in
        print("Open this page to sign in: \(url.absoluteString)")
        return try await receiver.callback(of: url)
    }
}
// end

// sample x
func run(_ tokens: TokenSource, _ command: () async throws -> Void) async throws {
    try await JSONAPI.with(APIAccount(authorization: .tokens(tokens))) {
        try await command()
    }
}
// end

// sample x
func logOut(_ tokens: TokenSource, _ cache: ResponseCache) async throws {
    var failure: (any Error)?
    do { try await tokens.signOut() } catch { failure = error }
    BooksAPI.cancelAll()
    await cache.removeAll()
    if let failure { throw failure }
}
// end

// sample x
final class ShelfRequest: JSONAPI, Request {
    typealias ModelType = [String]

    init(_ tokens: TokenSource) {
        super.init(.get("https://books.example/shelf"))
        authorization = .tokens(tokens)
    }
}

@Test(.stubs { stubs in
    stubs.on(.post, "/token").answer(.json(#"{"access_token": "a", "refresh_token": "r"}"#))
    stubs.on(.get, "/shelf").answer(.json(#"["Emma"]"#))
})
func `A user signs in with an authorization code, and the store keeps the refresh token`() async throws {
    let store = MemoryTokenStore()
    let redirect = Login.redirect
    let tokens = try Login.tokens(store) { url in
        let state = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }
        return try #require(URL(string: "\(redirect)?code=c&state=\(state?.value ?? "")"))
    }
    #expect(try await ShelfRequest(tokens).value() == ["Emma"])
    #expect(store.token?.refreshToken == "r")
}
// end

// sample x
@Test(.stubs { stubs in
    let page = #""verification_uri": "https://login.example/device""#
    stubs.on(.post, "/device").answer(.json(#"{"device_code": "d", "user_code": "WDJB", "expires_in": 600, \#(page)}"#))
    stubs.on(.post, "/token").answer(
        inOrder: .json(#"{"error": "authorization_pending"}"#, status: 400),
        .json(#"{"access_token": "a"}"#)
    )
    stubs.on(.get, "/shelf").answer(.json(#"["Emma"]"#))
})
func `A device gets its token when the user has confirmed the code`() async throws {
    let endpoint = try #require(URL(string: "https://login.example/device"))
    let token = try #require(URL(string: "https://login.example/token"))
    let tokens = TokenSource.deviceCode(authorizeAt: endpoint, tokenAt: token, id: "reader") { device in
        #expect(device.userCode == "WDJB")
    }
    #expect(try await ShelfRequest(tokens).value() == ["Emma"])
    #expect(Stubs.current?.waits == [.init(.sleep, .seconds(5)), .init(.sleep, .seconds(5))])
}
// end
