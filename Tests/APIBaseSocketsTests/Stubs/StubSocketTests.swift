import APIBaseSockets
import APIBaseTesting
import Foundation
import HTTPTransport
import TestTiers
import Testing

/// A socket whose other end is a stub.
@Suite(.tags(.concurrent), .limited) struct StubSocketTests {
    /// A leaf with these subprotocols and pings.
    private final class Feed: JSONAPI, SocketRequest {
        typealias Incoming = String
        typealias Outgoing = String
        override class var baseURL: URL? { URL(string: "https://feed.example") }
        let subprotocols: [String]
        let pings: SocketPings?

        init(_ subprotocols: [String] = [], pings: SocketPings? = .standard) {
            (self.subprotocols, self.pings) = (subprotocols, pings)
            super.init(.get("/feed"))
        }
    }

    /// How the client's socket ends.
    enum End: Equatable, Sendable {
        case done, lost, mishap
        case closed(SocketClose)
        case unexpected(SocketMessage, found: SocketMessage?)
        case other(String)

        init(_ error: (any Error)?) {
            self =
                switch error {
                case nil: .done
                case let error as TransportError where error.reason == .connectionLost: .lost
                case is Mishap: .mishap
                case SocketFailure.closed(let close)?: .closed(close)
                case let error as StubSocket.Unexpected: .unexpected(error.expected, found: error.found)
                case let error?: .other("\(error)")
                }
        }
    }

    private struct Mishap: Error {}

    /// What a stub does, and how the client's socket ends.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: End
        /// The problem of the scope.
        let finding: String?
        let talk: @Sendable (StubSocket) async throws -> Void
        /// Whether the stub waits for the client to close.
        var isLeftOpen: Bool { ["expects a second message", "expects one that is closed"].contains(testDescription) }

        init(
            _ name: String,
            _ end: End,
            finding: String? = nil,
            _ talk: @escaping @Sendable (StubSocket) async throws -> Void
        ) {
            (testDescription, self.end, self.finding, self.talk) = (name, end, finding, talk)
        }
    }

    private static let refusal = SocketClose(code: .policyViolation, reason: "no")

    static let rows: [Row] = [
        Row("ends", .done) { _ in },
        Row("closes", .done) { $0.close() },
        Row("closes with a code", .closed(refusal)) { $0.close(code: refusal.code, reason: refusal.reason) },
        Row("closes twice, and sends", .done) {
            $0.close()
            $0.close(code: .internalError)
            $0.send("late")
        },
        Row("cuts the connection", .lost) { $0.cut() },
        Row("throws", .mishap) { _ in throw Mishap() },
        Row("expects the message", .done) { try await $0.expect("hello") },
        Row(
            "expects another message",
            .unexpected(.text("bye"), found: .text("hello")),
            finding: "The socket expects “bye”, and the client has sent “hello”."
        ) { try await $0.expect("bye") },
        Row("expects one that is closed", .done, finding: "The socket expects “bye”, and the client has sent nothing.")
        {
            try await $0.expect("hello")
            try await $0.expect("bye")
        },
        Row("bears with another message", .done) {
            do { try await $0.expect("bye") } catch is StubSocket.Unexpected {}
        },
        Row("expects a second message", .done) {
            try await $0.expect("hello")
            try await $0.receive()
        },
    ]

    @Test(arguments: rows)
    func `The client's socket ends as its stub does`(row: Row) async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/feed").socket { socket in
            socket.send("one")
            try await row.talk(socket)
        }
        func talk() async throws {
            let socket = try await Feed().connect()
            // The stub may be over before.
            try? await socket.send("hello")
            var values = socket.messages.makeAsyncIterator()
            #expect(try await values.next() == "one")
            if row.isLeftOpen { socket.close() }
            do {
                let next = try await values.next()
                #expect(next == nil && row.end == .done)
            } catch {
                #expect(End(error) == row.end)
            }
        }
        do {
            try await stubs.run { try await talk() }
            #expect(row.finding == nil)
        } catch let problems as StubProblems {
            #expect(problems.problems == row.finding.map { [.socket(stub: "socket /feed", finding: $0)] })
        }
    }

    @Test(arguments: [nil, "hullo"])
    func `A client that leaves without the expected message is a problem of the scope`(text: String?) async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/feed").socket { try await $0.expect("hello") }
        let problems = await #expect(throws: StubProblems.self) {
            try await stubs.run {
                let socket = try await Feed().connect()
                if let text { try await socket.send(text) }
            }
        }
        let found = text.map { "“\($0)”" } ?? "nothing"
        let finding = "The socket expects “hello”, and the client has sent \(found)."
        #expect(problems?.problems == [.socket(stub: "socket /feed", finding: finding)])
    }

    @Test func `Also a socket that a function answers with has its expectations`() async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/feed").answer { _ in .socket { try await $0.expect("hello") } }
        let problems = await #expect(throws: StubProblems.self) {
            try await stubs.run { _ = try await Feed().connect() }
        }
        #expect(problems?.problems.count == 1)
    }

    @Test func `A request that is no handshake gets a status of 101 of the stub of a socket`() async throws {
        final class Plain: JSONAPI {
            override class var baseURL: URL? { URL(string: "https://feed.example") }
            override init() { super.init(.get("/feed")) }
        }
        let stubs = Stubs()
        stubs.on(.get, "/feed").answer(.socket { _ in })
        try await stubs.run {
            let error = await #expect(throws: RequestError.self) {
                for try await _ in CallSequence(Plain().sendRequest()) {}
            }
            guard case .httpFailure(let failure)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.statusCode == 101)
        }
    }

    @Test func `A socket without a stub says which stub would answer`() async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/rooms").socket { _ in }.optional()
        let problems = await #expect(throws: StubProblems.self) {
            try await stubs.run { _ = try? await Feed().connect() }
        }
        let text = problems?.description ?? ""
        #expect(text.contains("No stub answers socket https://feed.example/feed."))
        #expect(text.contains("To answer it: stubs.on(.socket, \"/feed\").socket { socket in … }"))
    }

    @Test(arguments: [([], "v2"), (["v1"], "v2"), (["v1"], "V1")])
    func `A stub cannot choose a subprotocol that was not offered`(offered: [String], chosen: String) async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/feed").socket(subprotocol: chosen) { _ in }
        try await stubs.run {
            let error = await #expect(throws: SocketFailure.self) { _ = try await Feed(offered).connect() }
            #expect(error == .handshake(.subprotocol([chosen], offered: offered)))
        }
    }

    @Test(arguments: [nil, "v2"])
    func `A stub chooses a subprotocol that was offered, or none`(chosen: String?) async throws {
        let stubs = Stubs()
        stubs.on(.socket, "/feed").socket(subprotocol: chosen) { await $0.waitForEnd() }
        try await stubs.run {
            let subprotocol = try await Feed(["v1", "v2"]).connect().subprotocol
            #expect(subprotocol == chosen)
        }
    }

    @Test func `A stub that falls silent fails the socket after the deadline of a ping`() async throws {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on(.socket, "/feed").socket { socket in
            socket.send("one")
            try await socket.receive()
            socket.fallSilent()
            socket.send("two")
            await socket.waitForEnd()
        }
        try await stubs.run {
            let socket = try await Feed(pings: SocketPings(every: .seconds(30), within: .seconds(10))).connect()
            try await socket.send("hello")
            let reading = Task { await socket.readAll() }
            await clock.settled()
            clock.advance(by: .seconds(30))
            await clock.settled()
            clock.advance(by: .seconds(10))
            let (values, error) = await reading.value
            #expect(values == ["one", "two"])
            #expect(error as? SocketFailure == .silent(.seconds(10)))
        }
    }
}
