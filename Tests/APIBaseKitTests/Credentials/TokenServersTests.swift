import APIBaseKit
@testable import APIBaseCore
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// A call that goes to another server than the one it was made for.
private final class DivertedCall: APIBase, Request {
    private let other: URL

    init(_ base: URL, to other: URL, _ source: TokenSource) {
        self.other = other
        super.init()
        (baseURL, authorization) = (base, .tokens(source))
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        var request = request
        request.url = other
        return super.intercept(request, next: next)
    }

    func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
}

/// A server that keeps what it is sent, and may lead to another one.
private final class Host: Sendable {
    let requests = Locked<[String]>([])
    let next = Locked<URL?>(nil)
    let server: HTTPServer

    init() throws {
        let (requests, next) = (requests, next)
        server = try HTTPServer { request in
            requests.withLock {
                $0.append(request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
            }
            let url = next.withLock { $0 }
            return url.map { .text("", status: 307, headers: HTTPFields(["Location": $0.absoluteString])) }
                ?? .text("ok")
        }
    }

    /// Its name among the servers that share a token.
    var name: String { "127.0.0.1:\(server.port)" }

    /// The number of requests, and those with a text in them.
    func count(of text: String) -> [Int] {
        requests.withLock { all in [all.count, all.filter { $0.contains(text) }.count] }
    }
}

/// Servers that share a token, which no other server gets.
@Suite(.tags(.concurrent), .everySession, .limited) struct TokenServersTests {
    private static let canary = "canary4711"

    private func call(_ url: URL, _ source: TokenSource) -> Call {
        let call = Call(base: url.absoluteString, "/x")
        call.session = EverySession.current
        call.authorization = .tokens(source)
        return call
    }

    @Test func `Servers that a source names share one token, and every other server gets none and no refresh`()
        async throws
    {
        let hosts = try (0..<3).map { _ in try Host() }
        defer { for host in hosts { host.server.stop() } }
        let refreshes = Locked(0)
        let source = TokenSource(servers: [hosts[0].name, hosts[1].name]) { _ in
            refreshes.withLock { $0 += 1 }
            return Token(Self.canary)
        }
        for host in [hosts[2], hosts[0], hosts[1], hosts[2], hosts[0]] {
            _ = try await call(host.server.url, source).value()
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(hosts.map { $0.count(of: "Bearer \(Self.canary)") } == [[2, 2], [1, 1], [2, 0]])
        #expect(hosts[2].count(of: Self.canary) == [2, 0])
    }

    @Test func `The first token of a source belongs to all servers that it names, and to no other`() async throws {
        let hosts = try (0..<3).map { _ in try Host() }
        defer { for host in hosts { host.server.stop() } }
        let source = TokenSource(Token(Self.canary), servers: hosts[1...].map(\.name)) { _ in
            Issue.record("The token was refreshed.")
            return Token("second")
        }
        for host in hosts { _ = try await call(host.server.url, source).value() }
        #expect(hosts.map { $0.count(of: Self.canary) } == [[1, 0], [1, 1], [1, 1]])
    }

    @Test(arguments: ["redirect", "intercept"])
    func `A redirect or intercept(_:next:) from a named server loses the token, also to another named one`(
        way: String
    ) async throws {
        let hosts = try (0..<3).map { _ in try Host() }
        defer { for host in hosts { host.server.stop() } }
        let source = TokenSource(Token(Self.canary), servers: [hosts[0].name, hosts[1].name]) { _ in
            Issue.record("The token was refreshed.")
            return Token("second")
        }
        for target in hosts[1...] {
            if way == "redirect" {
                hosts[0].next.withLock { $0 = target.server.url }
                _ = try await call(hosts[0].server.url, source).value()
            } else {
                let call = DivertedCall(hosts[0].server.url, to: target.server.url, source)
                call.session = EverySession.current
                #expect(try await call.value() == 200)
            }
        }
        #expect(hosts[0].count(of: Self.canary) == (way == "redirect" ? [2, 2] : [0, 0]))
        #expect(hosts[1...].map { $0.count(of: Self.canary) } == [[1, 0], [1, 0]])
    }

    @Test func `A hundred concurrent calls to two named servers share one refresh`() async throws {
        let hosts = try [Host(), Host()]
        defer { for host in hosts { host.server.stop() } }
        let (source, refreshes) = (Locked<TokenSource?>(nil), Locked(0))
        let own = TokenSource(servers: hosts.map(\.name)) { _ in
            refreshes.withLock { $0 += 1 }
            let areWaiting = try await holds { source.withLock { $0?.waiterCount ?? 0 } == 100 }
            #expect(areWaiting)
            return Token(Self.canary)
        }
        source.withLock { $0 = own }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let url = hosts[number % 2].server.url
                group.addTask { _ = try await call(url, own).value() }
            }
            try await group.waitForAll()
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(hosts.map { $0.count(of: Self.canary) } == [[50, 50], [50, 50]])
        source.withLock { $0 = nil }
    }
}

/// What the names of servers mean for the calls of stubs.
@Suite(.limited) struct TokenServerNameTests {
    @Test func `A 401 of one named server refreshes the token for all of them once`() async throws {
        let login = LoginStubs(LoginStubs.token(1))
        login.stubs.on(nil, "/x").overriding().answer(with: { call in
            call.headers["Authorization"] == "Bearer old" ? .text("", status: 401) : .text("ok")
        })
        let source = TokenSource(Token("old"), servers: ["*.desk.example"]) { old in
            Token(old?.value == "old" ? "new" : "?")
        }
        #expect(try await login.token(of: source, at: "https://uploads.desk.example") == "new")
        #expect(try await login.token(of: source, at: "https://api.desk.example") == "new")
        #expect(try await login.token(of: source, at: "https://desk.example") == nil)
    }

