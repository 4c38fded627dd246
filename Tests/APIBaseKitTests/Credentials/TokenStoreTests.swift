import APIBaseKit
@testable import APIBaseCore
@testable import APIBaseSignIn
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Sources with a store: what is stored, when, and what is used.
@Suite(.tags(.concurrent), .limited) struct TokenStoreTests {
    private struct Full: Error {}

    /// A store that another process uses as well, and that may fail.
    private final class Store: TokenStore {
        let memory: MemoryTokenStore
        let log = Locked<[String]>([])
        let failures = Locked(0)
        /// What another process stores just before this one does.
        let onReplace = Locked<StoredToken?>(nil)
        /// What another process does before the exclusive part.
        let before: @Sendable (MemoryTokenStore) async throws -> Void

        init(_ token: StoredToken?, before: @escaping @Sendable (MemoryTokenStore) async throws -> Void = { _ in }) {
            (memory, self.before) = (MemoryTokenStore(token), before)
        }

        func load() async throws -> StoredToken? {
            log.withLock { $0.append("load") }
            return memory.token
        }

        func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
            log.withLock { $0.append("replace") }
            let fails = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            if fails { throw Full() }
            if let other = onReplace.withLock({ $0.take() }) { _ = try await memory.replace(memory.token, with: other) }
            return try await memory.replace(old, with: new)
        }

        func exclusively<R>(_ body: () async throws -> R) async throws -> R {
            log.withLock { $0.append("exclusively") }
            try await before(memory)
            return try await body()
        }

        func removeAll() async throws { try await memory.removeAll() }
    }

    private static let expired = StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0")
    private static let valid = StoredToken(
        "a9",
        expiresAt: .distantFuture,
        refreshToken: "r9",
        server: "http://api.example:80"
    )

    private func source(_ store: (any TokenStore)?, _ token: String = "r0") -> TokenSource {
        .refreshToken(token, at: LoginStubs.tokenURL, id: "me", store: store)
    }

    // MARK: Loading

    @Test func `A valid token is loaded from its token store once and sent without a refresh`() async throws {
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(Self.valid))
        let source = source(store)
        #expect(try await login.token(of: source) == "a9")
        #expect(try await login.token(of: source) == "a9")
        #expect(store.log.withLock { $0 } == ["load"])
        #expect(login.sent.isEmpty)
    }

    @Test
    func `An expired stored token is refreshed under the token store's lock, and the new token is stored`() async throws
    {
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(Self.expired))
        #expect(try await login.token(of: source(store, "other")) == "a1")
        #expect(store.log.withLock { $0 } == ["load", "exclusively", "load", "replace"])
        #expect(login.sent.map { $0["refresh_token"] } == ["r0"])
        #expect(store.memory.token?.refreshToken == "r1")
        #expect(store.memory.token?.server == "http://api.example:80")
        #expect(try await login.token(of: source(store)) == "a1")
        #expect(login.sent.count == 1)
    }

    @Test
    func `The initial refresh token is saved in an empty token store if the server sends no new one`() async throws {
        let (login, store) = (LoginStubs(.json(#"{"access_token": "a1"}"#)), Store(nil))
        #expect(try await login.token(of: source(store)) == "a1")
        #expect(login.sent.map { $0["refresh_token"] } == ["r0"])
        // The server has not replaced it.
        #expect(store.memory.token?.refreshToken == "r0")
    }

    @Test
    func `A token that another process stored before the refresh got the lock is used without a refresh`() async throws
    {
        let login = LoginStubs(LoginStubs.token(1))
        let store = Store(Self.expired) { memory in
            let present = memory.token
            if present == Self.expired { _ = try await memory.replace(present, with: Self.valid) }
        }
        #expect(try await login.token(of: source(store)) == "a9")
        #expect(login.sent.isEmpty)
    }

    @Test func `A stored token that gets a 401 is refreshed with the refresh token stored beside it`() async throws {
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(Self.valid))
        let source = source(store)
        login.stubs.on(nil, "/x").overriding().answer(with: { call in
            let isValid = call.request.value(forHTTPHeaderField: "Authorization") == "Bearer a1"
            return isValid ? .text("ok") : .text("", status: 401)
        })
        #expect(try await login.token(of: source) == "a1")
        #expect(login.sent.map { $0["refresh_token"] } == ["r9"])
    }

    // MARK: Storing

    /// What the server has replaced is never used again, and no call goes on with what could not be stored.
    @Test
    func `A call fails with the token store's error if storing a new token fails; a later call stores it`() async throws
    {
        let (login, store) = (LoginStubs(LoginStubs.token(1), LoginStubs.token(2)), Store(Self.expired))
        let source = source(store)
        store.failures.withLock { $0 = 2 }
        await #expect(throws: Full.self) { try await login.token(of: source) }
        await #expect(throws: Full.self) { try await login.token(of: source) }
        #expect(login.sent.map { $0["refresh_token"] } == ["r0"])
        #expect(store.memory.token == Self.expired)
        #expect(try await login.token(of: source) == "a1")
        #expect(store.memory.token?.refreshToken == "r1")
        #expect(login.sent.count == 1)
    }

    @Test
    func `A token that another process stored during a refresh is used instead of the refreshed one`() async throws {
        let store = Store(Self.expired)
        let login = LoginStubs(LoginStubs.token(1))
        let source = TokenSource(store: store) { old in
            _ = try await store.memory.replace(old, with: Self.valid)
            return StoredToken("lost", refreshToken: "lost")
        }
        #expect(try await login.token(of: source) == "a9")
        #expect(store.memory.token == Self.valid)
    }

    @Test func `A failed token refresh leaves the stored token unchanged`() async throws {
        let (login, store) = (LoginStubs(LoginStubs.refusal("invalid_grant")), Store(Self.expired))
        await #expect(throws: TokenSource.OAuthError.self) { try await login.token(of: source(store)) }
        #expect(store.memory.token == Self.expired)
    }

    /// The refresh goes on, since the server may have replaced its token.
    @Test func `A token refresh whose call is canceled still stores its new token`() async throws {
        let (began, goes) = (Later<Void>(), Later<Void>())
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(Self.expired))
        let source = TokenSource(store: store) { _ in
            began.set()
            try await goes.value()
            return StoredToken("a1", refreshToken: "r1")
        }
        let task = Task { try await login.token(of: source) }
        try await began.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        goes.set()
        #expect(try await holds { store.memory.token?.refreshToken == "r1" })
    }

    // MARK: Places

    @Test func `A stored token is sent only to its server, and another server gets a new one`() async throws {
        let token = StoredToken("a9", expiresAt: .distantFuture, refreshToken: "r9")
        let (login, store) = (LoginStubs(LoginStubs.token(1), LoginStubs.token(2)), Store(token))
        let source = source(store)
        #expect(try await login.token(of: source, at: "http://a.example") == "a9")
        #expect(try await login.token(of: source, at: "http://b.example") == "a1")
        #expect(store.memory.token?.server == "http://b.example:80")
        #expect(try await login.token(of: source, at: "http://a.example") == "a9")
        // After a restart.
        #expect(try await login.token(of: self.source(store), at: "http://a.example") == "a2")
        #expect(login.sent.map { $0["refresh_token"] } == ["r9", "r1"])
    }

    @Test
    func `The first server that is called with a stored token of no server is stored under the lock, and keeps it`()
        async throws
    {
        let token = StoredToken("a9", expiresAt: .distantFuture, refreshToken: "r9")
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(token))
        #expect(try await login.token(of: source(store), at: "http://a.example") == "a9")
        #expect(store.log.withLock { $0 } == ["load", "exclusively", "load", "replace"])
        #expect(store.memory.token?.server == "http://a.example:80" && store.memory.token?.refreshToken == "r9")
        // After a restart.
        #expect(try await login.token(of: source(store), at: "http://b.example") == "a1")
        #expect(login.sent.map { $0["refresh_token"] } == ["r9"])
    }

    /// Another process has given it to another server at the same time.
    @Test func `A stored token of no server that cannot be bound to the server of a call is not sent there`()
        async throws
    {
        let token = StoredToken("a9", expiresAt: .distantFuture, refreshToken: "r9")
        let login = LoginStubs(LoginStubs.token(1))
        let (full, taken) = (Store(token), Store(token))
        full.failures.withLock { $0 = 1 }
        await #expect(throws: Full.self) { try await login.token(of: source(full)) }
        taken.onReplace.withLock {
            $0 = StoredToken("a9", expiresAt: .distantFuture, refreshToken: "r9", server: "http://b.example:80")
        }
        #expect(try await login.token(of: source(taken)) == "a1")
    }

    /// The clock of the stubs is ahead of the system's, by which tokens are made.
    @Test func `Tokens in a token store expire by the time of the StubClock`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let login = LoginStubs(LoginStubs.token(1), LoginStubs.token(2), LoginStubs.token(3), clock: clock)
        let store = MemoryTokenStore(Self.expired)
        for number in [1, 1, 2, 2] {
            if number == 2, login.sent.count == 1 { clock.advance(by: .seconds(7_200)) }
            #expect(try await login.token(of: source(store)) == "a\(number)")
        }
    }

    // MARK: Removing

    @Test func `A call after TokenSource.removeAll() fails with signedOut and sends no refresh`() async throws {
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(nil))
        let source = source(store)
        #expect(try await login.token(of: source) == "a1")
        try await login.stubs.run { try await source.removeAll() }
        #expect(store.memory.token == nil)
        await #expect(throws: TokenSource.SignInError.signedOut) { try await login.token(of: source) }
        #expect(login.sent.count == 1)
    }

    @Test
    func `A call that waits for a token refresh throws CancellationError when removeAll() is called`() async throws {
        let (began, goes) = (Later<Void>(), Later<Void>())
        let (login, store) = (LoginStubs(LoginStubs.token(1)), Store(nil))
        let source = TokenSource(store: store) { _ in
            began.set()
            try await goes.value()
            return StoredToken("a1")
        }
        let call = Task { try await login.token(of: source) }
        try await began.value()
        let removal = Task { try await login.stubs.run { try await source.removeAll() } }
        await #expect(throws: CancellationError.self) { try await call.value }
        goes.set()
        try await removal.value
        #expect(store.memory.token == nil)
    }

    @Test
    func `After removeAll(), the refresh of a TokenSource without a store gets nil as the old token`() async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let source = TokenSource(Token("first")) { old in Token(old == nil ? "second" : "third") }
        #expect(try await login.token(of: source) == "first")
        try await login.stubs.run { try await source.removeAll() }
        #expect(try await login.token(of: source) == "second")
    }

    // MARK: Values

    @Test func `StoredToken, MemoryTokenStore and TokenSource.refreshToken show no secrets when printed`() {
        let token = StoredToken("SECRET", refreshToken: "SECRET")
        var text = "\(token) \(String(reflecting: token)) \(token as Any)"
        dump(token, to: &text)
        dump(MemoryTokenStore(token), to: &text)
        dump(TokenSource.refreshToken("SECRET", at: LoginStubs.tokenURL, id: "me", secret: "SECRET"), to: &text)
        #expect(!text.contains("SECRET"))
    }

    @Test
    func `MemoryTokenStore.replace(_:with:) replaces a token only if the store holds the expected one`() async throws {
        let store = MemoryTokenStore()
        #expect(try await store.replace(nil, with: Self.expired) == Self.expired)
        #expect(try await store.replace(nil, with: Self.valid) == Self.expired)
        #expect(try await store.replace(Self.expired, with: Self.valid) == Self.valid)
        try await store.removeAll()
        await #expect(throws: CancellationError.self) { try await store.replace(Self.valid, with: Self.expired) }
        #expect(store.token == nil)
    }
}
