import LoopbackServer
import Foundation
import HostileServer
import Basics
import PortableCombine
import TestTiers
import Testing

@testable import HTTPTransport

/// Limits against servers that stall and swamp: exactly where each of them lies. What else servers do wrong is in the
/// table of `Behavior`.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct ExchangeLimitsTests {
    private typealias Answer = @Sendable (SocketConnection) throws -> Void

    private let session = Engine.makeSession()

    private func result(
        _ method: HTTPMethod = .get,
        limits: ExchangeRequest.Limits = .default,
        answer: @escaping Answer
    ) async throws -> Result<Reply, TransportError> {
        let server = try ScriptedServer(hostile: answer)
        defer { server.stop() }
        let result = try await session.result(of: ExchangeRequest(method, port: server.port, "/bad", limits: limits))
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/good")).text == "good")
        #expect(try await holds { session.runningExchanges == 0 })
        return result
    }

    private func result(
        _ method: HTTPMethod = .get,
        limits: ExchangeRequest.Limits = .default,
        to bytes: String
    ) async throws -> Result<Reply, TransportError> {
        try await result(method, limits: limits) { connection in try connection.write(bytes) }
    }

    /// The reset waits until the client has the head, since it would take unread bytes with it.
    @Test(arguments: ["", "some of it"])
    func `A connection that is reset inside the response body fails with connectionLost`(body: String) async throws {
        let hasHead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(hostile: { connection in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + body)
            _ = hasHead.wait(timeout: .now() + 120)
            connection.reset()
        })
        defer { server.stop() }
        let log = EventLog(demand: .unlimited) { event in
            if case .head = event { hasHead.signal() }
            return .none
        }
        try session.events(for: ExchangeRequest(port: server.port, "/bad")).subscribe(log)
        #expect(try await log.end.value()?.reason == .connectionLost)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port, "/good")).text == "good")
    }

    // MARK: Time

    /// Writes a byte after each `pause`, `count` times or until the client has gone.
    private static func drip(_ connection: SocketConnection, count: Int, every pause: DispatchTimeInterval) throws {
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
        for _ in 0..<count {
            // Nothing to wait for but the time: the point is that it passes.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pause)
            try connection.write("x")
        }
    }

    @Test func `A slow response body fails with timedOut when it exceeds the total time`() async throws {
        var limits = ExchangeRequest.Limits.default
        limits.total = .milliseconds(80)
        let started = ContinuousClock.now
        let answer: Answer = { try Self.drip($0, count: 1_000_000, every: .milliseconds(10)) }
        let error = try await result(limits: limits, answer: answer).failure
        #expect(error?.reason == .timedOut(which: .total, after: .milliseconds(80)))
        #expect(ContinuousClock.now - started >= .milliseconds(80))
    }

    /// In real time; `DeadlinesTests` have it on a clock of their own.
    @Test(.heavy)
    func `A response slower than the idle time limit succeeds as long as bytes keep coming`() async throws {
        var limits = ExchangeRequest.Limits.default
        limits.idle = .seconds(4)
        let started = ContinuousClock.now
        let answer: Answer = { try Self.drip($0, count: 45, every: .milliseconds(100)) }
        #expect(try await result(limits: limits, answer: answer).get().data.count == 45)
        #expect(ContinuousClock.now - started > .seconds(4))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
    func `A server that sends nothing for the idle time makes the request fail with timedOut`(bytes: String)
        async throws
    {
        var limits = ExchangeRequest.Limits.default
        limits.idle = .milliseconds(50)
        let started = ContinuousClock.now
        let error = try await result(limits: limits) { connection in
            try connection.write(bytes)
            connection.waitForTheEnd()
        }.failure
        #expect(error?.reason == .timedOut(which: .idle, after: .milliseconds(50)))
        #expect(ContinuousClock.now - started >= .milliseconds(50))
    }

    /// The clock of the total time runs from hop to hop; else there would be too many redirects.
    @Test func `The total time limit covers a request together with all its redirects`() async throws {
        let server = try HTTPServer { request in
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
            return ServerResponse(status: 302, headers: HTTPFields(["Location": request.path + "x"]))
        }
        defer { server.stop() }
        var limits = ExchangeRequest.Limits.default
        limits.total = .milliseconds(100)
        let error = try await session.failure(of: ExchangeRequest(port: server.port, limits: limits))
        #expect(error?.reason == .timedOut(which: .total, after: .milliseconds(100)))
    }

    // MARK: Size

    /// Ten million zeros in gzip.
    private static let bomb: Data = {
        let zeros = (String(repeating: "A", count: 10920), String(repeating: "A", count: 1995))
        let text = "H4sIAAAAAAACA+zBAQEAAACAkP6v7ggK\(zeros.0)gNuDAxIAAAAAQf9ftyNQAQ\(zeros.1)OAmy6U7PoCWmAA="
        return Data(base64Encoded: text) ?? Data()
    }()

    private static func zipped(_ data: Data) -> Answer {
        { connection in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(data.count)\r\n\r\n")
            try connection.write(data)
        }
    }

    @Test func `A gzip bomb fails with tooLarge when its decompressed bytes exceed responseBytes`() async throws {
        #expect(Self.bomb.count < 20_000)
        var limits = ExchangeRequest.Limits.default
        limits.responseBytes = 1_000_000
        let result = try await result(limits: limits, answer: Self.zipped(Self.bomb))
        #expect(result.failure?.reason == .tooLarge(.responseBytes, limit: 1_000_000))
        #expect(result.failure?.phase == .body)
        limits.responseBytes = 10_000_000
        #expect(try await self.result(limits: limits, answer: Self.zipped(Self.bomb)).get().data.count == 10_000_000)
        limits.responseBytes = 9_999_999
        #expect(try await self.result(limits: limits, answer: Self.zipped(Self.bomb)).failure != nil)
    }

    @Test func `A Content-Length above responseBytes fails with tooLarge before the body arrives`() async throws {
        var limits = ExchangeRequest.Limits.default
        limits.responseBytes = 999
        let error = try await result(limits: limits) { connection in
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            connection.waitForTheEnd()
        }.failure
        #expect(error?.reason == .tooLarge(.responseBytes, limit: 999))
        #expect(error?.phase == .head)
    }

    @Test func `Response headers that exceed headerBytes fail with tooLarge`() async throws {
        var limits = ExchangeRequest.Limits.default
        limits.headerBytes = 10_000
        let line = "X-Long: " + String(repeating: "x", count: 92) + "\r\n"
        let most = String(repeating: line, count: 90)
        #expect(
            try await result(limits: limits, to: "HTTP/1.1 200 OK\r\n\(most)Content-Length: 0\r\n\r\n").failure == nil
        )
        let more = String(repeating: line, count: 110)
        let error = try await result(limits: limits, to: "HTTP/1.1 200 OK\r\n\(more)Content-Length: 0\r\n\r\n").failure
        #expect(error?.reason == .tooLarge(.headerBytes, limit: 10_000))
    }

    #if os(Linux)
    /// More than libcurl takes of one head, or of one line, for which it has no memory in its own words.
    @Test(.enabled(if: CurlSession.isAvailable), arguments: [100, 5_000, 400_000, 4_000_000])
    func `Headers beyond libcurl's own limits fail with tooLarge, without libcurl's message`(length: Int)
        async throws
    {
        guard Engine.current == .curl else { return }
        let line = "X-Long: " + String(repeating: "x", count: length) + "\r\n"
        let lines = String(repeating: line, count: max(1, 500_000 / length))
        let error = try await result(to: "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n").failure
        let reason: TransportError.Reason =
            length > 100 << 10 ? .tooLarge(.headerLine, limit: 100 << 10) : .tooLarge(.headerBytes, limit: 256 << 10)
        #expect(error?.reason == reason)
        #expect(error?.description.hasSuffix("/bad)") == true, "\(String(describing: error))")
    }
    #endif

    // MARK: No body

    @Test func `A Content-Length above responseBytes is accepted in a 304 or in a response to HEAD`() async throws {
        var limits = ExchangeRequest.Limits.default
        limits.responseBytes = 10
        let head = try await result(.head, limits: limits, to: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n").get()
        #expect(head.status == 200)
        #expect(head.data.isEmpty)
        #expect(head.headers["Content-Length"] == "1000")
        let unchanged = "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"
        #expect(try await result(limits: limits, to: unchanged).get().status == 304)
    }

    @Test(arguments: [
        "204 No Content", "304 Not Modified", "200 OK\r\nContent-Length: 0", "205 Reset\r\nContent-Length: 0",
    ])
    func `A response with status 204 or 304 or Content-Length: 0 has headers and an empty body`(line: String)
        async throws
    {
        let reply = try await result { connection in
            try connection.write("HTTP/1.1 \(line)\r\nX-One: 1\r\n\r\n")
        }.get()
        #expect("\(reply.status)" == line.prefix(3))
        #expect(reply.data.isEmpty)
        #expect(reply.headers["x-one"] == "1")
    }

}
