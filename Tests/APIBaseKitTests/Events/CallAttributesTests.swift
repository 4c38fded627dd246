import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

private class BooksAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2?key=canary") }
}

private final class BookRequest: BooksAPI, Request {
    typealias ModelType = Int
    init(method: HTTPMethod = .get, _ path: EndpointPath = "/books/\(segment: 7, named: "id")") {
        super.init(.init(method, path, query: ["token": "canary"]))
        headers["Authorization"] = "Bearer canary"
    }
}

/// Keeps the attributes of each event.
private final class Attributes: CallWatcher {
    typealias Values = [String: String]
    private let seen = Locked<[(spans: Values, metrics: Values)]>([])

    func report(_ event: CallEvent) {
        let values = (event.attributes.mapValues(\.description), event.metricAttributes.mapValues(\.description))
        seen.withLock { $0.append(values) }
    }

    var spans: [Values] { seen.withLock { $0.map(\.spans) } }
    var metrics: [Values] { seen.withLock { $0.map(\.metrics) } }
}

@Suite(.limited) struct CallAttributesTests {
    private func attributes(of call: some APIBase & Request, _ answers: [StubAnswer]) async throws -> Attributes {
        let watcher = Attributes()
        call.watchers = [watcher]
        let stubs = Stubs(clock: .immediate)
        let rest = Locked(answers[...])
        stubs.on().optional().answer { _ in rest.withLock { $0.popFirst() } ?? .fault(.malformedResponse) }
        try await stubs.run { _ = try? await call.value() }
        return watcher
    }

    /// The attributes of a client's span that are stable, required or recommended, and `url.template`: OpenTelemetry's
    /// semantic conventions for HTTP, section "HTTP client".
    private static let conventions: Set = [
        "http.request.method", "http.request.method_original", "server.address", "server.port", "url.full",
        "error.type",
        "http.response.status_code", "network.protocol.name", "http.request.resend_count", "network.peer.address",
        "network.peer.port", "network.protocol.version", "url.scheme", "url.template",
    ]

