import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// `TokenSource.signOut()`, with and without revocation (RFC 7009).
@Suite(.limited) struct SignOutTests {
    private static let revokeURL = LoginStubs.url("https://login.example/revoke")
    private static let stored = StoredToken("a9-secret", expiresAt: .distantFuture, refreshToken: "r9-secret")

    private struct Broken: Error {}

    /// A store that fails to do some things.
    private struct BrokenStore: TokenStore {
        let memory = MemoryTokenStore(SignOutTests.stored)
        let loads: Bool
        let removes: Bool

        func load() async throws -> StoredToken? {
            guard loads else { throw Broken() }
            return memory.token
        }
        func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken { throw Broken() }
        func removeAll() async throws {
            guard removes else { throw Broken() }
            try await memory.removeAll()
        }
    }

    /// A source that has signed in before, and the requests for revocation, with what the store holds then.
    private func source(_ store: any TokenStore, secret: String? = nil, revokeAt: URL? = Self.revokeURL) -> TokenSource
    {
        .stored(in: store, tokenAt: LoginStubs.tokenURL, revokeAt: revokeAt, id: "me", secret: secret)
    }

    private func stubs(_ answers: StubAnswer..., seen: Locked<[String]>, in store: (any TokenStore)? = nil) -> Stubs {
        let (stubs, rest) = (Stubs(), Locked(answers))
        stubs.on(.post, "/revoke").optional().answer(with: { call in
            let isEmpty = (store as? MemoryTokenStore).map { $0.token == nil } ?? true
            let body = String(decoding: call.body, as: UTF8.self)
            seen.withLock { $0.append(isEmpty ? body : "before the store was emptied: \(body)") }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        })
        return stubs
    }

    private static let both = [
        "token=r9-secret&token_type_hint=refresh_token&client_id=me",
        "token=a9-secret&token_type_hint=access_token&client_id=me",
    ]

    /// RFC 7009, section 2.2: the status says all, whatever the body is.
    @Test(arguments: [
        StubAnswer.text(""), .json("{}"), .text("<p>bye", headers: ["Content-Type": "text/html"]),
        .text("", status: 204),
    ])
    func `signOut() empties the store, and then revokes the refresh token and the access token`(answer: StubAnswer)
        async throws
    {
        let (store, seen) = (MemoryTokenStore(Self.stored), Locked<[String]>([]))
        let stubs = stubs(answer, seen: seen, in: store)
        let source = source(store)
        try await stubs.run { try await source.signOut() }
        #expect(seen.withLock { $0 } == Self.both)
        #expect(store.token == nil)
        await #expect(throws: TokenSource.SignInError.signedOut) { try await stubs.run { try await source.signIn() } }
        // There is nothing left to revoke.
        try await stubs.run { try await source.signOut() }
        #expect(seen.withLock { $0.count } == 2)
    }

