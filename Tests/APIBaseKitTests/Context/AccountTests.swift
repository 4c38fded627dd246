import APIBaseKit
import APIBaseStubs
import Basics
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// Accounts of one API: what differs between customers never mixes.
private class ShopAPI: JSONAPI {
    static let tokens = TokenSource { _ in Token(try await LoginRequest().value()) }
    static let gate = CallGate(concurrent: 1, opensAfter: 1)
    static let cache = ResponseCache()

    override class var baseURL: URL? { URL(string: "http://shop.example/v1") }

    override func configure() {
        super.configure()
        headers["X-Client"] = "class"
    }
}

private class AdminAPI: ShopAPI {}

private final class LoginRequest: ShopAPI, Request {
    typealias ModelType = String
    override init() { super.init(.post("/login")) }
}

private final class OrdersRequest: ShopAPI, Request {
    typealias ModelType = [String]
    override init() { super.init(.get("/orders")) }
}

private final class AdminRequest: AdminAPI, Request {
    typealias ModelType = [String]
    override init() { super.init(.get("/orders")) }
}

@Suite(.limited) struct AccountTests {
    private let a = APIAccount(
        baseURL: URL(string: "http://a.example"),
        authorization: .bearer("secret-a"),
        headers: ["X-Shop": "a", "X-Client": "account"]
    )
    private let b = APIAccount(authorization: .header("X-Key", "secret-b"))

    /// The URL and headers that a call sends.
    private func sent(_ body: () async throws -> [String]) async throws -> (url: String, headers: HTTPHeaders) {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer(.json("[]"))
        try await stubs.run { _ = try await body() }
        let call = try #require(stubs.calls.last)
        return (call.url?.absoluteString ?? "", call.headers)
    }

    @Test func `An account's base URL, credentials and headers replace those of the API class`() async throws {
        let (url, headers) = try await sent { try await OrdersRequest().on(a).value() }
        #expect(url == "http://a.example/orders")
        #expect(headers["Authorization"] == "Bearer secret-a")
        #expect(headers["X-Shop"] == "a" && headers["X-Client"] == "account" && headers["Accept"] != nil)
        // What it leaves open stays as the class says.
        let other = try await sent { try await OrdersRequest().on(b).value() }
        #expect(other.url == "http://shop.example/v1/orders")
        #expect(other.headers["X-Key"] == "secret-b" && other.headers["X-Client"] == "class")
    }

    @Test func `The credentials of an account replace an Authorization header of the request`() async throws {
        let request = OrdersRequest()
        request.headers["Authorization"] = "Bearer class"
        let (_, headers) = try await sent { try await request.on(a).value() }
        #expect(headers["Authorization"] == "Bearer secret-a")
    }

    @Test func `An account from with(_:) applies to the class and its subclasses, nearest class first`() async throws {
        for request in [OrdersRequest(), AdminRequest()] as [any Request<[String], any Error>] {
            let (url, _) = try await sent { try await ShopAPI.with(a) { try await request.value() } }
            #expect(url == "http://a.example/orders")
        }
        let (above, _) = try await sent { try await AdminAPI.with(a) { try await OrdersRequest().value() } }
        #expect(above == "http://shop.example/v1/orders")
        let (nearest, _) = try await sent {
            try await AdminAPI.with(a) { try await ShopAPI.with(b) { try await AdminRequest().value() } }
        }
        #expect(nearest == "http://a.example/orders")
    }

    @Test func `An account set on a request object replaces all settings of an account from with(_:)`() async throws {
        let (url, headers) = try await sent {
            try await ShopAPI.with(a) { try await OrdersRequest().on(b).value() }
        }
        // As a whole: nothing of the outer account is left.
        #expect(url == "http://shop.example/v1/orders")
        #expect(headers["Authorization"] == nil && headers["X-Shop"] == nil && headers["X-Key"] == "secret-b")
    }

    @Test func `An account from an inner with(_:) scope replaces all settings of the outer account`() async throws {
        let (url, headers) = try await sent {
            try await ShopAPI.with(a) { try await ShopAPI.with(b) { try await OrdersRequest().value() } }
        }
        #expect(url == "http://shop.example/v1/orders" && headers["X-Shop"] == nil)
    }

