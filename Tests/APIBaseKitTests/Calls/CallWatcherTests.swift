import APIBaseKit
import APIBaseStubs
import Basics
import Testing

private enum Trace {
    @TaskLocal static var id = "none"
}

/// Adds its name to a header of each attempt, and keeps what it sees.
private final class Watcher: CallWatcher {
    let name: String
    let seen = Locked<[String]>([])
    private let changed: @Sendable (inout URLRequest) throws -> Void

    init(_ name: String, _ changed: @escaping @Sendable (inout URLRequest) throws -> Void = { _ in }) {
        (self.name, self.changed) = (name, changed)
    }

    func attempt(_ request: URLRequest) throws -> URLRequest {
        let call = CallEvent.Info.current
        seen.withLock { $0.append("attempt \(call?.attempt ?? 0) in \(Trace.id)") }
        var request = request
        let trail = request.value(forHTTPHeaderField: "X-Trail")
        request.setValue((trail.map { $0 + " " } ?? "") + name, forHTTPHeaderField: "X-Trail")
        try changed(&request)
        return request
    }

    func report(_ event: CallEvent) {
        let word =
            switch event {
            case .began: "began"
            case .sent: "sent"
            case .head: "head"
            case .retrying: "retrying"
            case .refreshed: "refreshed"
            case .noted: "noted"
            case .shared: "shared"
            case .cached: "cached"
            case .ended: "ended"
            case .failed: "failed"
            }
        seen.withLock { $0.append(word + (event.call.account.map { " for \($0)" } ?? "")) }
    }

    var story: [String] { seen.withLock { $0 } }
}

private class DeskAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "http://desk.example") }
}

private final class Ticket: DeskAPI, Request {
    typealias ModelType = Int
    init(_ watchers: [any CallWatcher] = []) {
        super.init(.get("/ticket"))
        self.watchers = watchers
    }
}

private final class Messages: DeskAPI, EventRequest {
    typealias EventType = Int
    override init() { super.init(.get("/messages")) }
}

private final class Pages: DeskAPI, LinkPagedRequest {
    typealias ModelType = [Int]
    override init() { super.init(.get("/pages")) }
}

private final class Query: GraphQLAPI, GraphQLRequest {
    override class var baseURL: URL? { URL(string: "http://desk.example/graphql") }
    static let query = "query Ticket { ticket }"
    struct ModelType: Decodable, Sendable { let ticket: Int }
    init() { super.init() }
}

@Suite struct CallWatcherTests {
    private func stubs(_ answers: StubAnswer...) -> Stubs {
        let stubs = Stubs()
        let rest = Locked(answers)
        stubs.on().answer { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        return stubs
    }

    private func trail(_ stubs: Stubs) -> [String?] { stubs.calls.map { $0.headers["X-Trail"] } }

    @Test func `A call has the watchers of its scopes, then of its account, then of its class`() async throws {
        let stubs = stubs(.json(1))
        let all = ["outer", "inner", "account", "class"].map { Watcher($0) }
        let account = APIAccount(name: "north", watchers: [all[2]])
        let value = try await stubs.run {
            try await CallScope.watching(all[0]) {
                try await CallScope.watching(all[1]) { try await Ticket([all[3]]).on(account).value() }
            }
        }
        #expect(value == 1)
        #expect(trail(stubs) == ["outer inner account class"])
        for watcher in all {
            #expect(
                watcher.story == [
                    "began for north", "attempt 1 in none", "sent for north", "head for north", "ended for north",
                ],
                "\(watcher.name)"
            )
        }
    }

    @Test func `A watcher sees each attempt, with the task locals of the caller`() async throws {
        let stubs = stubs(.status(503), .json(1))
        let watcher = Watcher("a")
        let ticket = Ticket([watcher])
        ticket.retry = .standard
        _ = try await stubs.run { try await Trace.$id.withValue("call") { try await ticket.value() } }
        #expect(trail(stubs) == ["a", "a"])
        #expect(watcher.story.filter { $0.hasPrefix("attempt") } == ["attempt 1 in call", "attempt 2 in call"])
        #expect(CallEvent.Info.current == nil)
    }