    @Test func `The attributes of a call have the names of the conventions`() async throws {
        let spans = try await attributes(of: BookRequest(), [.json("7")]).spans
        #expect(
            spans.last == [
                "http.request.method": "GET", "server.address": "books.example", "server.port": "443",
                "url.full": "https://books.example/v2/books/7?key=redacted&token=redacted", "url.scheme": "https",
                "url.template": "/v2/books/{id}", "http.response.status_code": "200",
            ]
        )
        #expect(spans.allSatisfy { Set($0.keys).isSubset(of: Self.conventions) })
    }

    @Test func `Another attempt counts those before it, and a status of 400 or more is an error`() async throws {
        let call = BookRequest()
        call.retry = .standard
        let spans = try await attributes(of: call, [.status(503), .status(404)]).spans
        #expect(spans.compactMap { $0["error.type"] }.contains("503"))
        #expect(spans.last?["error.type"] == "404")
        #expect(spans.last?["http.request.resend_count"] == "1")
        #expect(spans.first?["http.request.resend_count"] == nil)
    }

    @Test(arguments: [
        (StubAnswer.fault(.connectionLost), "connectionLost"), (.fault(.hostNotFound), "hostNotFound"),
    ])
    func `A call without a response has the reason of its error as type`(answer: StubAnswer, type: String) async throws
    {
        #expect(try await attributes(of: BookRequest(), [answer]).spans.last?["error.type"] == type)
    }

    @Test func `A request that was not built has the case of its error as type, and no address`() async throws {
        let last = try await attributes(of: BookRequest("/a?b"), []).spans.last
        #expect(last == ["error.type": "invalidURL"])
    }

    @Test func `A method that the conventions do not know is another one, with its name`() async throws {
        let last = try await attributes(of: BookRequest(method: HTTPMethod(rawValue: "PURGE")), [.json("7")]).spans.last
        #expect(last?["http.request.method"] == "_OTHER")
        #expect(last?["http.request.method_original"] == "PURGE")
    }

    @Test func `A call is named by its method and template, or by what it has of these`() async throws {
        let names = Locked<[String]>([])
        struct Namer: CallWatcher {
            let names: Locked<[String]>
            func report(_ event: CallEvent) {
                if event.timings != nil { names.withLock { $0.append(event.call.name) } }
            }
        }
        for path in [nil, "", "/a?b"] as [EndpointPath?] {
            let call = path.map { BookRequest($0) } ?? BookRequest()
            call.watchers = [Namer(names: names)]
            let stubs = Stubs()
            stubs.on().optional().answer(.json("7"))
            try await stubs.run { _ = try? await call.value() }
        }
        let set = BookRequest()
        (set.path, set.watchers) = ("/books/7", [Namer(names: names)])
        let stubs = Stubs()
        stubs.on().answer(.json("7"))
        try await stubs.run { _ = try await set.value() }
        #expect(names.withLock { $0 } == ["GET /v2/books/{id}", "GET", "BookRequest", "GET"])
    }

    @Test func `A metric has no attribute with a value for each call`() async throws {
        let last = try await attributes(of: BookRequest(), [.json("7")]).metrics.last
        #expect(last?["url.full"] == nil)
        #expect(last?["url.template"] == "/v2/books/{id}")
    }

    @Test func `A path of a text has no template if it is a URL, and that of a page by its URL is unknown`()
        async throws
    {
        let call = BookRequest(EndpointPath("https://books.example/v2/books/7"))
        #expect(try await attributes(of: call, [.json("7")]).spans.last?["url.template"] == nil)
        let set = BookRequest()
        set.path = "/books/7"
        #expect(try await attributes(of: set, [.json("7")]).spans.last?["url.template"] == nil)
    }

    @Test func `No attribute has a secret`() async throws {
        for answers in [[StubAnswer.json("7")], [.status(401)], [.fault(.connectionLost)]] {
            let watcher = try await attributes(of: BookRequest(), answers)
            #expect(!"\(watcher.spans) \(watcher.metrics)".contains("canary"))
        }
    }

    @Test func `A call that notes its line of code has it in the log and in the attributes of its span`() async throws {
        let (watcher, lines) = (Attributes(), Locked<[String]>([]))
        func run<Value>(_ call: APICall<Value>) async throws {
            call.api.watchers = [watcher, CallLog { text in lines.withLock { $0.append(text) } }]
            let stubs = Stubs()
            stubs.on().answer(.json("7"))
            try await stubs.run { _ = try await call.value() }
        }
        try await run(BookRequest().here(fileID: "Books/Shelf.swift", line: 12).call(Int.self))
        try await run(BookRequest().call(Int.self).here(fileID: "Books/Shelf.swift", line: 13))
        let spans = watcher.spans.filter { $0["http.response.status_code"] != nil && $0["code.line.number"] != nil }
        #expect(Set(spans.map { $0["code.line.number"] }) == ["12", "13"])
        #expect(spans.allSatisfy { $0["code.file.path"] == "Books/Shelf.swift" })
        #expect(watcher.metrics.allSatisfy { $0["code.line.number"] == nil })
        let ends = lines.withLock { $0 }.map { $0.components(separatedBy: " (/books/{id})").last?.prefix(22) }
        #expect(ends == [" at Shelf.swift:12 200", " at Shelf.swift:13 200"])
    }

    @Test func `A call over a connection has the version of HTTP and the address of the server`() async throws {
        let server = try ScriptedServer(
            always: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Type: application/json\r\n\r\n7"
        )
        defer { server.stop() }
        let call = BookRequest()
        let watcher = Attributes()
        call.watchers = [watcher]
        call.baseURL = server.url()
        _ = try await call.value()
        #expect(watcher.spans.last?["network.protocol.version"] == "1.1")
        #expect(watcher.spans.last?["network.peer.address"] == "127.0.0.1")
        #expect(watcher.spans.last?["network.peer.port"] == "\(server.port)")
    }
}
