import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

@Suite(.limited) struct CallLogTests {
    private final class Logged: APIBase, Request {
        var log = CallLog { _ in }

        func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
        override func report(_ event: CallEvent) { log.report(event) }
    }

    private static func call(_ detail: CallLog.Detail, _ lines: Locked<[String]>) -> Logged {
        let call = Logged()
        call.baseURL = URL(string: "http://api.example")
        call.path = "/books"
        call.log = CallLog(detail) { text in lines.withLock { $0.append(text) } }
        return call
    }

    @Test func `A CallLog writes one line for each attempt of a call`() async throws {
        let lines = Locked<[String]>([])
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .text("ok").delayed(by: .seconds(1)),
            .status(503, headers: ["Retry-After": "2"]),
            .status(503, headers: ["Retry-After": "61"]),
            .fault(.connectionRefused)
        )
        let call = Self.call(.line, lines)
        call.queryItems = [URLQueryItem(name: "page", value: "2")]
        call.retry = .standard
        _ = try await stubs.run {
            _ = try await call.value()
            _ = try await call.value()
            call.retry = .none
            return try? await call.value()
        }
        let expected = """
            Logged GET http://api.example/books?page=redacted 200, 1000 ms (first byte 1000, transfer 0)
            Logged GET http://api.example/books?page=redacted 503, again in 2.0 s, 0 ms (first byte 0, transfer 0)
            Logged GET http://api.example/books?page=redacted (attempt 2) 503, not tried again: \
            retryAfter(61.0 seconds), 2000 ms (first byte 0, transfer 0)
            Logged GET http://api.example/books?page=redacted failed: \
            No connection could be made (http://api.example/books?page=redacted), 0 ms (first byte 0, transfer 0)
            """
        #expect(lines.withLock { $0 }.joined(separator: "\n") == expected)
    }

    @Test func `A CallLog names the template of a path with parameters, and not that of another path`() async throws {
        let lines = Locked<[String]>([])
        func log(_ path: EndpointPath, _ change: (Logged) -> Void = { _ in }) async throws {
            let call = Self.call(.line, lines)
            (call.path, call.pathTemplate) = (path.text, path.template)
            change(call)
            let stubs = Stubs()
            stubs.on().answer(.text("ok"))
            _ = try await stubs.run { try await call.value() }
        }
        try await log("/books/\(segment: "a/b", named: "id")")
        try await log("/books")
        try await log("/books/\(segment: 7)") { $0.path = "/books/8" }
        try await log("/books/\(segment: 7)") { $0.on(APIAccount(name: "north")) }
        let beginnings = lines.withLock { $0 }.map { $0.components(separatedBy: " 200, ")[0] }
        #expect(
            beginnings == [
                "Logged GET http://api.example/books/a%2Fb (/books/{id})", "Logged GET http://api.example/books",
                "Logged GET http://api.example/books/8", "Logged GET http://api.example/books/7 (/books/{}) for north",
            ]
        )
    }

    @Test
    func `The CallLog line of a retried attempt has its error or status and the delay before the retry`() async throws {
        let lines = Locked<[String]>([])
        let stubs = Stubs()
        stubs.on().answer(inOrder: .fault(.connectionLost), .fault(.connectionRefused), .status(503), .text("ok"))
        let call = Self.call(.line, lines)
        call.retry = RetryPolicy(attempts: 4, backoff: .constant(.milliseconds(5)))
        _ = try await stubs.run { try await call.value() }
        let words = lines.withLock { $0 }.map { $0.components(separatedBy: " s, ")[0] }
        #expect(
            words.dropLast() == [
                "Logged GET http://api.example/books failed: The connection was lost (http://api.example/books), again in 0.005",
                "Logged GET http://api.example/books (attempt 2) failed: No connection could be made "
                    + "(http://api.example/books), again in 0.005",
                "Logged GET http://api.example/books (attempt 3) 503, again in 0.005",
            ]
        )
    }

    /// A log looks a little further than it shows: what a name after it makes secret is not shown.
    @Test(arguments: [
        (#"{"value":"canary","name":"password"}"#, #"{"value":"REDACTED""#), ("token=canary", "token=REDACTED"),
        (#"{"data":"{\"token\":\"canary\"}"}"#, #"{"data":"{\"token\":\"#), ("<password>canary", "<password>REDACTE"),
        ("<input value='canary' type=password>", "<input value='RED"),
    ])
    func `A CallLog that cuts off a long body hides secrets in the part that it shows`(beginning: String, shown: String)
        async throws
    {
        for count in [0, 100_000] {
            let lines = Locked<[String]>([])
            let stubs = Stubs()
            stubs.on().answer(.text(beginning + String(repeating: "ä", count: count)))
            let call = Self.call(.bodies(atMost: 30), lines)
            _ = try await stubs.run { try await call.value() }
            let text = try #require(lines.withLock { $0.first })
            #expect(!text.contains("canary") && text.contains("  < \(shown)"), "\(text)")
            if count > 0 { #expect(text.hasSuffix("… (\(beginning.utf8.count + 2 * count) bytes)")) }
        }
    }

    @Test func `A CallLog with bodies writes each body on one line, without secrets`() async throws {
        let lines = Locked<[String]>([])
        let stubs = Stubs()
        stubs.on().answer(.json("{\"token\": \"canary\",\n \"title\": \"\u{1B}[31mlong\u{2028}\"}"))
        let call = Self.call(.bodies(atMost: 45), lines)
        call.method = .post
        call.headers["Cookie"] = "canary"
        call.contentType = "text/plain"
        call.body = Data("a\r\nb".utf8)
        _ = try await stubs.run { try await call.value() }
        let text = try #require(lines.withLock { $0 }.first)
        #expect(!text.contains("canary"))
        let shown = text.components(separatedBy: "\n")
        #expect(shown.contains("  > Cookie: REDACTED"))
        #expect(shown.contains("  > Content-Type: text/plain"))
        #expect(shown.contains("  > a\\u{0D}\\u{0A}b") || shown.contains("  > a\\r\\nb"), "\(text)")
        #expect(shown.contains("  < Content-Type: application/json"))
        #expect(shown.last?.hasPrefix(#"  < {"token": "REDACTED","#) == true, "\(text)")
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(!text.unicodeScalars.contains("\u{2028}"))
    }

    @Test
    func `A CallLog line names the wait for a token and at the gate, and a response from the cache`() async throws {
        let lines = Locked<[String]>([])
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("ok", headers: ["Cache-Control": "max-age=60"]))
        let call = Self.call(.line, lines)
        call.cache = ResponseCache()
        call.authorization = .tokens(
            TokenSource { _ in
                try await CallScope.sleep(for: .milliseconds(117))
                return Token("t")
            }
        )
        let other = Self.call(.line, lines)
        other.gate = CallGate(perSecond: 2)
        let expected: [(call: Logged, wait: Int, text: String)] = [
            (call, 117, "200, 117 ms (credentials 117, first byte 0, transfer 0)"),
            (call, 0, "200 from the cache, 0 ms"),
            (other, 0, "200, 0 ms (first byte 0, transfer 0)"),
            (other, 500, "200, 500 ms (gate 500, first byte 0, transfer 0)"),
        ]
        for (number, (call, wait, text)) in expected.enumerated() {
            let subscription = await stubs.runUnchecked {
                call.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            }
            if wait > 0 { #expect(try await holds { clock.nextWait == .milliseconds(wait) }) }
            clock.advance(by: .milliseconds(wait))
            #expect(try await holds { lines.withLock { $0.count } == number + 1 })
            #expect(lines.withLock { $0.last } == "Logged GET http://api.example/books \(text)")
            subscription.cancel()
        }
    }

    @Test(arguments: ["gzip", "deflate", "br", "unknown"])
    func `A CallLog shows only the size of a body in a coding`(coding: String) async throws {
        let lines = Locked<[String]>([])
        let stubs = Stubs()
        stubs.on().answer(.text("ok"))
        let call = Self.call(.bodies(atMost: 1_000), lines)
        call.method = .post
        call.headers["Content-Encoding"] = coding
        call.body = coding == "unknown" ? Data("canary".utf8) : Data([0x1F, 0x8B, 0xFF])
        _ = try await stubs.run { try await call.value() }
        let text = try #require(lines.withLock { $0 }.first)
        #expect(!text.contains("canary") && text.contains(" bytes"), "\(text)")
    }
}