    @Test func `A request that is sent again with another token is shown again`() async throws {
        let stubs = stubs(.status(401), .json(1))
        let watcher = Watcher("a")
        let ticket = Ticket([watcher])
        ticket.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
        _ = try await stubs.run { try await ticket.value() }
        #expect(trail(stubs) == ["a", "a"])
        #expect(stubs.calls.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test func `A watcher that throws fails the call, and nothing is sent`() async throws {
        struct Refused: Error {}
        let stubs = stubs(.json(1))
        let (watcher, last) = (Watcher("a") { _ in throw Refused() }, Watcher("b"))
        await #expect(throws: Refused.self) {
            try await stubs.runUnchecked { try await Ticket([watcher, last]).value() }
        }
        #expect(stubs.calls.isEmpty)
        #expect(last.story == ["began", "failed"])
    }

    static let invalid: [(String, String)] = [
        ("X A", "b"), ("Transfer-Encoding", "chunked"), ("Host", "other.example"),
    ]

    @Test(arguments: invalid)
    func `A header that must not be sent is refused`(name: String, value: String) async throws {
        let stubs = stubs(.json(1))
        let watcher = Watcher("a") { $0.setValue(value, forHTTPHeaderField: name) }
        await #expect(throws: RequestError.self) {
            try await stubs.runUnchecked { try await Ticket([watcher]).value() }
        }
        #expect(stubs.calls.isEmpty)
    }

    @Test func `A request that a watcher leads to another server loses its secrets`() async throws {
        let stubs = stubs(.json(1))
        let ticket = Ticket([Watcher("a") { $0.url = URL(string: "http://other.example/ticket") }])
        ticket.authorization = .bearer("secret")
        _ = try await stubs.run { try await ticket.value() }
        #expect(stubs.calls.map { $0.headers["Authorization"] } == [nil])
        #expect(stubs.calls.map { $0.url?.host } == ["other.example"])
    }

    private static let events = StubAnswer.text("data: 1\n\n", headers: ["Content-Type": "text/event-stream"])

    static let kinds: [(name: String, answer: StubAnswer, call: @Sendable () async throws -> Void)] = [
        ("value()", .json(1), { _ = try await Ticket().value() }),
        ("start()", .json(1), { for try await _ in Ticket().start().values {} }),
        ("reply()", .json(1), { _ = try await Ticket().reply() }),
        ("lines", .text("1\n2\n"), { for try await _ in Ticket().eachLine() {} }),
        ("events", events, { for try await _ in Messages().eachValue() {} }),
        ("pages", .json([1]), { for try await _ in Pages().eachPage() {} }),
        ("GraphQL", .json(["data": ["ticket": 1]]), { _ = try await Query().value() }),
    ]

    @Test(arguments: kinds.indices)
    func `Watchers of a scope see every kind of call`(index: Int) async throws {
        let (name, answer, call) = Self.kinds[index]
        let stubs = stubs(answer)
        let watcher = Watcher("a")
        try await stubs.run { try await CallScope.watching(watcher, call) }
        #expect(trail(stubs) == ["a"], "\(name)")
        #expect(watcher.story == ["began", "attempt 1 in none", "sent", "head", "ended"], "\(name)")
    }

    @Test func `A token request is watched in the scope of the call that needs it`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/token").answer(.json(["access_token": "new", "token_type": "Bearer"]))
        stubs.on(.get, "/ticket").answer(.json(1))
        let url = try #require(URL(string: "http://login.example/token"))
        let source = TokenSource.clientCredentials(at: url, id: "id", secret: "secret")
        let watcher = Watcher("a")
        let ticket = Ticket()
        ticket.authorization = .tokens(source)
        _ = try await stubs.run { try await CallScope.watching(watcher) { try await ticket.value() } }
        #expect(trail(stubs) == ["a", "a"])
    }

    @Test func `The scope is handed on with its watchers`() async throws {
        let stubs = stubs(.json(1))
        let watcher = Watcher("a")
        try await stubs.run {
            let scope = CallScope.watching(watcher) { CallScope.here }
            _ = try await Task.detached { try await scope.run { try await Ticket().value() } }.value
        }
        #expect(trail(stubs) == ["a"])
    }

    @Test func `A log is a watcher, and names the account`() async throws {
        let stubs = stubs(.json(1))
        let lines = Locked<[String]>([])
        let log = CallLog { line in lines.withLock { $0.append(line) } }
        let account = APIAccount(name: "north\n", watchers: [log])
        _ = try await stubs.run { try await Ticket().on(account).value() }
        let line = try #require(lines.withLock { $0 }.first)
        #expect(line.hasPrefix("Ticket GET http://desk.example/ticket for north") && !line.contains("\n"))
    }

    @Test func `Accounts that differ in their watchers alone are equal, and those that differ in the name are not`() {
        #expect(APIAccount(name: "a", watchers: [Watcher("a")]) == APIAccount(name: "a"))
        #expect(APIAccount(name: "a") != APIAccount(name: "b"))
        let account = APIAccount(name: "a", baseURL: URL(string: "http://a.example"))
        #expect("\(account)" == "<account a at http://a.example>")
    }
}