    @Test(arguments: [
        ["api.desk.example", "desk.example/v1"], ["api.desk.example", "https://user:SECRET@desk.example"],
    ])
    func `A call fails, and nothing is sent, if a name of its source is no server; the error says which`(
        names: [String]
    ) async throws {
        let login = LoginStubs(LoginStubs.token(1))
        let source = TokenSource(Token("t"), servers: names) { _ in Token("t") }
        for attempt in [
            { _ = try await login.token(of: source, at: "https://api.desk.example") }, { try await source.signIn() },
        ] {
            let error = await #expect(throws: RequestError.self) { try await attempt() }
            guard case .invalidRequest(let invalid)? = error else { throw try #require(error) }
            #expect(invalid == .init(.server(2), .notAServer))
            #expect(invalid.description.hasPrefix("Name 2 of the servers that get tokens is not one such as "))
        }
        #expect(login.stubs.calls.isEmpty)
    }

    @Test func `A source that names no server at all sends its token nowhere`() async throws {
        let login = LoginStubs(LoginStubs.token(1))
        #expect(try await login.token(of: TokenSource(Token("t"), servers: []) { _ in Token("t") }) == nil)
    }

    /// Every way to create a source.
    @Test(arguments: 0..<8)
    func `Each kind of TokenSource takes the names of its servers`(kind: Int) async throws {
        let login = LoginStubs(
            LoginStubs.token(1),
            device: .json(
                #"{"device_code": "d", "user_code": "u", "verification_uri": "https://login.example/d", "expires_in": 60}"#
            )
        )
        let (token, servers) = (LoginStubs.tokenURL, ["*.desk.example"])
        let stored = MemoryTokenStore(StoredToken("a0", expiresAt: .distantPast, refreshToken: "r0"))
        let source: TokenSource =
            switch kind {
            case 0: TokenSource(servers: servers) { _ in Token("a1") }
            case 1: TokenSource(store: MemoryTokenStore(), servers: servers) { _ in StoredToken("a1") }
            case 2: .clientCredentials(at: token, id: "me", secret: "s", servers: servers)
            case 3: .clientCredentials(at: token, id: "me", secret: "s", store: MemoryTokenStore(), servers: servers)
            case 4: .refreshToken("r0", at: token, id: "me", servers: servers)
            case 5: .stored(in: stored, tokenAt: token, id: "me", servers: servers)
            case 6:
                .deviceCode(authorizeAt: LoginStubs.deviceURL, tokenAt: token, id: "me", servers: servers) { _ in }
            default:
                .authorizationCode(
                    authorizeAt: LoginStubs.authorizeURL,
                    tokenAt: token,
                    id: "me",
                    redirect: LoginStubs.redirect,
                    servers: servers
                ) { LoginStubs.url("\(LoginStubs.redirect.absoluteString)?code=c&state=\($0.fields["state"] ?? "")") }
            }
        #expect(try await login.token(of: source, at: "https://desk.example") == nil)
        #expect(try await login.token(of: source, at: "https://api.desk.example") == "a1")
        #expect(try await login.token(of: source, at: "https://uploads.desk.example") == "a1")
        #expect(login.stubs.calls.filter { $0.url?.path == "/token" }.count == (kind < 2 ? 0 : 1))
    }
}