    /// What the server answers, the requests that are sent, and whether it is an error.
    @Test(arguments: [
        ([StubAnswer.json(#"{"error": "unsupported_token_type"}"#, status: 400), .text("")], 2, true),
        ([.text(""), .json(#"{"error": "unsupported_token_type"}"#, status: 400)], 2, false),
        ([.text(""), .json(#"{"error": "invalid_request"}"#, status: 400)], 2, true),
        ([.json(#"{"error": "invalid_client"}"#, status: 401)], 2, true),
        ([.text("", status: 302, headers: ["Location": "https://evil.example/"])], 2, true),
        ([.text("", status: 503)], 1, true), ([.fault(.connectionLost)], 1, true),
    ])
    func `A revocation that fails is thrown once the store is empty; a refusal of one token does not spare the other`(
        answers: [StubAnswer],
        requests: Int,
        fails: Bool
    ) async throws {
        let (store, seen, rest) = (MemoryTokenStore(Self.stored), Locked<[String]>([]), Locked(answers))
        let stubs = stubs(.text(""), seen: seen, in: store)
        stubs.on(.post, "/revoke").overriding().answer(with: { call in
            seen.withLock { $0.append(String(decoding: call.body, as: UTF8.self)) }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        })
        let source = source(store)
        do {
            try await stubs.run { try await source.signOut() }
            #expect(!fails)
        } catch {
            #expect(fails && !"\(error) \(error.localizedDescription)".contains("-secret"), "\(error)")
        }
        #expect(seen.withLock { $0 } == Array(Self.both.prefix(requests)))
        #expect(store.token == nil)
    }

    @Test func `The error of a revocation shows neither a token nor the secret of the client, which is sent as it is`()
        async throws
    {
        let (store, seen) = (MemoryTokenStore(Self.stored), Locked<[String]>([]))
        let refusal =
            #"{"error": "invalid_request", "error_description": "r9-secret and a9-secret and c-secret are bad"}"#
        let stubs = stubs(.json(refusal, status: 400), seen: seen)
        let source = source(store, secret: "c-secret")
        let error = await #expect(throws: TokenSource.OAuthError.self) {
            try await stubs.run { try await source.signOut() }
        }
        #expect(error?.code == "invalid_request")
        let text = "\(String(describing: error)) \(error?.localizedDescription ?? "")"
        #expect(!text.contains("-secret"), "\(text)")
        #expect(stubs.calls.map { $0.headers["Authorization"] } == Array(repeating: "Basic bWU6Yy1zZWNyZXQ=", count: 2))
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func `A store that fails in signOut() is its error, and a token that it has given is revoked nevertheless`(
        loads: Bool,
        removes: Bool
    ) async throws {
        let (store, seen) = (BrokenStore(loads: loads, removes: removes), Locked<[String]>([]))
        let stubs = stubs(.text("", status: 503), seen: seen)
        let source = source(store)
        await #expect(throws: Broken.self) { try await stubs.run { try await source.signOut() } }
        #expect(seen.withLock { $0.count } == (loads ? 1 : 0))
        #expect((store.memory.token == nil) == removes)
    }

    @Test func `Without a revocation endpoint, signOut() empties the store and sends nothing`() async throws {
        let store = MemoryTokenStore(Self.stored)
        let (stubs, source) = (Stubs(), source(store, revokeAt: nil))
        try await stubs.run { try await source.signOut() }
        #expect(store.token == nil && stubs.calls.isEmpty)
    }

    @Test func `removeAll() empties the store and tells no server`() async throws {
        let (store, seen) = (MemoryTokenStore(Self.stored), Locked<[String]>([]))
        let (stubs, source) = (stubs(.text(""), seen: seen), source(store))
        try await stubs.run { try await source.removeAll() }
        #expect(store.token == nil && stubs.calls.isEmpty)
    }

    @Test func `signOut() removes the file of a FileTokenStore, also one that holds no token`() async throws {
        let folder = StorageFolder()
        let (store, seen) = (FileTokenStore(at: folder.url.appendingPathComponent("token")), Locked<[String]>([]))
        let (stubs, source) = (stubs(.text(""), seen: seen), source(store))
        _ = try await store.replace(nil, with: Self.stored)
        try await stubs.run { try await source.signOut() }
        #expect(!FileManager.default.fileExists(atPath: store.file.path))
        #expect(seen.withLock { $0.count } == 2)
        _ = try await store.replace(nil, with: Self.stored)
        try Data("{".utf8).write(to: store.file)
        await #expect(throws: FileObstacle.self) { try await stubs.run { try await source.signOut() } }
        #expect(!FileManager.default.fileExists(atPath: store.file.path))
        #expect(seen.withLock { $0.count } == 2)
    }

    @Test func `A source whose tokens live in memory only revokes them, also one that could not be stored`()
        async throws
    {
        for store in [nil, BrokenStore(loads: true, removes: true)] as [(any TokenStore)?] {
            let (login, revoked) = (LoginStubs(LoginStubs.token(1)), Locked<[String]>([]))
            login.stubs.on(.post, "/revoke").answer(with: { call in
                revoked.withLock { $0.append(String(String(decoding: call.body, as: UTF8.self).prefix { $0 != "&" })) }
                return .text("")
            })
            let source = TokenSource.authorizationCode(
                authorizeAt: LoginStubs.authorizeURL,
                tokenAt: LoginStubs.tokenURL,
                revokeAt: Self.revokeURL,
                id: "me",
                redirect: LoginStubs.redirect,
                store: store
            ) { LoginStubs.url("\(LoginStubs.redirect.absoluteString)?code=c&state=\($0.fields["state"] ?? "")") }
            try? await login.stubs.run { try await source.signIn() }
            try await login.stubs.run { try await source.signOut() }
            let former = store == nil ? [] : ["token=r9-secret", "token=a9-secret"]
            #expect(revoked.withLock { $0 } == ["token=r1", "token=a1"] + former)
        }
    }
}
