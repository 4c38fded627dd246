import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Timed: APIBase, Request {
    let asked = Locked<[Int]>([])
    private let chosen: Duration?

    init(_ chosen: Duration?, _ cache: ResponseCache) {
        self.chosen = chosen
        super.init()
        (baseURL, path, self.cache) = (URL(string: "http://api.example"), "/x", cache)
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest().map { String(decoding: $0.data, as: UTF8.self) }.eraseToAnyPublisher()
    }

    override func lifetime(of response: HTTPURLResponse) -> Duration? {
        asked.withLock { $0.append(response.statusCode) }
        return chosen
    }
}

/// The lifetime that an API chooses for what its cache stores.
@Suite(.limited) struct LifetimeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var headers: HTTPHeaders = [:]
        var status = 200
        let chosen: Duration?
        /// The seconds for which the response is used.
        let fresh: Int
        var isAsked = true

        init(
            _ name: String,
            _ headers: HTTPHeaders = [:],
            status: Int = 200,
            chosen: Duration?,
            fresh: Int,
            isAsked: Bool = true
        ) {
            (testDescription, self.headers, self.status) = (name, headers, status)
            (self.chosen, self.fresh, self.isAsked) = (chosen, fresh, isAsked)
        }
    }

    static let cases = [
        Case("no choice", chosen: nil, fresh: 0),
        Case("a minute", chosen: .seconds(60), fresh: 60),
        Case("zero", chosen: .zero, fresh: 0),
        Case("less than zero", chosen: .seconds(-1), fresh: 0),
        Case("private", ["Cache-Control": "private"], chosen: .seconds(60), fresh: 60),
        Case("an age", ["Age": "40"], chosen: .seconds(60), fresh: 20),
        Case("not found", status: 404, chosen: .seconds(60), fresh: 60),
        Case("max-age", ["Cache-Control": "max-age=30"], chosen: .seconds(60), fresh: 30, isAsked: false),
        Case("max-age of zero", ["Cache-Control": "max-age=0"], chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("s-maxage", ["Cache-Control": "s-maxage=30"], chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("a date that is past", ["Expires": "0"], chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("no-store", ["Cache-Control": "no-store"], chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("no-cache", ["Cache-Control": "no-cache"], chosen: .seconds(60), fresh: 0),
        Case("Vary: *", ["Vary": "*"], chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("an error", status: 500, chosen: .seconds(60), fresh: 0, isAsked: false),
        Case("a redirect without a target", status: 302, chosen: .seconds(60), fresh: 0, isAsked: false),
    ]

    @Test(arguments: cases)
    func `An API's lifetime(of:) counts only for a storable response whose headers name no lifetime`(_ one: Case)
        async throws
    {
        let (clock, cache) = (StubClock.manual(movedWithin: nil), ResponseCache())
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok", status: one.status, headers: one.headers))
        try await stubs.run {
            let first = Timed(one.chosen, cache)
            _ = try await first.value()
            #expect(first.asked.withLock { $0 } == (one.isAsked ? [one.status] : []))
            // The dates of responses are whole seconds.
            for (time, isUsed) in [(max(0, one.fresh - 2), one.fresh > 2), (one.fresh + 1, false)] {
                clock.advance(by: .seconds(time) - clock.now)
                let before = stubs.calls.count
                _ = try await Timed(one.chosen, cache).value()
                #expect((stubs.calls.count == before) == isUsed)
            }
        }
    }

    @Test func `After a 304, the cache calls the API's lifetime(of:) again for the stored response`() async throws {
        let (clock, cache) = (StubClock.manual(movedWithin: nil), ResponseCache())
        let stubs = Stubs(clock: clock)
        stubs.on().answer(inOrder: .text("ok", headers: ["ETag": "\"a\""]), .status(304, headers: ["ETag": "\"a\""]))
        try await stubs.run {
            _ = try await Timed(.seconds(10), cache).value()
            clock.advance(by: .seconds(20))
            let second = Timed(.seconds(100), cache)
            let text = try await second.value()
            #expect(text == "ok" && second.asked.withLock { $0 } == [200] && stubs.calls.count == 2)
            clock.advance(by: .seconds(90))
            let third = try await Timed(.seconds(10), cache).value()
            #expect(third == "ok" && stubs.calls.count == 2)
        }
    }
}

/// The same over sockets.
@Suite(.tags(.concurrent), .everySession, .limited) struct LifetimeChoiceTests {
    private func call(_ chosen: Duration?, _ cache: ResponseCache, _ server: ScriptedServer) -> Timed {
        let call = Timed(chosen, cache)
        (call.baseURL, call.session) = (server.url(""), EverySession.current)
        return call
    }

    @Test func `A lifetime chosen by the API is stored with the response and used by a new cache`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try ScriptedServer(always: reply(body: "ok"))
        defer { server.stop() }
        for chosen in [Duration.seconds(3_600), nil] {
            #expect(try await call(chosen, ResponseCache(FolderStorage(folder)), server).value() == "ok")
        }
        #expect(server.requests.count == 1)
    }

    @Test
    func `A response of 1 MB with a lifetime from the API is stored whole and answers the next call`() async throws {
        let body = String(repeating: "b", count: 1_000_000)
        let server = try ScriptedServer(always: reply(body: body))
        defer { server.stop() }
        let cache = ResponseCache()
        for _ in 1...2 { #expect(try await call(.seconds(3_600), cache, server).value() == body) }
        #expect(server.requests.count == 1)
    }

    /// Headers that name a lifetime which no one can read leave no choice, as RFC 9111, section 4.2.1, has it.
    @Test(arguments: [
        "Cache-Control: max-age=NaN", "Cache-Control: max-age=-1", "Cache-Control: max-age=1e99", "Expires: never",
    ])
    func `A response with an unreadable max-age or Expires is stale despite a lifetime from the API`(header: String)
        async throws
    {
        let server = try ScriptedServer(always: reply("200 OK", [header], body: "ok"))
        defer { server.stop() }
        let cache = ResponseCache()
        for _ in 1...2 { #expect(try await call(.seconds(3_600), cache, server).value() == "ok") }
        #expect(server.requests.count == 2)
    }

    @Test func `A response that is cut off or canceled is not stored despite a lifetime from the API`() async throws {
        let arrived = Later<Void>()
        let server = try ScriptedServer { _, connection, index in
            guard index < 2 else { return try connection.write(reply(body: "whole")) }
            try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwh")
            if index == 1 {
                arrived.set()
                _ = try? connection.readToEnd(before: .now + .seconds(120))
            }
            connection.close()
        }
        defer { server.stop() }
        let cache = ResponseCache()
        await #expect(throws: TransportError.self) { try await call(.seconds(3_600), cache, server).value() }
        let task = Task { try await call(.seconds(3_600), cache, server).value() }
        try await arrived.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        for _ in 1...2 { #expect(try await call(.seconds(3_600), cache, server).value() == "whole") }
        #expect(server.requests.count == 3)
    }
}
