import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Calls that go through a cache, on the stubs' clock.
@Suite(.tags(.concurrent), .limited) struct ResponseCacheTests {
    private let clock = StubClock.manual(movedWithin: nil)
    private let cache = ResponseCache()

    private func stubs(_ answers: StubAnswer...) -> Stubs {
        let stubs = Stubs(clock: clock)
        let rest = Locked(answers)
        stubs.on().answer { _ in
            rest.withLock { rest in rest.count > 1 ? rest.removeFirst() : rest[0] }
        }
        return stubs
    }

    private func call(_ method: HTTPMethod = .get, _ change: (CachedCall) -> Void = { _ in }) -> CachedCall {
        let call = CachedCall(method, cache)
        change(call)
        return call
    }

    private static func reply(_ text: String, _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) -> StubAnswer {
        .text(text, headers: headers)
    }

    @Test
    func `A fresh stored response answers without a request and with its Age until max-age is over`() async throws {
        let stubs = stubs(Self.reply("1"), Self.reply("2"))
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            clock.advance(by: .seconds(58))
            let second = call()
            do {
                let text = try await second.value()
                #expect(text == "1")
            }
            #expect(second.story == ["began", "fresh", "ended 200"])
            #expect(second.response?.value(forHTTPHeaderField: "Age").flatMap { Int($0) } == 58)
            clock.advance(by: .seconds(3))
            do {
                let text = try await call().value()
                #expect(text == "2")
            }
        }
        #expect(stubs.calls.count == 2)
    }

    /// A server may send bytes in a tag that a client must not (RFC 9110, section 8.8.3).
    @Test(arguments: ["\"\u{e9}\"", "\"caf\u{c3}\u{a9}\"", "*"])
    func `An ETag that is a bare star or not ASCII is not sent in If-None-Match`(tag: String)
        async throws
    {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": tag]
        let stubs = stubs(Self.reply("1", headers), Self.reply("2", headers))
        try await stubs.run {
            let texts = [try await call().value(), try await call().value()]
            #expect(texts == ["1", "2"])
        }
        #expect(stubs.calls.map { $0.headers["If-None-Match"] } == [nil, nil])
    }

    @Test func `A stored response whose Vary header has an invalid name does not answer later calls`() async throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept-Language;x"]
        let stubs = stubs(Self.reply("Seite", headers), Self.reply("page", headers))
        try await stubs.run {
            let german = try await call { $0.headers["Accept-Language"] = "de" }.value()
            let english = try await call { $0.headers["Accept-Language"] = "en" }.value()
            #expect([german, english] == ["Seite", "page"])
        }
    }

    @Test func `A call validated by 304 gets the stored body, status 200 and the new headers`() async throws {
        let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"a\"", "X-A": "1"]
        let stubs = stubs(Self.reply("1", headers), .status(304, headers: ["ETag": "\"a\"", "X-A": "2"]))
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            for _ in 0..<2 {
                let second = call()
                do {
                    let text = try await second.value()
                    #expect(text == "1")
                }
                #expect(second.response?.statusCode == 200)
                #expect(second.response?.value(forHTTPHeaderField: "X-A") == "2")
                #expect(second.story == ["began", "sent", "head 304", "validated", "ended 200"])
            }
        }
        #expect(stubs.calls.map { $0.headers["If-None-Match"] } == [nil, "\"a\"", "\"a\""])
    }

    @Test func `A 200 response to a validation replaces the stored response`() async throws {
        let stubs = stubs(Self.reply("1", ["Cache-Control": "no-cache", "ETag": "\"a\""]), Self.reply("2"))
        try await stubs.run {
            for expected in ["1", "2", "2"] {
                let text = try await call().value()
                #expect(text == expected)
            }
        }
        #expect(stubs.calls.count == 2)
    }

    /// Also if the server's clock says that it is older.
    @Test func `A validation sends the ETag received last, even if that response has an older Date`() async throws {
        let stubs = stubs(
            Self.reply("1", ["Cache-Control": "no-cache", "ETag": "\"a\"", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]),
            Self.reply("2", ["Cache-Control": "no-cache", "ETag": "\"b\"", "Date": "Sun, 06 Nov 1994 08:49:36 GMT"])
        )
        try await stubs.run { for _ in 0..<3 { _ = try await call().value() } }
        #expect(stubs.calls.map { $0.headers["If-None-Match"] } == [nil, "\"a\"", "\"b\""])
    }

    /// From the moment at which it was asked for, it grows old.
    @Test(arguments: [false, true])
    func `A response that takes longer to arrive than its max-age is stale when it arrives`(isValidated: Bool)
        async throws
    {
        let first = Self.reply("1", ["Cache-Control": isValidated ? "no-cache" : "max-age=10", "ETag": "\"a\""])
        let second = StubAnswer.status(304, headers: ["Cache-Control": "max-age=10", "ETag": "\"a\""])
        let stubs =
            isValidated
            ? stubs(first, second.delayed(by: .seconds(20)), second)
            : stubs(first.delayed(by: .seconds(20)), second)
        let count = isValidated ? 3 : 2
        for _ in 0..<count {
            let call = call()
            let subscription = await stubs.runUnchecked {
                call.start().sink { _ in
                } receiveValue: { _ in
                }
            }
            let hasEnded = try await holds {
                if clock.waits > 0 { clock.advance(by: .seconds(20)) }
                return call.story.last == "ended 200"
            }
            #expect(hasEnded)
            subscription.cancel()
        }
        #expect(stubs.calls.count == count)
    }

    @Test func `The headers of a 304 response are stored and make the response fresh again`() async throws {
        let stubs = stubs(
            Self.reply("1", ["Cache-Control": "no-cache", "ETag": "\"a\""]),
            .status(304, headers: ["Cache-Control": "max-age=60", "ETag": "\"a\"", "X-A": "2"])
        )
        try await stubs.run {
            for _ in 0..<2 {
                _ = try await call().value()
                clock.advance(by: .seconds(30))
            }
            clock.advance(by: .seconds(20))
            let third = call()
            _ = try await third.value()
            #expect(third.story == ["began", "fresh", "ended 200"])
            #expect(third.response?.value(forHTTPHeaderField: "X-A") == "2")
            #expect(third.response?.value(forHTTPHeaderField: "Age").flatMap { Int($0) } == 50)
        }
        #expect(stubs.calls.count == 2)
    }

    /// What may not be stored is not, although its age would allow its use.
    @Test(arguments: ["no-store, max-age=60", "max-age=60"])
    func `A response with max-age is stored, unless it also has no-store`(control: String) async throws {
        let isStorable = !control.contains("no-store")
        let stubs = stubs(Self.reply("1", ["Cache-Control": control]))
        try await stubs.run { for _ in 0..<2 { _ = try await call().value() } }
        #expect(stubs.calls.count == (isStorable ? 1 : 2))
    }

    @Test func `A request with no-store is sent, and leaves what is stored as it is`() async throws {
        let stubs = stubs(Self.reply("1"), Self.reply("2"))
        try await stubs.run {
            var texts: [String] = []
            texts.append(try await call().value())
            texts.append(try await call { $0.headers["Cache-Control"] = "no-store" }.value())
            texts.append(try await call().value())
            #expect(texts == ["1", "2", "1"])
        }
        #expect(stubs.calls.count == 2)
    }

    /// `stale-if-error` is for servers that fail, and for no other answer or error.
    @Test(arguments: [StubAnswer.status(404), .error(URLError(.badURL))])
    func `A 404 or a badURL error fails the call despite stale-if-error`(answer: StubAnswer) async throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=0, stale-if-error=60", "ETag": "\"a\""]
        let stubs = stubs(Self.reply("1", headers), answer)
        try await stubs.run {
            _ = try await call().value()
            await #expect(throws: (any Error).self) { try await call().value() }
        }
    }

    /// A 304 is about one of them.
    @Test func `A 304 response for one variant (by Vary) leaves the other stored variants fresh`() async throws {
        let stubs = Stubs(clock: clock)
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": "\"a\""]
        stubs.on().answer {
            $0.headers["If-None-Match"] == nil ? Self.reply("", headers) : .status(304, headers: ["ETag": "\"a\""])
        }
        try await stubs.run {
            for (accept, control) in [("a", "max-age=60"), ("b", "max-age=60"), ("a", "no-cache"), ("b", "max-age=60")]
            {
                _ = try await call { $0.headers = ["Accept": accept, "Cache-Control": control] }.value()
            }
        }
        #expect(stubs.calls.count == 3)
    }

    /// A stored reply that is used although it is stale is not called fresh.
    @Test func `A call with max-stale gets a stale response, reported as stale, without a request`() async throws {
        let stubs = stubs(Self.reply("1"))
        try await stubs.run {
            _ = try await call().value()
            clock.advance(by: .seconds(90))
            let second = call { $0.headers["Cache-Control"] = "max-stale=60" }
            _ = try await second.value()
            #expect(second.story == ["began", "stale", "ended 200"])
            #expect(second.request?.url?.path == "/x")
        }
        #expect(stubs.calls.count == 1)
    }

    @Test func `A 304 response with another ETag makes the call repeat without If-None-Match`() async throws {
        let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"a\""]
        let stubs = stubs(Self.reply("1", headers), .status(304, headers: ["ETag": "\"b\""]), Self.reply("2"))
        try await stubs.run {
            for expected in ["1", "2"] {
                let text = try await call().value()
                #expect(text == expected)
            }
        }
        #expect(stubs.calls.count == 3)
        #expect(stubs.calls.last?.headers["If-None-Match"] == nil)
    }

    @Test func `With stale-while-revalidate, a stale response answers while one request renews it`() async throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=10, stale-while-revalidate=30", "ETag": "\"a\""]
        let stubs = stubs(Self.reply("1", headers), Self.reply("2", headers).delayed(by: .seconds(1)))
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            clock.advance(by: .seconds(20))
            for _ in 0..<3 {
                let second = call()
                do {
                    let text = try await second.value()
                    #expect(text == "1")
                }
                #expect(second.story == ["began", "stale", "ended 200"])
            }
            #expect(try await holds { clock.waits == 1 })
            clock.advance(by: .seconds(1))
            #expect(try await holds { stubs.calls.count == 2 && clock.waits == 0 })
            // It is stored a moment after it has come.
            while try await call().value() != "2" { await Task.yield() }
        }
        // One that was decided on before the new reply was stored may have asked once more.
        #expect((2...3).contains(stubs.calls.count))
    }

    @Test(
        arguments: [StubAnswer.status(503), .status(500), .error(URLError(.networkConnectionLost))],
        // There may be nothing to validate it by.
        [["ETag": "\"a\""], [:]] as [HTTPHeaders]
    )
    func `With stale-if-error, a stale response answers when the server fails, until its time is over`(
        failure: StubAnswer,
        validators: HTTPHeaders
    ) async throws {
        var headers = validators
        headers["Cache-Control"] = "max-age=10, stale-if-error=30"
        let stubs = stubs(Self.reply("1", headers), failure)
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            clock.advance(by: .seconds(38))
            let second = call()
            do {
                let text = try await second.value()
                #expect(text == "1")
            }
            #expect(second.story.suffix(2) == ["stale", "ended 200"])
            clock.advance(by: .seconds(3))
            await #expect(throws: (any Error).self) { try await call().value() }
        }
    }

    @Test(arguments: [
        ("PUT", 200, true), ("DELETE", 204, true), ("POST", 302, true), ("MERGE", 200, true), ("PUT", 404, false),
    ])
    func `An unsafe method with status 2xx or 3xx invalidates the stored response, with 404 not`(
        method: String,
        status: Int,
        isForgotten: Bool
    ) async throws {
        let stubs = stubs(Self.reply("1"), .status(status), Self.reply("2"))
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            _ = try? await call(HTTPMethod(rawValue: method)).value()
            do {
                let text = try await call().value()
                #expect(text == (isForgotten ? "2" : "1"))
            }
        }
    }

    @Test func `A POST invalidates the cached responses of its URL and of the URL in Location`() async throws {
        let stubs = stubs(
            Self.reply("1"),
            Self.reply("1"),
            .status(201, headers: ["Location": "/new"]),
            Self.reply("2")
        )
        let new = { self.call { $0.path = "/new" } }
        try await stubs.run {
            _ = try await call().value()
            _ = try await new().value()
            _ = try await call(.post).value()
            for call in [call(), new()] {
                let text = try await call.value()
                #expect(text == "2")
            }
        }
    }

    @Test func `A 304 response with no-store answers the call and removes the stored response`() async throws {
        let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"a\""]
        let stubs = stubs(
            Self.reply("1", headers),
            .status(304, headers: ["Cache-Control": "no-store, max-age=60"]),
            Self.reply("2")
        )
        try await stubs.run {
            for expected in ["1", "1", "2"] {
                let text = try await call().value()
                #expect(text == expected)
            }
        }
    }

    @Test func `A response to a GET that was sent before a PUT but arrives after it is not stored`() async throws {
        let stubs = stubs(Self.reply("1").delayed(by: .seconds(1)), .status(200), Self.reply("2"))
        let slow = call()
        let subscription = await stubs.runUnchecked {
            slow.start().sink { _ in
            } receiveValue: { _ in
            }
        }
        #expect(try await holds { clock.waits == 1 })
        _ = try await stubs.run { try await call(.put).value() }
        clock.advance(by: .seconds(1))
        #expect(try await holds { slow.story.last == "ended 200" })
        let text = try await stubs.run { try await call().value() }
        #expect(text == "2")
        subscription.cancel()
    }

    @Test func `A retry after a 503 with max-age is answered by the server, not by the stored 503`() async throws {
        let stubs = stubs(.status(503, headers: ["Cache-Control": "max-age=60"]), Self.reply("2"))
        let patient = call { $0.retry = RetryPolicy(attempts: 2, backoff: .none) }
        let text = try await stubs.run { try await patient.value() }
        #expect(text == "2")
    }

    @Test func `A Date header is not sent as If-Modified-Since in a validation`() async throws {
        let stubs = stubs(.text("1", headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]))
        try await stubs.run { for _ in 0..<2 { _ = try await call().value() } }
        #expect(stubs.calls.map { $0.headers["If-Modified-Since"] } == [nil, nil])
    }

    @Test func `Calls with different credentials get separate stored responses`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer { Self.reply($0.headers["Authorization"] ?? $0.headers["X-Key"] ?? "none") }
        try await stubs.run {
            for _ in 0..<3 {
                do {
                    let text = try await call().value()
                    #expect(text == "none")
                }
                do {
                    let text = try await call { $0.authorization = .bearer("a") }.value()
                    #expect(text == "Bearer a")
                }
                do {
                    let text = try await call { $0.authorization = .bearer("b") }.value()
                    #expect(text == "Bearer b")
                }
                do {
                    let text = try await call { $0.authorization = .header("X-Key", "k") }.value()
                    #expect(text == "k")
                }
                do {
                    let text = try await call { $0.headers["Cookie"] = "c" }.value()
                    #expect(text == "none")
                }
            }
        }
        #expect(stubs.calls.count == 5)
    }

    @Test func `Concurrent calls of two users get only cached responses of their own user and path`() async throws {
        let stubs = Stubs(clock: .real)
        stubs.on().answer {
            Self.reply(
                "\($0.headers["Authorization"] ?? "") \($0.path)",
                ["Cache-Control": "max-age=0, stale-while-revalidate=9"]
            )
        }
        try await stubs.run {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<load(1_000) {
                    group.addTask {
                        let call = CachedCall(.get, self.cache)
                        call.path = "/\(number % 5)"
                        call.authorization = .bearer("\(number % 2)")
                        return try await call.value() == "Bearer \(number % 2) /\(number % 5)"
                    }
                }
                for try await isOwn in group { #expect(isOwn) }
            }
        }
    }

    @Test func `Each Accept-Language has its own stored response if Vary names that header`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer {
            Self.reply(
                $0.headers["Accept-Language"] ?? "none",
                ["Cache-Control": "max-age=60", "Vary": "accept-language"]
            )
        }
        try await stubs.run {
            for _ in 0..<3 {
                for language in ["de", "en", "fr"] {
                    do {
                        let text = try await call { $0.headers["Accept-Language"] = language }.value()
                        #expect(text == language)
                    }
                }
            }
        }
        #expect(stubs.calls.count == 3)
    }

    /// Of replies to one URL and user for different headers, those that came last.
    @Test func `The cache keeps the last eight variants (by Vary) of a URL and drops older ones`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer {
            Self.reply($0.headers["Accept"] ?? "", ["Cache-Control": "max-age=600", "Vary": "Accept"])
        }
        func read(_ accept: Int) async throws { _ = try await call { $0.headers["Accept"] = "\(accept)" }.value() }
        try await stubs.run {
            for number in 0..<10 {
                try await read(number)
                clock.advance(by: .seconds(1))
            }
            for number in 2..<10 { try await read(number) }
            #expect(stubs.calls.count == 10)
            for number in 0..<2 { try await read(number) }
            #expect(stubs.calls.count == 12)
        }
    }

    /// Secret headers are those of the request, however they are written.
    @Test func `Different API keys get separate cached responses, whatever the case of the header name`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer { Self.reply($0.headers["x-api-key"] ?? "") }
        try await stubs.run {
            for key in ["a", "b"] {
                let text = try await call { $0.headers["x-aPi-kEy"] = key }.value()
                #expect(text == key)
            }
        }
    }

    @Test func `Calls with the same Authorization but different cookies get separate cached responses`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on().answer { Self.reply(($0.headers["Authorization"] ?? "") + ($0.headers["Cookie"] ?? "")) }
        try await stubs.run {
            for cookie in ["a", "b"] {
                let call = call { ($0.headers["Authorization"], $0.headers["Cookie"]) = ("x", cookie) }
                let text = try await call.value()
                #expect(text == "x" + cookie)
            }
        }
    }

    @Test func `A call with another Accept header gets the stored response if that has no Vary header`() async throws {
        let stubs = stubs(Self.reply("1"))
        try await stubs.run {
            for accept in ["a", "b"] { _ = try await call { $0.headers["Accept"] = accept }.value() }
        }
        #expect(stubs.calls.count == 1)
    }

    @Test func `A stored GET response answers a HEAD call; a new ETag from a HEAD call invalidates it`() async throws {
        let stubs = stubs(
            Self.reply("1", ["Cache-Control": "max-age=60", "ETag": "\"a\""]),
            .status(200, headers: ["ETag": "\"b\""]),
            Self.reply("2")
        )
        try await stubs.run {
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            let head = call(.head)
            do {
                let text = try await head.value()
                #expect(text == "")
            }
            #expect(head.response?.value(forHTTPHeaderField: "ETag") == "\"a\"")
            #expect(stubs.calls.count == 1)
            // One that goes to the server, and finds something else there.
            _ = try await call(.head) { $0.headers["Cache-Control"] = "no-cache" }.value()
            do {
                let text = try await call().value()
                #expect(text == "2")
            }
        }
    }

    @Test func `A HEAD response with no-store removes the stored GET response`() async throws {
        let stubs = stubs(
            Self.reply("1", ["Cache-Control": "max-age=60", "ETag": "\"a\""]),
            .status(200, headers: ["Cache-Control": "no-store, max-age=60", "ETag": "\"a\""]),
            Self.reply("2")
        )
        try await stubs.run {
            _ = try await call().value()
            _ = try await call(.head) { $0.headers["Cache-Control"] = "no-cache" }.value()
            let text = try await call().value()
            #expect(text == "2")
        }
    }

    @Test func `A call with only-if-cached gets 504 without a request if nothing is stored`() async throws {
        let stubs = stubs(Self.reply("1"))
        try await stubs.run {
            let early = call { $0.headers["Cache-Control"] = "only-if-cached" }
            await #expect(throws: (any Error).self) { try await early.value() }
            #expect(early.response?.statusCode == 504)
            #expect(stubs.calls.isEmpty)
            do {
                let text = try await call().value()
                #expect(text == "1")
            }
            do {
                let text = try await call { $0.headers["Cache-Control"] = "only-if-cached" }.value()
                #expect(text == "1")
            }
        }
    }

    @Test func `A response whose call is canceled before the end of the body is not stored`() async throws {
        let stubs = stubs(Self.reply("12345678").inChunks(of: 1, every: .seconds(1)), Self.reply("2"))
        let first = call()
        let subscription = await stubs.runUnchecked {
            first.start().sink { _ in
            } receiveValue: { _ in
            }
        }
        #expect(try await holds { clock.waits > 0 })
        clock.advance(by: .seconds(3))
        #expect(try await holds { first.response != nil })
        subscription.cancel()
        let text = try await stubs.run { try await call().value() }
        #expect(text == "2")
    }

    @Test func `A response larger than a quarter of the cache's limit is not stored`() async throws {
        let small = ResponseCache(bytes: 4_000)
        let stubs = stubs(Self.reply(String(repeating: "x", count: 1_100)))
        try await stubs.run {
            for _ in 0..<2 { _ = try await CachedCall(.get, small).value() }
        }
        #expect(stubs.calls.count == 2)
    }

    /// Work after the end of the call is of the same class, for stubs that match by class.
    @Test func `A background revalidation is answered by stubs that match the class of its call`() async throws {
        let stubs = Stubs(clock: clock)
        stubs.on(CachedCall.self).answer(Self.reply("1", ["Cache-Control": "max-age=0, stale-while-revalidate=60"]))
        try await stubs.run {
            for _ in 0..<2 { _ = try await call().value() }
            #expect(try await holds { stubs.calls.count == 2 })
        }
        #expect(stubs.problems.isEmpty)
    }

    @Test func `A background revalidation uses the dataTaskPublisher that is set on the call`() async throws {
        let call = call { $0.baseURL = URL(string: "http://127.0.0.1:1") }
        let count = Locked(0)
        let stub = call.stubResponse(
            statusCode: 200,
            data: Data("1".utf8),
            headers: ["Cache-Control": "max-age=0, stale-while-revalidate=60"]
        )
        call.dataTaskPublisher = stub.handleEvents(receiveSubscription: { _ in count.withLock { $0 += 1 } })
            .eraseToAnyPublisher()
        for _ in 0..<2 { _ = try await call.value() }
        #expect(try await holds { count.withLock { $0 } == 2 })
    }

    @Test func `A response from a dataTaskPublisher set on a call is cached for that call object only`() async throws {
        let call = call()
        let count = Locked(0)
        let url = try #require(URL(string: "http://api.example/x"))
        let headers = ["Cache-Control": "max-age=3600"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: headers)
        )
        let stub = call.stub(with: response, data: Data("1".utf8))
        call.dataTaskPublisher = stub.handleEvents(receiveSubscription: { _ in count.withLock { $0 += 1 } })
            .eraseToAnyPublisher()
        for _ in 0..<3 {
            let text = try await call.value()
            #expect(text == "1")
        }
        #expect(count.withLock { $0 } == 1)
        // What another object is stubbed with is another matter.
        let other = self.call()
        other.dataTaskPublisher = other.stubResponse(statusCode: 200, data: Data("2".utf8))
        do {
            let text = try await other.value()
            #expect(text == "2")
        }
    }
}

/// A leaf whose value is its text.
final class CachedCall: APIBase, Request, @unchecked Sendable {
    private let events = Locked<[String]>([])
    var story: [String] { events.withLock { $0 } }

    init(_ method: HTTPMethod = .get, base: String = "http://api.example", _ cache: ResponseCache) {
        super.init()
        baseURL = URL(string: base)
        path = "/x"
        self.method = method
        self.cache = cache
    }

    func start() -> AnyPublisher<String, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).map { String(decoding: $0.data, as: UTF8.self) }
            .eraseToAnyPublisher()
    }

    override func report(_ event: CallEvent) {
        let word =
            switch event {
            case .began: "began"
            case .sent: "sent"
            case .head(_, let head): "head \(head.statusCode)"
            case .cached(_, let use): "\(use)"
            case .ended(let timings): "ended \(timings.statusCode ?? 0)"
            case .retrying, .refreshed, .shared, .noted, .failed: "else"
            }
        events.withLock { $0.append(word) }
    }
}
