import APIBaseKit
import APIBaseStubs
import Basics
import TestTiers
import Testing

/// The calls that a sign-in makes: who sees them, and what they have of the account around them.
@Suite(.limited) struct AuthorizationServerCallTests {
    /// Keeps the URL paths of all events.
    private final class Watcher: CallWatcher {
        let seen = Locked<[String]>([])
        let attempts = Locked<[String]>([])
        let accounts = Locked<Set<String>>([])

        func attempt(_ request: URLRequest) throws -> URLRequest {
            attempts.withLock { $0.append(request.url?.path ?? "") }
            return request
        }

        func report(_ event: CallEvent) {
            let word =
                switch event {
                case .began: "began"
                case .sent: "sent"
                case .head: "head"
                case .ended: "ended"
                default: "\(event)"
                }
            seen.withLock { $0.append("\(word) \(event.call.url?.path ?? "")") }
            accounts.withLock { _ = $0.insert(event.call.account ?? "none") }
        }

        /// The paths of the calls, each of which has begun, was sent, got a head and ended.
        var calls: [String] {
            let seen = seen.withLock { $0 }
            let paths = seen.filter { $0.hasPrefix("began ") }.map { String($0.dropFirst("began ".count)) }
            let all = paths.flatMap { path in ["began", "sent", "head", "ended"].map { "\($0) \(path)" } }
            #expect(seen.sorted() == all.sorted())
            return paths
        }
    }

    private static let issuer = LoginStubs.url("https://login.example")

    /// An authorization server with all endpoints, whose device code is confirmed at the third poll.
    private func stubs() -> Stubs {
        let stubs = Stubs()
        let endpoints = ["token": "token", "device_authorization": "device", "revocation": "revoke"]
            .map { #", "\#($0)_endpoint": "https://login.example/\#($1)""# }.joined()
        stubs.on(.get, "/.well-known/oauth-authorization-server").answer(.text("", status: 404))
        stubs.on(.get, "/.well-known/openid-configuration").answer(
            .json(#"{"issuer": "https://login.example"\#(endpoints)}"#)
        )
        stubs.on(.post, "/device").optional().answer(
            .json(
                #"{"device_code": "d", "user_code": "u", "verification_uri": "https://login.example/d", "expires_in": 600}"#
            )
        )
        let pending = StubAnswer.json(#"{"error": "authorization_pending"}"#, status: 400)
        stubs.on(.post, "/token").answer(
            inOrder: pending,
            pending,
            .json(#"{"access_token": "a1", "refresh_token": "r1", "expires_in": 3600}"#),
            .json(#"{"access_token": "a2", "refresh_token": "r2", "expires_in": 3600}"#)
        )
        stubs.on(.post, "/revoke").answer(.text(""))
        stubs.on(nil, "/x").answer(.json("{}"))
        return stubs
    }

    @Test func `A watcher of a scope sees metadata, device code, polls, refresh and revocation as it sees any call`()
        async throws
    {
        let (stubs, watcher, store) = (stubs(), Watcher(), MemoryTokenStore())
        try await stubs.run {
            try await CallScope.watching(watcher) {
                let server = try await TokenSource.authorizationServer(at: Self.issuer)
                let source = TokenSource.deviceCode(
                    authorizeAt: try #require(server.deviceAt),
                    tokenAt: try #require(server.tokenAt),
                    revokeAt: server.revocationEndpoint,
                    id: "me",
                    store: store
                ) { _ in }
                try await source.signIn()
                let expired = StoredToken("a1", expiresAt: .distantPast, refreshToken: "r1")
                _ = try await store.replace(store.token, with: expired)
                let call = Call(base: "https://api.desk.example", "/x")
                call.authorization = .tokens(source)
                _ = try await call.value()
                try await source.signOut()
            }
        }
        let paths = [
            "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/device", "/token",
            "/token",
            "/token", "/token", "/x", "/revoke", "/revoke",
        ]
        #expect(watcher.attempts.withLock { $0 } == paths)
        #expect(watcher.calls.sorted() == paths.sorted())
    }

    private final class Ticket: JSONAPI, Request {
        typealias ModelType = Void
        override init() { super.init(.get("/x")) }
    }

    private final class Upload: JSONAPI, Request {
        typealias ModelType = Void
        init(_ host: String = "files.desk.example") { super.init(.get("https://\(host)/x")) }
    }

    /// The line of a program with one user, whose client has a secret.
    @Test
    func `An account of JSONAPI gives its token to all named servers, and its settings to no authorization server`()
        async throws
    {
        let (stubs, watcher) = (stubs(), Watcher())
        stubs.on(.post, "/token").overriding().answer(.json(#"{"access_token": "a1", "refresh_token": "r1"}"#))
        let store = MemoryTokenStore(StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0"))
        let source = TokenSource.stored(
            in: store,
            tokenAt: LoginStubs.tokenURL,
            revokeAt: LoginStubs.url("https://login.example/revoke"),
            id: "me",
            secret: "s",
            servers: ["*.desk.example"]
        )
        let account = APIAccount(
            name: "north",
            authorization: .tokens(source),
            headers: ["X-Tenant": "canary4711"],
            watchers: [watcher]
        )
        let base = LoginStubs.url("https://api.desk.example")
        try await stubs.run {
            try await JSONAPI.with(account) {
                _ = try await TokenSource.authorizationServer(at: Self.issuer)
                // For the calls of the API, and not for those that they cause.
                try await JSONAPI.withBaseURL(base) { try await Ticket().value() }
                try await Upload().value()
                try await Upload("weather.example").value()
                try await source.signOut()
            }
        }
        let sent = stubs.calls.map { call in
            let headers = [call.headers["Authorization"], call.headers["X-Tenant"]].map { $0 ?? "-" }.joined(
                separator: " "
            )
            return "\(call.url?.host ?? "")\(call.url?.path ?? "") \(headers)"
        }
        #expect(
            sent == [
                "login.example/.well-known/oauth-authorization-server - -",
                "login.example/.well-known/openid-configuration - -",
                "login.example/token Basic bWU6cw== -", "api.desk.example/x Bearer a1 canary4711",
                "files.desk.example/x Bearer a1 canary4711", "weather.example/x - canary4711",
                "login.example/revoke Basic bWU6cw== -", "login.example/revoke Basic bWU6cw== -",
            ]
        )
        #expect(watcher.calls.count == stubs.calls.count)
        #expect(watcher.accounts.withLock { $0 } == ["north"])
    }
}
