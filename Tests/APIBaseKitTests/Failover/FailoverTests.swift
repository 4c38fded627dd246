import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private class TwoServers: JSONAPI {
    override class var baseURLs: [URL] {
        ["https://a.example/v1", "https://b.example/v1/", "https://c.example"].compactMap(URL.init)
    }

    override func configure() {
        super.configure()
        failover = Failover()
    }
}

private final class Page: TwoServers, Request, @unchecked Sendable {
    private let notes = Locked<[String]>([])

    init(_ method: HTTPMethod, _ path: EndpointPath, _ rule: Failover? = Failover()) {
        super.init(.get(path))
        (self.method, failover) = (method, rule)
        query["q"] = 1
    }

    func start() -> AnyPublisher<String, any Error> { decoded(String.self) }

    override func report(_ event: CallEvent) {
        if case .noted(_, let note) = event { notes.withLock { $0.append(note.description) } }
    }

    var told: [String] { notes.withLock { $0 } }
}

/// Calls to servers of which some are down.
@Suite(.tags(.concurrent), .limited) struct FailoverTests {
    /// The stubs of three servers that answer with their names, but for those that are down.
    private final class Servers: Sendable {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs: Stubs
        private let answers = Locked<[String: StubAnswer]>([:])

        init() {
            stubs = Stubs(clock: clock)
            stubs.on().optional().answer { [answers] call in
                let host = String(call.url?.host?.first ?? "-")
                return answers.withLock { $0[host] } ?? .json("\"\(host)\"")
            }
        }

        func set(_ answer: StubAnswer?, for host: String) { answers.withLock { $0[host] = answer } }

        /// The hosts of the requests since the last time.
        func value(
            _ method: HTTPMethod = .get,
            _ path: EndpointPath = "/x",
            _ rule: Failover? = Failover()
        ) async throws -> String {
            try await stubs.run { try await Page(method, path, rule).value() }
        }

        var hosts: String { stubs.calls.map { String($0.url?.host?.first ?? "-") }.joined() }
    }

    private let servers = Servers()

    @Test func `All calls go to the first address, with the paths of each`() async throws {
        #expect(try await servers.value() == "a")
        servers.set(.fault(.connectionRefused), for: "a")
        #expect(try await servers.value() == "b")
        servers.set(.fault(.connectionRefused), for: "b")
        #expect(try await servers.value() == "c")
        let urls = servers.stubs.calls.compactMap { $0.url?.absoluteString }
        #expect(
            urls == [
                "https://a.example/v1/x?q=1", "https://a.example/v1/x?q=1", "https://b.example/v1/x?q=1",
                "https://b.example/v1/x?q=1", "https://c.example/x?q=1",
            ]
        )
    }

    @Test(
        arguments: [
            (.get, .fault(.connectionRefused), "b"), (.post, .fault(.connectionRefused), "b"),
            (.post, .fault(.hostNotFound), "b"), (.get, .fault(.connectionLost), "b"),
            (.put, .fault(.connectionLost), "b"), (.post, .fault(.connectionLost), nil),
            (.get, .status(503), nil), (.get, .status(500), nil), (.get, .status(401), nil),
            (.get, .error(CancellationError()), nil),
        ] as [(HTTPMethod, StubAnswer, String?)]
    )
    func `A call goes on at the next address if it may be sent again`(
        method: HTTPMethod,
        answer: StubAnswer,
        value: String?
    ) async throws {
        servers.set(answer, for: "a")
        let result = try? await servers.value(method)
        #expect(result == value)
        #expect(servers.hosts == (value == nil ? "a" : "ab"))
    }

    @Test func `A POST that was redirected to a server without a connection is not sent to the next address`()
        async throws
    {
        servers.set(.status(303, headers: ["Location": "https://x.example/"]), for: "a")
        servers.set(.fault(.connectionRefused), for: "x")
        await #expect(throws: TransportError.self) { try await servers.value(.post) }
        #expect(servers.hosts == "ax")
        servers.set(nil, for: "a")
        #expect(try await servers.value() == "a")
    }

    @Test func `A late answer of an address that was given up does not bring it back`() async throws {
        let rule = Failover(restsFor: .seconds(1_000))
        servers.set(.json("\"late\"").delayed(by: .seconds(50)), for: "a")
        async let late = servers.value(.get, "/slow", rule)
        #expect(try await holds { servers.hosts == "a" && servers.clock.waits > 0 })
        servers.set(.fault(.connectionRefused), for: "a")
        #expect(try await servers.value(.get, "/x", rule) == "b")
        servers.set(nil, for: "a")
        servers.clock.advance(by: .seconds(50))
        #expect(try await late == "late")
        #expect(try await servers.value(.get, "/x", rule) == "b")
    }

    @Test func `A stored response is no sign that an address is back`() async throws {
        let cache = ResponseCache()
        func page(_ path: EndpointPath) -> Page {
            let page = Page(.get, path)
            page.cache = cache
            return page
        }
        servers.set(.json("\"a\"", headers: ["Cache-Control": "max-age=1000"]), for: "a")
        _ = try await servers.stubs.run { try await page("/x").value() }
        servers.set(.fault(.connectionRefused), for: "a")
        #expect(try await servers.stubs.run { try await page("/y").value() } == "b")
        servers.clock.advance(by: .seconds(31))
        let stored = page("/x")
        let value = try await servers.stubs.run { try await stored.value() }
        #expect(value == "a" && stored.told.isEmpty && servers.hosts == "aab")
    }

    @Test func `Without the rule, or elsewhere, calls stay where they are`() async throws {
        servers.set(.fault(.connectionRefused), for: "a")
        await #expect(throws: (any Error).self) { try await servers.value(.get, "/x", nil) }
        await #expect(throws: (any Error).self) {
            let url = try #require(URL(string: "https://a.example/v2"))
            _ = try await Page.withBaseURL(url) { try await servers.value() }
        }
        #expect(servers.hosts == "aa")
    }

    @Test func `An address is given up after failures in a row, and a success in between counts`() async throws {
        for status in [503, 503, 200, 503, 503, 503] {
            servers.set(status == 200 ? nil : .status(status), for: "a")
            _ = try? await servers.value()
        }
        // The last call has gone on.
        #expect(servers.hosts == "aaaaaab")
        #expect(try await servers.value(.post) == "b")
        #expect(servers.hosts == "aaaaaabb")
    }

    @Test func `An address is in use until the one before has rested, which one call tries first`() async throws {
        servers.set(.fault(.connectionRefused), for: "a")
        #expect(try await servers.value() == "b")
        servers.clock.advance(by: .seconds(29))
        #expect(try await servers.value() == "b")
        servers.clock.advance(by: .seconds(1))
        // Still down: the trial goes on, and a new rest begins.
        #expect(try await servers.value() == "b")
        #expect(servers.hosts == "abbab")
        servers.set(.json("\"a\"").delayed(by: .seconds(5)), for: "a")
        servers.clock.advance(by: .seconds(30))
        let trial = Outcome<String, any Error>()
        let subscription = trial.subscribe(to: await servers.stubs.runUnchecked { Page(.get, "/x").start() })
        #expect(try await holds { servers.hosts.hasSuffix("a") })
        #expect(try await servers.value() == "b")
        servers.clock.advance(by: .seconds(5))
        #expect(try await holds { trial.values == ["a"] })
        servers.set(nil, for: "a")
        #expect(try await servers.value() == "a")
        subscription.cancel()
    }

    @Test func `A trial that is canceled does not keep others from trying`() async throws {
        servers.set(.fault(.connectionRefused), for: "a")
        #expect(try await servers.value() == "b")
        servers.set(.json("\"a\"").delayed(by: .seconds(5)), for: "a")
        servers.clock.advance(by: .seconds(30))
        let trial = Outcome<String, any Error>()
        let subscription = trial.subscribe(to: await servers.stubs.runUnchecked { Page(.get, "/x").start() })
        #expect(try await holds { servers.hosts.hasSuffix("a") })
        subscription.cancel()
        servers.set(nil, for: "a")
        #expect(try await servers.value() == "b")
        servers.clock.advance(by: .seconds(30))
        #expect(try await servers.value() == "a")
    }

    @Test func `If all are down, the call fails, and each call tries each address at most once`() async throws {
        for host in ["a", "b", "c"] { servers.set(.fault(.connectionRefused), for: host) }
        await #expect(throws: TransportError.self) { try await servers.value() }
        #expect(servers.hosts == "abc")
        servers.set(nil, for: "a")
        #expect(try await servers.value() == "a")
    }

    @Test func `A token that cannot be got is no failure of the address`() async throws {
        servers.set(.fault(.connectionRefused), for: "l")
        let page = Page(.get, "/x")
        page.authorization = .tokens(
            TokenSource { _ in
                _ = try await LoginCall(.post("/token")).value()
                return Token("t")
            }
        )
        await #expect(throws: (any Error).self) { try await servers.stubs.run { try await page.value() } }
        #expect(servers.hosts == "l" && page.told.isEmpty)
        #expect(try await servers.value() == "a")
    }

    @Test func `The change is told, without the values of queries`() async throws {
        servers.set(.fault(.connectionRefused), for: "a")
        let page = Page(.get, "/x")
        _ = try await servers.stubs.run { try await page.value() }
        #expect(page.told == ["Calls go to https://b.example/v1/ in place of https://a.example/v1."])
    }

    @Test func `A server that dies under calls fails no safe call, and sends each POST once`() async throws {
        let posts = Locked<[String: Int]>([:])
        func server() throws -> HTTPServer {
            try HTTPServer { request in
                if request.method == "POST" { posts.withLock { $0[request.path, default: 0] += 1 } }
                return .json(Data("\"ok\"".utf8))
            }
        }
        let (first, second) = (try server(), try server())
        defer { second.stop() }
        LiveAPI.ports.withLock { $0 = [first.port, second.port] }
        let (reads, writes) = (Locked(0), Locked(0))
        let count = load(400)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number == count / 4 { first.stop(waitingAtMost: .zero) }
                if number >= 16 { await group.next() }
                group.addTask {
                    let isRead = number % 2 == 0
                    let call = LiveCall(isRead ? .get("/\(number)") : .post("/\(number)"))
                    if (try? await call.value()) != nil { (isRead ? reads : writes).withLock { $0 += 1 } }
                }
            }
        }
        #expect(reads.withLock { $0 } == count / 2)
        #expect(writes.withLock { $0 } >= count / 2 - 16)
        #expect(posts.withLock { $0.values.allSatisfy { $0 == 1 } })
    }
}

private final class LoginCall: JSONAPI, Request {
    override class var baseURL: URL? { URL(string: "https://login.example") }

    func start() -> AnyPublisher<String, any Error> { decoded(String.self) }
}

private class LiveAPI: JSONAPI {
    static let ports = Locked<[UInt16]>([])

    override class var baseURLs: [URL] {
        ports.withLock { $0 }.compactMap { URL(string: "http://127.0.0.1:\($0)") }
    }

    override func configure() {
        super.configure()
        failover = Failover()
    }
}

private final class LiveCall: LiveAPI, Request {
    func start() -> AnyPublisher<String, any Error> { decoded(String.self) }
}
