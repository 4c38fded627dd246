import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Export: JSONAPI, PolledRequest {
    struct State: Decodable, Equatable { var state: String }
    typealias ModelType = State

    override class var baseURL: URL? { URL(string: "http://api.example") }

    init(_ method: HTTPMethod = .post, base: URL? = nil) {
        super.init(Endpoint(method, "/exports"))
        if let base { baseURL = base }
        if method == .post { body = Data("{}".utf8) }
        (authorization, headers["X-Api-Key"]) = (.bearer("secret"), "key")
        session = EverySession.current
    }
}

/// A leaf whose bodies say what follows.
private final class Job: JSONAPI, PolledRequest {
    typealias ModelType = Export.State

    override init() {
        super.init(.get("/job"))
        baseURL = URL(string: "http://api.example")
    }

    func nextPoll(after reply: Export.State, _ response: HTTPURLResponse) -> NextPoll {
        reply.state == "running" ? .again(after: .seconds(2)) : .done
    }
}

/// A leaf whose server reports on an operation at a URL of its own.
private final class Machine: JSONAPI, PolledRequest {
    typealias ModelType = JSONValue

    override init() {
        super.init(.put("/machine"))
        baseURL = URL(string: "http://api.example")
    }

    func nextPoll(after reply: JSONValue, _ response: HTTPURLResponse) -> NextPoll {
        switch reply["status"] {
        case "InProgress": .again(after: .seconds(2))
        case "Succeeded": url.map { .at($0, after: .zero) } ?? .done
        default: NextPoll(response)
        }
    }

    private var url: URL? { URL(string: "/machine") }
}