    @Test
    func `The inner scope sets the base URL when with(_:) for an account and withBaseURL are nested`() async throws {
        let staging = try #require(URL(string: "http://staging.example"))
        let (inner, headers) = try await sent {
            try await ShopAPI.with(a) { try await ShopAPI.withBaseURL(staging) { try await OrdersRequest().value() } }
        }
        #expect(inner == "http://staging.example/orders" && headers["X-Shop"] == "a")
        let (outer, _) = try await sent {
            try await ShopAPI.withBaseURL(staging) { try await ShopAPI.with(a) { try await OrdersRequest().value() } }
        }
        #expect(outer == "http://a.example/orders")
        let (open, _) = try await sent {
            try await ShopAPI.withBaseURL(staging) { try await OrdersRequest().on(b).value() }
        }
        #expect(open == "http://staging.example/orders")
    }

    @Test func `Stubs see the account that each call was made with`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer { call in
            .json([call.account?.headers["X-Shop"] ?? "none"])
        }
        try await stubs.run {
            #expect(try await OrdersRequest().on(a).value() == ["a"])
            #expect(try await OrdersRequest().value() == ["none"])
            let inScope = try await ShopAPI.with(a) { try await AdminRequest().value() }
            #expect(inScope == ["a"])
        }
        #expect(stubs.calls.map(\.account) == [a, nil, a])
    }

    /// A refresh of a source of the class runs in the account, and its token stays there.
    @Test(arguments: [false, true])
    func `A TokenSource of an API class keeps the tokens of each account separate`(byScope: Bool) async throws {
        let stubs = Stubs()
        stubs.on(LoginRequest.self).answer { call in .json("\"token-\(call.headers["X-Shop"] ?? "none")\"") }
        stubs.on(.get, "/orders").answer { call in .json([call.headers["Authorization"] ?? ""]) }
        try await stubs.run {
            for name in ["x", "y", "x", "y"] {
                let account = APIAccount(headers: ["X-Shop": name])
                let request = OrdersRequest()
                request.authorization = .tokens(ShopAPI.tokens)
                let found =
                    byScope
                    ? try await ShopAPI.with(account) { try await request.value() }
                    : try await request.on(account).value()
                #expect(found == ["Bearer token-\(name)"])
            }
        }
        // An account is a value: the second call of each finds the token of the first.
        #expect(stubs.calls.count { $0.path.hasSuffix("/login") } == 2)
    }

    @Test
    func `The initial token of a TokenSource is used only for the first account that calls with it`() async throws {
        let source = TokenSource(Token("first")) { _ in Token("another") }
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer { call in .json([call.headers["Authorization"] ?? ""]) }
        try await stubs.run {
            for (account, token) in [(a, "first"), (b, "another"), (a, "first")] {
                var account = account
                account.authorization = .tokens(source)
                let found = try await OrdersRequest().on(account).value()
                #expect(found == ["Bearer \(token)"])
            }
        }
    }

    /// Whether the circuit breaker refuses a call.
    private func isRefused(_ request: OrdersRequest) async -> Bool {
        do { _ = try await request.value() } catch RequestError.circuitOpen { return true } catch {}
        return false
    }

    @Test func `A CallGate of an API class opens its circuit for the failing account only`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer { call in call.account == a ? .status(500) : .json("[]") }
        func call(_ account: APIAccount?) -> OrdersRequest {
            let request = OrdersRequest()
            request.gate = ShopAPI.gate
            return account.map { request.on($0) } ?? request
        }
        try await stubs.run {
            await #expect(throws: RequestError.self) { try await call(a).value() }
            #expect(await isRefused(call(a)))
            let one = try await call(b).value()
            #expect(one == [])
            let none = try await call(nil).value()
            #expect(none == [])
        }
    }

    /// A gate that accounts have is theirs together.
    @Test func `A CallGate set on two accounts opens its circuit for both when one fails`() async throws {
        let gate = CallGate(opensAfter: 1)
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer(.status(500))
        try await stubs.run {
            var (a, b) = (a, b)
            (a.gate, b.gate) = (gate, gate)
            await #expect(throws: RequestError.self) { try await OrdersRequest().on(a).value() }
            #expect(await isRefused(OrdersRequest().on(b)))
        }
    }

    @Test func `A ResponseCache of an API class keeps the responses of each account separate`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer { call in
            .json([call.headers["X-Shop"] ?? "none"], headers: ["Cache-Control": "max-age=60"])
        }
        try await stubs.run {
            for name in ["x", "y", "x", "y"] {
                let request = OrdersRequest().on(APIAccount(headers: ["X-Shop": name]))
                request.cache = ShopAPI.cache
                let found = try await request.value()
                #expect(found == [name])
            }
        }
        #expect(stubs.calls.count == 2)
    }

    @Test func `An account with its own session does not use the ResponseCache of its API class`() async throws {
        let sessions = [Stubs(), Stubs()]
        for (index, stubs) in sessions.enumerated() {
            stubs.on(.get, "/orders").answer(.json(["\(index)"], headers: ["Cache-Control": "max-age=60"]))
        }
        for (index, stubs) in sessions.enumerated() {
            for _ in 0..<2 {
                let request = OrdersRequest().on(APIAccount(session: stubs))
                request.cache = ShopAPI.cache
                #expect(try await request.value() == ["\(index)"])
            }
            #expect(stubs.calls.count == 2)
        }
    }

    @Test func `Concurrent calls of accounts with different headers do not share a request`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let ended = Locked(0)
        let stubs = Stubs(clock: clock)
        stubs.on(.get, "/orders").answer { call in
            .json([call.headers["X-Shop"] ?? "none"]).delayed(by: .seconds(1))
        }
        try await stubs.run {
            let values = try await withThrowingTaskGroup(of: (String, [String]).self) { group in
                for name in ["x", "y", "x", "y"] {
                    group.addTask {
                        let request = OrdersRequest().on(APIAccount(headers: ["X-Shop": name]))
                        request.sharing = .safeMethods
                        let value = try await request.value()
                        ended.withLock { $0 += 1 }
                        return (name, value)
                    }
                }
                // A task that starts late is sent anew, and needs another move of the clock.
                while ended.withLock({ $0 }) < 4 {
                    await clock.settled()
                    clock.advance(by: .seconds(1))
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (name, value) in values { #expect(value == [name]) }
        }
        #expect(stubs.calls.count >= 2)
    }

    /// Two accounts that differ only in the server's path, so that the token of the class's source tells them apart.
    private func calls(_ settle: (OrdersRequest) -> Void) async throws -> [[String]] {
        let stubs = Stubs()
        stubs.on(LoginRequest.self).answer { call in .json("\"\(call.url?.path ?? "")\"") }
        stubs.on(.get, "/me").answer { call in
            .json([call.headers["Authorization"] ?? ""], headers: ["Cache-Control": "max-age=60"])
        }
        let source = TokenSource { _ in Token(try await LoginRequest().value()) }
        let requests = ["a", "b", "a"].map { name in
            let request = OrdersRequest().on(APIAccount(baseURL: URL(string: "http://h.example/\(name)")))
            request.path = "http://h.example/me"
            request.authorization = .tokens(source)
            settle(request)
            return request
        }
        return try await stubs.run {
            var values: [[String]] = []
            for request in requests { values.append(try await request.value()) }
            return values
        }
    }

    @Test func `A ResponseCache keeps responses separate for accounts that differ only in the token`() async throws {
        let cache = ResponseCache()
        let values = try await calls { $0.cache = cache }
        #expect(values == [["Bearer /a/login"], ["Bearer /b/login"], ["Bearer /a/login"]])
    }

    @Test func `Concurrent calls of accounts that differ only in the token do not share a request`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on(LoginRequest.self).answer { call in .json("\"\(call.url?.path ?? "")\"") }
        stubs.on(.get, "/me").answer { call in
            .json([call.headers["Authorization"] ?? ""]).delayed(by: .seconds(1))
        }
        let source = TokenSource { _ in Token(try await LoginRequest().value()) }
        try await stubs.run {
            let values = try await withThrowingTaskGroup(of: [String].self) { group in
                for name in ["a", "b"] {
                    group.addTask {
                        let request = OrdersRequest().on(APIAccount(baseURL: URL(string: "http://h.example/\(name)")))
                        request.path = "http://h.example/me"
                        request.authorization = .tokens(source)
                        request.sharing = .safeMethods
                        return try await request.value()
                    }
                }
                #expect(try await holds { stubs.calls.count { $0.path == "/me" } == 2 })
                await clock.settled()
                clock.advance(by: .seconds(1))
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(values) == ["Bearer /a/login", "Bearer /b/login"])
        }
    }

    @Test func `A withBaseURL scope of a subclass keeps the account that is set for its superclass`() async throws {
        let u = try #require(URL(string: "http://u.example"))
        let (_, outside) = try await sent {
            try await AdminAPI.withBaseURL(u) { try await ShopAPI.with(a) { try await AdminRequest().value() } }
        }
        #expect(outside["X-Shop"] == "a")
        let (url, headers) = try await sent {
            try await ShopAPI.with(a) {
                try await AdminAPI.withBaseURL(u) { try await ShopAPI.with(b) { try await AdminRequest().value() } }
            }
        }
        #expect(url == "http://u.example/orders")
        #expect(headers["X-Key"] == "secret-b" && headers["Authorization"] == nil && headers["X-Shop"] == nil)
    }

    /// What follows from a value is not a call of the account; what an attempt calls is.
    @Test func `A follow-up call made from the value of an account's call does not get the account`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer(.json("[]"))
        try await stubs.run {
            let next = OrdersRequest().on(a).start().flatMap { _ in AdminRequest().start() }
            for try await _ in CallSequence(next) {}
        }
        #expect(stubs.calls.map(\.account) == [a, nil])
    }

    /// The token of a class's source, as a call gets it whose account is set in several ways.
    @Test func `A token refresh makes its call with the account of the call that needs the token`() async throws {
        @Sendable func shop(_ name: String) -> APIAccount { APIAccount(headers: ["X-Shop": name]) }
        @Sendable func orders() -> AdminRequest {
            let request = AdminRequest()
            request.authorization = .tokens(Self.source)
            return request
        }
        let ways: [@Sendable () async throws -> [String]] = [
            { try await AdminAPI.with(shop("y")) { try await orders().value() } },
            { try await ShopAPI.with(shop("x")) { try await AdminAPI.with(shop("y")) { try await orders().value() } } },
            { try await AdminAPI.with(shop("x")) { try await orders().on(shop("y")).value() } },
            { try await ShopAPI.with(shop("x")) { try await orders().on(shop("y")).value() } },
        ]
        for way in ways {
            let stubs = Stubs()
            stubs.on(LoginRequest.self).answer { call in .json("\"token-\(call.headers["X-Shop"] ?? "none")\"") }
            stubs.on(.get, "/orders").answer { call in .json([call.headers["Authorization"] ?? ""]) }
            let value = try await stubs.run { try await way() }
            #expect(value == ["Bearer token-y"])
        }
    }

    private static let source = TokenSource { _ in Token(try await LoginRequest().value()) }

    private class HouseAPI: JSONAPI {}

    private final class MapRequest: HouseAPI, Request {
        typealias ModelType = String
        override class var baseURL: URL? { URL(string: "http://map.example") }
        override init() { super.init(.get("/map")) }
    }

    private final class HouseRequest: HouseAPI, Request {
        typealias ModelType = String
        override class var baseURL: URL? { URL(string: "http://house.example") }
        override init() { super.init(.get("/house")) }

        override func intercept(
            _ request: URLRequest,
            next: @escaping (URLRequest) -> ReplyPublisher
        ) -> ReplyPublisher {
            AnyPublisher.awaiting { try await MapRequest().value() }.flatMap { _ in next(request) }
                .eraseToAnyPublisher()
        }
    }

    /// APIs with a common superclass are told apart by their base URLs.
    @Test func `A request object's account is not passed on to a nested call with another base URL`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("\"x\""))
        try await stubs.run {
            var account = a
            account.baseURL = nil
            _ = try await HouseRequest().on(account).value()
            _ = try await HouseAPI.with(account) { try await HouseRequest().value() }
        }
        // A scope of the common class is for both.
        #expect(stubs.calls.map { $0.headers["X-Shop"] } == [nil, "a", "a", "a"])
    }

    private final class RoundRobinRequest: HouseAPI, Request {
        typealias ModelType = String
        static let turns = Locked(0)
        override class var baseURL: URL? {
            URL(string: "http://node-\(turns.withLock { $0 += 1; return $0 }).example")
        }
        override init() { super.init(.get("/node")) }
    }

    /// A base URL that is never the same tells no APIs apart, and must not cost the call its account.
    @Test func `A class whose base URL changes at each read still uses its account`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("\"x\""))
        try await stubs.run {
            _ = try await RoundRobinRequest.with(a) { try await RoundRobinRequest().value() }
            _ = try await RoundRobinRequest().on(a).value()
        }
        #expect(stubs.calls.map { $0.headers["X-Shop"] } == ["a", "a"])
    }

    /// A refresh for one account may call as another, with a token of that one.
    @Test func `A token refresh for one account can make a call as another account`() async throws {
        let platform = APIAccount(headers: ["X-Shop": "platform"])
        let source = TokenSource { _ in
            if Self.isPlatform { return Token("platform") }
            let request = OrdersRequest().on(platform)
            request.authorization = .tokens(Self.platformSource)
            return try await Self.$isPlatform.withValue(true) { Token("tenant of " + (try await request.value()[0])) }
        }
        Self.shared.withLock { $0 = source }
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer { call in .json([call.headers["Authorization"] ?? "nothing"]) }
        try await stubs.run {
            let request = OrdersRequest().on(APIAccount(headers: ["X-Shop": "tenant"]))
            request.authorization = .tokens(source)
            let value = try await request.value()
            #expect(value == ["Bearer tenant of Bearer platform"])
        }
        Self.shared.withLock { $0 = nil }
    }

    @TaskLocal private static var isPlatform = false
    private static let shared = Locked<TokenSource?>(nil)
    private static var platformSource: TokenSource { shared.withLock { $0 } ?? TokenSource { _ in Token("none") } }

    @Test func `A header that an account has twice is sent with both values`() throws {
        var headers = HTTPHeaders()
        headers.add(name: "X-Tag", value: "1")
        headers.add(name: "x-tag", value: "2")
        let request = OrdersRequest().on(APIAccount(headers: headers))
        request.headers["X-Tag"] = "class"
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "X-Tag")?.filter { $0 != " " } == "1,2")
    }

    private class HiddenAPI: JSONAPI, CustomReflectable {
        var customMirror: Mirror { Mirror(self, children: []) }
        override class var baseURL: URL? { URL(string: "http://hidden.example") }
    }

    private final class HiddenLogin: HiddenAPI, Request {
        typealias ModelType = String
        override init() { super.init(.get("/login")) }
    }

    private final class HiddenRequest: HiddenAPI, Request {
        typealias ModelType = String
        override init() {
            super.init(.get("/thing"))
            authorization = .tokens(TokenSource { _ in Token(try await HiddenLogin().value()) })
        }
    }

    @Test func `An account also applies to the token refresh of a request class with a custom Mirror`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.json("\"x\""))
        try await stubs.run { _ = try await HiddenRequest().on(APIAccount(headers: ["X-Shop": "a"])).value() }
        #expect(stubs.calls.map { $0.headers["X-Shop"] } == ["a", "a"])
    }

    /// Without a class of its own, the account is for the object alone.
    @Test func `A request object's account is not passed on to a nested call of an unrelated class`() async throws {
        final class Plain: JSONAPI {
            override func intercept(
                _ request: URLRequest,
                next: @escaping (URLRequest) -> ReplyPublisher
            ) -> ReplyPublisher {
                AnyPublisher.awaiting { try await AuditRequest().value() }.flatMap { _ in next(request) }
                    .eraseToAnyPublisher()
            }
        }
        final class AuditRequest: JSONAPI, Request {
            typealias ModelType = String
            override init() { super.init(.get("http://audit.example/")) }
        }
        let stubs = Stubs()
        stubs.on().answer(.json("\"x\""))
        try await stubs.run {
            let account = APIAccount(headers: ["X-Shop": "a"])
            for try await _ in CallSequence(Plain(.get("http://plain.example/")).on(account).sendRequest()) {}
        }
        #expect(stubs.calls.map { $0.headers["X-Shop"] } == [nil, "a"])
    }

    private struct Weak: Sendable {
        weak var source: TokenSource?
        weak var cache: ResponseCache?
        var isReleased: Bool { source == nil && cache == nil }
    }

    /// The kit keeps no account alive after its last call. Another thread may release the last reference.
    @Test func `The token source and cache of an account are released after its last call`() async throws {
        let account = Locked(Weak())
        func call() async throws {
            let (tokens, cache) = (TokenSource { _ in Token("t") }, ResponseCache())
            account.withLock { $0 = Weak(source: tokens, cache: cache) }
            let stubs = Stubs()
            stubs.on(.get, "/orders").answer(.json("[]"))
            try await stubs.run {
                let request = OrdersRequest().on(APIAccount(authorization: .tokens(tokens), cache: cache))
                request.gate = ShopAPI.gate
                request.sharing = .safeMethods
                _ = try await request.value()
            }
        }
        try await call()
        #expect(try await holds { account.withLock { $0.isReleased } })
    }

    /// Accounts whose server failed once are forgotten as well.
    @Test(.heavy) func `A CallGate keeps the state of at most 1,024 accounts`() async throws {
        let gate = CallGate(opensAfter: 3)
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer(.status(503))
        try await stubs.run {
            for number in 0..<2_500 {
                let request = OrdersRequest().on(APIAccount(authorization: .bearer("token \(number)")))
                request.gate = gate
                await #expect(throws: RequestError.self) { _ = try await request.value() }
            }
            #expect(gate.accountCount <= 1_024)
        }
    }

    @Test func `A redirect to another origin drops all headers that an APIAccount has added`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/orders").answer(.status(302, headers: ["Location": "http://other.example/there"]))
        stubs.on(.get, "/there").answer(.json("[]"))
        try await stubs.run { _ = try await OrdersRequest().on(a).value() }
        let headers = try #require(stubs.calls.last?.headers)
        #expect(headers["X-Shop"] == nil && headers["Authorization"] == nil && headers["X-Client"] == nil)
    }

    @Test func `Printing an account or a request with an account shows no credentials`() {
        var text = ""
        dump(a, to: &text)
        dump(OrdersRequest().on(a), to: &text)
        text += "\(a) \(String(reflecting: a)) \(OrdersRequest().on(a).curlText)"
        #expect(!text.contains("secret-a") && text.contains("a.example"))
    }

    static let parts: [(name: String, change: @Sendable (inout APIAccount) -> Void)] = [
        ("nothing", { _ in }),
        ("base URL", { $0.baseURL = nil }),
        ("credentials", { $0.authorization = .bearer("other") }),
        ("no credentials", { $0.authorization = nil }),
        ("tokens", { $0.authorization = .tokens(TokenSource { _ in Token("t") }) }),
        ("invalid credentials", { $0.authorization = .bearer("") }),
        ("headers", { $0.headers["X-Other"] = "1" }),
        ("session", { $0.session = Stubs() }),
        ("gate", { $0.gate = CallGate() }),
        ("cache", { $0.cache = ResponseCache() }),
    ]

    /// Its identity is that by which tokens and limits are kept apart.
    @Test(arguments: parts.indices)
    func `Two accounts, and their identities, are equal only when all their settings are equal`(index: Int) {
        let (name, change) = Self.parts[index]
        var (first, other) = (a, a)
        // Without credentials, an account with invalid ones differs as well.
        if name == "invalid credentials" { first.authorization = nil }
        change(&other)
        let isEqual = name == "nothing"
        #expect((other == first) == isEqual && (other.identity == first.identity) == isEqual)
        #expect(Set([first, other]).count == (isEqual ? 1 : 2))
    }
}
