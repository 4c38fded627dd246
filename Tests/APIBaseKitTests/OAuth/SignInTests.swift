import APIBaseKit
@testable import APIBaseCore
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// `TokenSource.signIn()`: what it sends, what it stores, and what becomes of the former token.
@Suite(.tags(.concurrent), .limited) struct SignInTests {
    private static let valid = StoredToken(
        "a9",
        expiresAt: .distantFuture,
        refreshToken: "r9",
        server: "https://api.desk.example:443"
    )
    private static let device =
        #"{"device_code": "d", "user_code": "u", "verification_uri": "https://login.example/d", "expires_in": 60}"#
    private static let api = "https://api.desk.example"

    /// A source whose user signs in with a browser.
    private func browser(
        _ store: (any TokenStore)?,
        servers: [String]? = nil,
        open: @escaping @Sendable (URL) async throws -> URL = Self.callback
    ) -> TokenSource {
        .authorizationCode(
            authorizeAt: LoginStubs.authorizeURL,
            tokenAt: LoginStubs.tokenURL,
            id: "me",
            redirect: LoginStubs.redirect,
            store: store,
            servers: servers,
            open: open
        )
    }

    private static func callback(_ url: URL) -> URL {
        LoginStubs.url("\(LoginStubs.redirect.absoluteString)?code=c&state=\(url.fields["state"] ?? "")")
    }

    private func stored(_ store: any TokenStore, servers: [String]? = nil) -> TokenSource {
        .stored(in: store, tokenAt: LoginStubs.tokenURL, id: "me", servers: servers)
    }

    private func signIn(_ source: TokenSource, _ login: LoginStubs) async throws {
        try await login.stubs.run { try await source.signIn() }
    }

    // MARK: What it replaces

    @Test(arguments: ["", "{half", #"{"value": 7}"#])
    func `signIn() replaces a file that holds no token`(contents: String) async throws {
        let folder = StorageFolder()
        let file = folder.url.appendingPathComponent("token")
        let store = FileTokenStore(at: file)
        try await store.removeAll()
        try Data(contents.utf8).write(to: file)
        let login = LoginStubs(LoginStubs.token(1))
        try await signIn(browser(store), login)
        #expect(try await store.load() != nil)
    }

    // MARK: What it sends

    /// The source, whether something is stored, and the grants of the requests.
    @Test(arguments: [
        ("browser", true, ["authorization_code"]), ("browser", false, ["authorization_code"]),
        ("device", true, ["device", "urn:ietf:params:oauth:grant-type:device_code"]),
        ("refresh", true, ["refresh_token r9"]), ("refresh", false, ["refresh_token r0"]),
        ("stored", true, ["refresh_token r9"]), ("credentials", true, ["client_credentials"]),
        ("credentials", false, ["client_credentials"]), ("own", true, ["own nil"]),
    ])
    func `signIn() runs the grant although a valid token is stored, and stores the new token`(
        kind: String,
        isStored: Bool,
        grants: [String]
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1), device: .json(Self.device))
        let store = MemoryTokenStore(isStored ? Self.valid : nil)
        let own = Locked<[String]>([])
        let (token, servers) = (LoginStubs.tokenURL, ["api.desk.example"])
        let source: TokenSource =
            switch kind {
            case "browser": browser(store, servers: servers)
            case "device":
                .deviceCode(authorizeAt: LoginStubs.deviceURL, tokenAt: token, id: "me", store: store, servers: servers)
                { _ in }
            case "refresh": .refreshToken("r0", at: token, id: "me", store: store, servers: servers)
            case "stored": stored(store, servers: servers)
            case "credentials": .clientCredentials(at: token, id: "me", secret: "s", store: store, servers: servers)
            default:
                TokenSource(store: store, servers: servers) { old in
                    own.withLock { $0.append("own \(old?.value ?? "nil")") }
                    return StoredToken("a1", refreshToken: "r1")
                }
            }
        try await signIn(source, login)
        let sent = login.sent.map { form in
            form["grant_type"].map { $0 == "refresh_token" ? "\($0) \(form["refresh_token"] ?? "")" : $0 } ?? "device"
        }
        #expect(sent + own.withLock { $0 } == grants)
        #expect(store.token?.value == "a1" && store.token?.server == "https://api.desk.example:443")
        // It is used from now on, and nobody is asked again.
        #expect(try await login.token(of: source, at: Self.api) == "a1")
        #expect(login.sent.count == (kind == "own" ? 0 : grants.count))
    }

    @Test func `signIn() of a source without a store gets a token that its next call uses`() async throws {
        let login = LoginStubs(LoginStubs.token(1), LoginStubs.token(2), LoginStubs.token(3))
        let source = TokenSource.clientCredentials(at: LoginStubs.tokenURL, id: "me", secret: "s")
        #expect(try await login.token(of: source) == "a1")
        try await signIn(source, login)
        #expect(try await login.token(of: source) == "a2")
        // It belongs to the server of the first call.
        #expect(try await login.token(of: source, at: Self.api) == "a3")
        #expect(try await login.token(of: source) == "a2")
    }

    @Test func `With nothing stored, a stored source fails with signedOut, in a call and in signIn(), and asks nobody`()
        async throws
    {
        let login = LoginStubs(LoginStubs.token(1))
        let expired = StoredToken("a0", expiresAt: .distantPast, refreshToken: "")
        for store in [MemoryTokenStore(), MemoryTokenStore(expired)] {
            let source = stored(store)
            await #expect(throws: TokenSource.SignInError.signedOut) { try await login.token(of: source) }
            await #expect(throws: TokenSource.SignInError.signedOut) { try await signIn(source, login) }
        }
        #expect(login.sent.isEmpty)
    }

    @Test func `A stored source sends the token that another source has signed in with, and renews it when it expires`()
        async throws
    {
        let clock = StubClock.manual(movedWithin: nil)
        let login = LoginStubs(LoginStubs.token(1), LoginStubs.token(2), LoginStubs.token(3), clock: clock)
        let (store, servers) = (MemoryTokenStore(), ["api.desk.example", "*.files.desk.example"])
        try await signIn(browser(store, servers: servers), login)
        for (round, token) in ["a1", "a2", "a3"].enumerated() {
            if round > 0 { clock.advance(by: .seconds(7_200)) }
            // A new start of the program for each call.
            for base in [Self.api, "https://up.files.desk.example", Self.api, "https://down.files.desk.example"] {
                #expect(try await login.token(of: stored(store, servers: servers), at: base) == token)
            }
        }
        #expect(login.sent.map { $0["refresh_token"] } == [nil, "r1", "r2"])
    }

    // MARK: Whose token it is

    @Test
    func
        `A token of signIn() without names of servers belongs to the first server that is called, after a restart too`()
        async throws
    {
        let (login, store) = (LoginStubs(LoginStubs.token(1), LoginStubs.token(2)), MemoryTokenStore())
        try await signIn(browser(store), login)
        #expect(store.token?.server == nil)
        #expect(try await login.token(of: stored(store), at: Self.api) == "a1")
        #expect(store.token?.server == "https://api.desk.example:443")
        #expect(try await login.token(of: stored(store), at: Self.api) == "a1")
        #expect(try await login.token(of: stored(store), at: "https://files.desk.example") == "a2")
        #expect(login.sent.count == 2)
    }

    @Test func `A stored token of a server that the source does not name is renewed, and one of a named server is not`()
        async throws
    {
        for (name, token) in [("files.desk.example", "a1"), ("api.desk.example", "a9"), ("*.desk.example", "a9")] {
            let (login, store) = (LoginStubs(LoginStubs.token(1)), MemoryTokenStore(Self.valid))
            let source = stored(store, servers: ["files.desk.example", name])
            #expect(try await login.token(of: source, at: "https://files.desk.example") == token)
            let server = token == "a9" ? Self.valid.server : "https://files.desk.example:443"
            #expect(store.token?.server == server)
        }
    }

    // MARK: Beside calls

    @Test func `A call that needs a token waits for a running signIn(), and gets its token`() async throws {
        let (login, began, goes) = (LoginStubs(LoginStubs.token(1)), Later<Void>(), Later<Void>())
        let source = browser(nil) { url in
            began.set()
            try await goes.value()
            return Self.callback(url)
        }
        let signing = Task { try await signIn(source, login) }
        try await began.value()
        let call = Task { try await login.token(of: source) }
        let isWaiting = try await holds { (try? login.stubs.run { source.waiters }) == 1 }
        #expect(isWaiting)
        goes.set()
        try await signing.value
        #expect(try await call.value == "a1")
        #expect(login.sent.count == 1)
    }

    @Test func `Calls of the API in an own refresh go without a token in signIn() too`() async throws {
        let (login, own) = (LoginStubs(LoginStubs.token(1)), Locked<TokenSource?>(nil))
        let sent = Locked<[String?]>([])
        let source = TokenSource { _ in
            let call = Call(base: "http://api.example", "/x")
            call.authorization = own.withLock { $0 }.map { .tokens($0) }
            _ = try await call.value()
            sent.withLock { $0.append(call.request?.value(forHTTPHeaderField: "Authorization")) }
            return Token("a1")
        }
        own.withLock { $0 = source }
        let account = APIAccount(headers: ["X-Tenant": "north"])
        try await Call.with(account) { try await signIn(source, login) }
        #expect(sent.withLock { $0 } == [nil])
        #expect(try await login.token(of: source) == "a1")
        #expect(sent.withLock { $0.count } == 1)
        own.withLock { $0 = nil }
    }

    @Test func `A 401 for the token before a signIn() does not make the new token count as refused`() async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let refreshes = Locked(0)
        let source = TokenSource(Token("old")) { _ in
            Token(
                refreshes.withLock { count in
                    count += 1
                    return "new\(count)"
                }
            )
        }
        let call = WatchedCall()
        call.authorization = .tokens(source)
        // The sign-in runs while the call is under way.
        call.around = { request, next in
            guard request.value(forHTTPHeaderField: "Authorization") == "Bearer old" else { return next(request) }
            return Future { promise in
                // Unchecked: only the task uses it. Other Combines do not say that it may be sent.
                let promise = UncheckedSendable(promise)
                Task {
                    try await source.signIn()
                    promise.value(.success(()))
                }
            }
            .setFailureType(to: (any Error).self).flatMap { next(request) }.eraseToAnyPublisher()
        }
        login.stubs.on(nil, "/x").overriding().answer(with: {
            $0.headers["Authorization"] == "Bearer old" ? .text("", status: 401) : .text("ok")
        })
        #expect(try await login.stubs.run { try await call.value() } == 200)
        #expect(call.request?.value(forHTTPHeaderField: "Authorization") == "Bearer new1")
        #expect(refreshes.withLock { $0 } == 1)
    }

    // MARK: Failures

    @Test func `A signIn() that the user refuses leaves the former token in memory and in the store`() async throws {
        let (login, store) = (LoginStubs(LoginStubs.token(1)), MemoryTokenStore(Self.valid))
        let source = browser(store) { url in
            LoginStubs.url(
                "\(LoginStubs.redirect.absoluteString)?error=access_denied&state=\(url.fields["state"] ?? "")"
            )
        }
        #expect(try await login.token(of: source, at: Self.api) == "a9")
        let denied = TokenSource.SignInError.denied(code: "access_denied", explanation: nil)
        await #expect(throws: denied) { try await signIn(source, login) }
        #expect(store.token == Self.valid)
        #expect(try await login.token(of: source, at: Self.api) == "a9")
        #expect(login.sent.isEmpty)
    }

    @Test func `Canceling the task of signIn() cancels the question to the user, and stores nothing`() async throws {
        let (login, store, began) = (LoginStubs(LoginStubs.token(1)), MemoryTokenStore(Self.valid), Later<Void>())
        let source = browser(store) { url in
            began.set()
            try await Task.sleep(for: .seconds(1_000))
            return url
        }
        let task = Task { try await signIn(source, login) }
        try await began.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(store.token == Self.valid)
    }

    /// A store that others renew meanwhile, since it keeps nobody out.
    private struct OpenStore: TokenStore {
        let memory: MemoryTokenStore
        let others: Locked<[StoredToken]>

        func load() async throws -> StoredToken? { memory.token }
        func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
            let other = others.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let other { _ = try await memory.replace(memory.token, with: other) }
            return try await memory.replace(old, with: new)
        }
        func removeAll() async throws { try await memory.removeAll() }
    }

    @Test func `A signIn() replaces a token that other processes have renewed while the user was asked`() async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let others = Locked([StoredToken("b1", refreshToken: "s1"), StoredToken("b2", refreshToken: "s2")])
        let store = OpenStore(memory: MemoryTokenStore(Self.valid), others: others)
        try await signIn(browser(store), login)
        #expect(store.memory.token?.value == "a1" && store.memory.token?.refreshToken == "r1")
    }
}

extension TokenSource {
    /// The number of calls of the scope that wait for a token.
    fileprivate var waiters: Int { refreshers.value(for: CallScope.here.standInOwner).waiterCount }
}