/// Operations that take longer than a call.
@Suite(.tags(.concurrent), .limited) struct PolledRequestTests {
    /// The responses of a server, what it is asked, and for how long is waited.
    struct Dialect: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [StubAnswer]
        let requests: [String]
        var waits: [Duration] = [.seconds(1)]
    }

    private static func running(_ headers: HTTPHeaders = [:]) -> StubAnswer {
        .json(#"{"state": "running"}"#, status: 202, headers: headers)
    }

    private static func created(_ headers: HTTPHeaders, _ status: Int) -> StubAnswer {
        .json(#"{"state": "creating"}"#, status: status, headers: headers)
    }

    private static let done = StubAnswer.json(#"{"state": "done"}"#)

    static let dialects = [
        Dialect(testDescription: "done at once", answers: [done], requests: ["POST /exports"], waits: []),
        Dialect(
            testDescription: "Operation-Location before Location",
            answers: [running(["Operation-Location": "/jobs/1?v=2", "Location": "/x", "Retry-After": "5"]), done],
            requests: ["POST /exports", "GET /jobs/1?v=2"],
            waits: [.seconds(5)]
        ),
        Dialect(
            testDescription: "Location, relative, and then another",
            answers: [running(["Location": "exports/1"]), running(["Location": "2"]), done],
            requests: ["POST /exports", "GET /exports/1", "GET /exports/2"],
            waits: [.seconds(1), .seconds(1)]
        ),
        Dialect(
            testDescription: "Location, absolute",
            answers: [running(["Location": "http://api.example/jobs/1"]), done],
            requests: ["POST /exports", "GET /jobs/1"]
        ),
        Dialect(testDescription: "nothing", answers: [running(), done], requests: ["POST /exports", "GET /exports"]),
        Dialect(
            testDescription: "no body",
            answers: [.status(202, headers: ["Location": "/jobs/1"]), .status(202), done],
            requests: ["POST /exports", "GET /jobs/1", "GET /jobs/1"],
            waits: [.seconds(1), .seconds(1)]
        ),
        Dialect(
            testDescription: "a body of another kind",
            answers: [.text("wait", status: 202, headers: ["Location": "/jobs/1"]), done],
            requests: ["POST /exports", "GET /jobs/1"]
        ),
        Dialect(
            testDescription: "a date",
            answers: [
                running([
                    "Location": "/jobs/1", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT",
                ]),
                done,
            ],
            requests: ["POST /exports", "GET /jobs/1"],
            waits: [.seconds(10)]
        ),
        Dialect(
            testDescription: "no wait",
            answers: [running(["Location": "/jobs/1", "Retry-After": "0"]), done],
            requests: ["POST /exports", "GET /jobs/1"],
            waits: [.milliseconds(100)]
        ),
        Dialect(
            testDescription: "Azure-AsyncOperation before Operation-Location and Location",
            answers: [
                running(["Azure-AsyncOperation": "/op/1", "Operation-Location": "/x", "Location": "/y"]), done,
            ],
            requests: ["POST /exports", "GET /op/1"]
        ),
        Dialect(
            testDescription: "Azure-AsyncOperation with 201, and a report with 202",
            answers: [created(["Azure-AsyncOperation": "/op/1", "Retry-After": "7"], 201), running(), done],
            requests: ["POST /exports", "GET /op/1", "GET /op/1"],
            waits: [.seconds(7), .seconds(1)]
        ),
        Dialect(
            testDescription: "Operation-Location with 200",
            answers: [created(["operation-location": "http://api.example/op/1"], 200), done],
            requests: ["POST /exports", "GET /op/1"]
        ),
        Dialect(
            testDescription: "Operation-Location with 201 and the Location of the resource",
            answers: [created(["Operation-Location": "/op/1", "Location": "/exports/1"], 201), done],
            requests: ["POST /exports", "GET /op/1"]
        ),
        Dialect(
            testDescription: "Azure-AsyncOperation with 202, 201 or 204 and no body",
            answers: [
                .status(202, headers: ["Azure-AsyncOperation": "/op/1"]),
                .status(201, headers: ["Azure-AsyncOperation": "/op/2"]),
                .status(204, headers: ["Azure-AsyncOperation": "/op/3"]), done,
            ],
            requests: ["POST /exports", "GET /op/1", "GET /op/2", "GET /op/3"],
            waits: [.seconds(1), .seconds(1), .seconds(1)]
        ),
        Dialect(
            testDescription: "a report with 200 that names itself is the end",
            answers: [
                running(["Operation-Location": "/op/1"]),
                .json(#"{"state": "done"}"#, headers: ["Operation-Location": "http://api.example/op/1"]),
            ],
            requests: ["POST /exports", "GET /op/1"]
        ),
        Dialect(
            testDescription: "an empty header is none",
            answers: [running(["Azure-AsyncOperation": "", "Operation-Location": "/op/1"]), done],
            requests: ["POST /exports", "GET /op/1"]
        ),
        Dialect(
            testDescription: "Location with 201 is the resource",
            answers: [.json(#"{"state": "done"}"#, status: 201, headers: ["Location": "/exports/1"])],
            requests: ["POST /exports"],
            waits: []
        ),
        Dialect(
            testDescription: "303 at the end",
            answers: [
                running(["Location": "/jobs/1"]), .status(303, headers: ["Location": "/files/1"]), done,
            ],
            requests: ["POST /exports", "GET /jobs/1", "GET /files/1"]
        ),
    ]

    private static func requests(of stubs: Stubs) -> [String] {
        stubs.calls.map { call in
            let query = call.url?.query.map { "?\($0)" } ?? ""
            return "\(call.method.rawValue) \(call.url?.path ?? "")\(query)"
        }
    }

    @Test(arguments: dialects)
    func `PolledRequest takes its next URL and delay from Operation-Location, Location and Retry-After`(
        _ dialect: Dialect
    )
        async throws
    {
        let stubs = Stubs()
        let rest = Locked(dialect.answers)
        stubs.on().answer { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        let result = try await stubs.run { try await Export().result(within: .seconds(60)) }
        #expect(result.state == "done")
        #expect(Self.requests(of: stubs) == dialect.requests)
        #expect(stubs.waits == dialect.waits.map { .init(.poll, $0) })
        for call in stubs.calls {
            #expect(call.headers["Authorization"] == "Bearer secret" && call.headers["X-Api-Key"] == "key")
            #expect((call.headers["Content-Type"] == nil) == (call.method == .get))
        }
    }

    @Test
    func `PolledRequest's nextPoll(after:_:) decides by the body whether and when the next poll is sent`() async throws
    {
        let stubs = Stubs()
        let running = StubAnswer.json(#"{"state": "running"}"#)
        stubs.on().answer(inOrder: running, running, Self.done)
        let states = try await stubs.run {
            var states: [String] = []
            for try await state in Job().eachPoll(within: .seconds(60)) { states.append(state.state) }
            return states
        }
        #expect(states == ["running", "running", "done"])
        #expect(stubs.waits == [.init(.poll, .seconds(2)), .init(.poll, .seconds(2))])
        #expect(Self.requests(of: stubs) == Array(repeating: "GET /job", count: 3))
    }

    @Test func `PolledRequest retries a poll that gets a 503, and fails with httpFailure for a 404`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: Self.running(["Location": "/jobs/1"]), .status(503), .status(404))
        let export = Export()
        export.retry = .standard
        let error = await #expect(throws: RequestError.self) {
            try await stubs.run { _ = try await export.result(within: .seconds(60)) }
        }
        guard case .httpFailure(404)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        // The poll is tried again, as any call.
        #expect(Self.requests(of: stubs) == ["POST /exports", "GET /jobs/1", "GET /jobs/1"])
        #expect(stubs.waits.map(\.reason) == [.poll, .retry])
    }

    @Test
    func `PolledRequest fails with notDone(within:) when its operation still runs at the time limit`() async throws {
        let stubs = Stubs()
        stubs.on().answer(Self.running(["Location": "/jobs/1", "Retry-After": "40"]))
        let error = await #expect(throws: RequestError.self) {
            try await stubs.run { _ = try await Export().result(within: .seconds(100)) }
        }
        #expect(error == .notDone(within: .seconds(100)))
        #expect(
            error?.localizedDescription == "The operation was not done within 100.0 s. Polls: 2. "
                + "The last response had status 202 from GET http://api.example/jobs/1, by the stub “any request”."
        )
        guard case .notDone(_, let polls)? = error else { return #expect(Bool(false)) }
        #expect(polls.count == 2 && polls.lastStatus == 202)
        #expect(stubs.calls.count == 3 && stubs.waits.count == 2)
    }

    /// A stub for the class answers the polls too, which are calls of the same object.
    @Test(arguments: [false, true])
    func `The error of a poll that never ends names the stub that has answered it, also for stubs as a session`(
        asSession: Bool
    ) async throws {
        let stubs = Stubs()
        stubs.on(Export.self).answer(Self.running())
        stubs.on(.get, "/jobs/:id").optional().answer(Self.done)
        let export = Export()
        if asSession { export.session = stubs }
        let error = await #expect(throws: RequestError.self) {
            if asSession { return _ = try await export.result(within: .seconds(9.5)) }
            try await stubs.run { _ = try await export.result(within: .seconds(9.5)) }
        }
        #expect(
            error?.localizedDescription == "The operation was not done within 9.5 s. Polls: 9. "
                + "The last response had status 202 from GET http://api.example/exports, by the stub “Export”."
        )
    }

    @Test func `The error of an operation that is never polled names the stub of its first call`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/exports").named("begin").answer(Self.running(["Retry-After": "60"]))
        let error = await #expect(throws: RequestError.self) {
            try await stubs.run { _ = try await Export().result(within: .seconds(9)) }
        }
        #expect(
            error?.localizedDescription == "The operation was not done within 9.0 s. Polls: 0. "
                + "The last response had status 202 from http://api.example/exports, by the stub “begin”."
        )
    }

    @Test
    func `PolledRequest aborts a request without a response at its time limit and fails with notDone`() async throws {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.never)
        let error = await #expect(throws: RequestError.self) {
            try await stubs.run {
                async let result = Export().result(within: .seconds(10))
                #expect(try await holds { clock.waits > 0 })
                clock.advance(by: .seconds(10))
                _ = try await result
            }
        }
        #expect(error == .notDone(within: .seconds(10)))
        #expect(error?.localizedDescription == "The operation was not done within 10.0 s. There was no response.")
    }

    /// The report of Azure has status 200 until the end, and is not the result.
    @Test
    func `PolledRequest's nextPoll(after:_:) can go on to the URL of the result when the report says that it is done`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(.put, "/machine")
            .answer(.json(#"{"state": "Creating"}"#, status: 201, headers: ["Azure-AsyncOperation": "/op/1"]))
        stubs.on(.get, "/op/1").answer(inOrder: .json(#"{"status": "InProgress"}"#), .json(#"{"status": "Succeeded"}"#))
        stubs.on(.get, "/machine").answer(.json(#"{"state": "Ready"}"#))
        let result = try await stubs.run { try await Machine().result(within: .seconds(60)) }
        #expect(result["state"] == "Ready")
        #expect(Self.requests(of: stubs) == ["PUT /machine", "GET /op/1", "GET /op/1", "GET /machine"])
    }

    @Test(arguments: [false, true])
    func `Canceling the task or all calls ends PolledRequest's wait for a poll with CancellationError`(byAll: Bool)
        async throws
    {
        let clock = StubClock.manual(movedWithin: nil)
        let stubs = Stubs(clock: clock)
        stubs.on().answer(Self.running(["Location": "/jobs/1", "Retry-After": "600"]))
        await #expect(throws: CancellationError.self) {
            try await stubs.run {
                let task = Task { try await Export().result(within: .seconds(3_600)) }
                #expect(try await holds { !stubs.waits.isEmpty })
                if byAll { Export.cancelAll() } else { task.cancel() }
                _ = try await task.value
            }
        }
        #expect(stubs.calls.count == 1)
    }

    @Test
    func `PolledRequest fails with insecureRedirect if its https URL gets an http Location`() async throws {
        let stubs = Stubs()
        stubs.on().answer(Self.running(["Location": "http://api.example/jobs/1"]))
        let error = await #expect(throws: TransportError.self) {
            try await stubs.run {
                _ = try await Export(base: URL(string: "https://api.example")).result(within: .seconds(60))
            }
        }
        #expect(error?.reason == .insecureRedirect && stubs.calls.count == 1)
    }
}

/// Polls over real sockets.
@Suite(.everySession, .limited) struct PollNetworkTests {
    private static func state(_ state: String, _ status: Int, _ location: String) -> ServerResponse {
        var response = ServerResponse.text("{\"state\": \"\(state)\"}", status: status)
        response.headers = HTTPFields([
            "Content-Type": "application/json", "Location": location, "Retry-After": "0",
        ])
        return response
    }

    private static func line(_ request: ServerRequest) -> String {
        let secrets = ["Authorization", "X-Api-Key"].map { request.headers[$0] ?? "none" }
        return "\(request.method) \(request.path) \(secrets.joined(separator: " ")) \(request.body.count)"
    }

    @Test func `PolledRequest sends its credentials with each poll of the same origin`() async throws {
        let seen = Locked<[String]>([])
        let server = try HTTPServer { request in
            seen.withLock { $0.append(Self.line(request)) }
            switch request.path {
            case "/exports": return Self.state("running", 202, "/jobs/1")
            case "/jobs/1": return Self.state("running", 202, "/jobs/2")
            case "/jobs/2": return Self.state("", 303, "/files/1")
            default: return Self.state("done", 200, "/x")
            }
        }
        defer { server.stop() }
        let export = Export(base: URL(string: "http://127.0.0.1:\(server.port)"))
        // The clock of stubs that answer nothing: no wait between polls takes time.
        let result = try await Stubs(unmatched: .passThrough).runUnchecked {
            try await export.result(within: .seconds(600))
        }
        #expect(result.state == "done")
        let secrets = "Bearer secret key"
        #expect(
            seen.withLock { $0 } == [
                "POST /exports \(secrets) 2", "GET /jobs/1 \(secrets) 0", "GET /jobs/2 \(secrets) 0",
                "GET /files/1 \(secrets) 0",
            ]
        )
    }

    @Test
    func `PolledRequest sends no Authorization or X-Api-Key to another origin, nor with later polls`() async throws {
        let seen = Locked<[String]>([])
        let home = Locked("")
        let other = try HTTPServer { request in
            seen.withLock { $0.append(Self.line(request)) }
            return Self.state("running", 202, home.withLock { $0 } + "/end")
        }
        let server = try HTTPServer { request in
            seen.withLock { $0.append(Self.line(request)) }
            if request.path == "/end" { return Self.state("done", 200, "/x") }
            return Self.state("running", 202, "http://127.0.0.1:\(other.port)/jobs/1")
        }
        defer {
            server.stop()
            other.stop()
        }
        home.withLock { $0 = "http://127.0.0.1:\(server.port)" }
        let export = Export(base: URL(string: "http://127.0.0.1:\(server.port)"))
        // The clock of stubs that answer nothing: no wait between polls takes time.
        let result = try await Stubs(unmatched: .passThrough).runUnchecked {
            try await export.result(within: .seconds(600))
        }
        #expect(result.state == "done")
        #expect(
            seen.withLock { $0 } == [
                "POST /exports Bearer secret key 2", "GET /jobs/1 none none 0", "GET /end none none 0",
            ]
        )
    }
}
