import APIBaseStubs
import Foundation
import TestTiers
import Testing

/// Answers that behave like servers over several requests, tested with the kit's streams, pages, downloads, tokens and
/// retries.
@Suite(.tags(.concurrent), .limited) struct ServerAnswerTests {
    private class BooksAPI: JSONAPI {
        init(_ path: String = "/books") {
            super.init()
            baseURL = URL(string: "https://books.example/v2")
            self.path = path
        }
    }

    private final class Books: BooksAPI, LinkPagedRequest {
        typealias ModelType = [Int]
    }

    private func status(_ stubs: Stubs, _ headers: [String: String] = [:]) async throws -> (Int, HTTPURLResponse, Data)
    {
        let call = Call()
        for (name, value) in headers { call.headers[name] = value }
        call.session = stubs
        let reply = try await call.value()
        return (reply.response.statusCode, reply.response, reply.data)
    }

    // MARK: Events

    private let events = [
        ServerSentEvent(data: "one", lastEventID: "1"),
        ServerSentEvent(type: "tick", data: "two\nlines", lastEventID: "2"),
        ServerSentEvent(data: "", lastEventID: "3"), ServerSentEvent(data: "three", lastEventID: "4"),
    ]

    @Test func `Stubbed server-sent events arrive in order, and a reconnect sends the last event ID`() async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .events(events, every: .seconds(20), retry: .milliseconds(10)), .status(204))
        try await stubs.run {
            var received: [ServerSentEvent] = []
            for try await event in BooksAPI("/events").serverSentEvents().values { received.append(event) }
            #expect(received == events)
        }
        #expect(stubs.calls.map { $0.headers["Last-Event-ID"] } == [nil, "4"])
    }

    @Test func `A stubbed event stream sends only the events after Last-Event-ID`() async throws {
        let stubs = Stubs()
        let stub = stubs.on()
        stub.answer(inOrder: .events(events), .status(204))
        try await stubs.run {
            let (_, _, whole) = try await status(stubs)
            stub.answer(.events(events))
            let (_, response, rest) = try await status(stubs, ["Last-Event-ID": "2"])
            #expect(response.value(forHTTPHeaderField: "Content-Type") == "text/event-stream")
            #expect(String(decoding: whole, as: UTF8.self).hasSuffix(String(decoding: rest, as: UTF8.self)))
            #expect(rest == Data("id: 3\ndata: \n\nid: 4\ndata: three\n\n".utf8))
        }
    }

    @Test func `A stubbed event stream with staysOpen stays open until the idle timeout`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.events(events, staysOpen: true))
        try await stubs.run {
            var received: [ServerSentEvent] = []
            for try await event in BooksAPI("/events").serverSentEvents().values {
                received.append(event)
                if received.count == events.count { break }
            }
            #expect(received == events)
        }
        let call = Call()
        call.session = stubs
        call.limits.idle = .seconds(7)
        #expect(await call.outcome() == .failure(.timedOut(which: .idle, after: .seconds(7))))
    }

    // MARK: Pages

    @Test
    func `A paged call follows stubbed pages to the last page and keeps its query in each request`() async throws {
        let stubs = Stubs()
        stubs.on(Books.self).answer(.pages([[1, 2], [3], [4, 5]]))
        try await stubs.run {
            let books = Books()
            books.query["tag"] = "a b"
            let pages = try await books.pages().collect().values.first { _ in true }
            #expect(pages == [[1, 2], [3], [4, 5]])
        }
        #expect(stubs.calls.map { $0.queryItem("page") } == [nil, "2", "3"])
        #expect(stubs.calls.allSatisfy { $0.queryItem("tag") == "a b" })
    }

    @Test
    func `A stubbed page that does not exist has status 404, and an existing page has a Link header`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.pages([[1], [2]], item: "p"))
        for (page, expected) in [("1", 200), ("2", 200), ("3", 404), ("0", 404), ("x", 404)] {
            let call = Call()
            call.queryItems = [URLQueryItem(name: "p", value: page)]
            call.session = stubs
            let response = try await call.value().response
            #expect(response.statusCode == expected)
            if page == "2" {
                #expect(
                    response.value(forHTTPHeaderField: "Link")
                        == "<https://api.example/v1/?p=1>; rel=\"prev\", <https://api.example/v1/?p=1>; rel=\"first\", "
                        + "<https://api.example/v1/?p=2>; rel=\"last\""
                )
            }
        }
    }

    // MARK: Ranges

    @Test(
        arguments: [
            (nil, nil, 200, "0123456789", nil), ("bytes=2-4", nil, 206, "234", "bytes 2-4/10"),
            ("bytes=7-", nil, 206, "789", "bytes 7-9/10"), ("bytes=-3", nil, 206, "789", "bytes 7-9/10"),
            ("bytes=-30", nil, 206, "0123456789", "bytes 0-9/10"), ("bytes=8-99", nil, 206, "89", "bytes 8-9/10"),
            ("bytes=10-", nil, 416, "", "bytes */10"), ("bytes=-0", nil, 416, "", "bytes */10"),
            ("bytes=4-2", nil, 200, "0123456789", nil), ("bytes=0-0,2-3", nil, 200, "0123456789", nil),
            ("lines=1-2", nil, 200, "0123456789", nil), ("bytes=2-4", "\"e\"", 206, "234", "bytes 2-4/10"),
            ("bytes=2-4", "\"old\"", 200, "0123456789", nil), ("bytes=-", nil, 200, "0123456789", nil),
            ("bytes=99999999999999999999-", nil, 416, "", "bytes */10"),
        ] as [(String?, String?, Int, String, String?)]
    )
    func `A stub with byte ranges answers Range and If-Range headers with status 200, 206 or 416`(
        range: String?,
        ifRange: String?,
        code: Int,
        body: String,
        contentRange: String?
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.ranges(of: Data("0123456789".utf8), etag: "\"e\"", contentType: "text/plain"))
        var headers: [String: String] = [:]
        headers["Range"] = range
        headers["If-Range"] = ifRange
        let (status, response, data) = try await status(stubs, headers)
        #expect(status == code)
        #expect(String(decoding: data, as: UTF8.self) == body)
        #expect(response.value(forHTTPHeaderField: "Content-Range") == contentRange)
    }

    @Test func `A stubbed download that was broken off is resumed with a Range header`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("book.bin")
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .ranges(of: data).broken(off: .afterBytes(100_000)),
            .ranges(of: data)
        )
        try await stubs.run {
            let request = BooksAPI("/book.bin")
            let broken = try? await request.download(to: file).values.first { _ in true }
            #expect(broken == nil)
            _ = try await request.download(to: file).values.first { _ in true }
        }
        #expect(try Data(contentsOf: file) == data)
        #expect(stubs.calls.map { $0.headers["Range"] } == [nil, "bytes=100000-"])
    }

    // MARK: Tokens and limits

    @Test func `A stub refuses a token with status 401 after two uses, and accepts the refreshed token`() async throws {
        let stubs = Stubs()
        stubs.on(Books.self).answer(.json("[1]").expiring("first", afterUses: 2))
        let source = TokenSource(Token("first")) { _ in Token("second") }
        try await stubs.run {
            for _ in 0..<4 {
                let books = Books()
                books.authorization = .tokens(source)
                let numbers = try await books.value()
                #expect(numbers == [1])
            }
            let error = await #expect(throws: RequestError.self) { _ = try await Books().value() }
            guard case .httpFailure(401)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        let sent = stubs.calls.map { $0.headers["Authorization"]?.split(separator: " ").last.map(String.init) }
        #expect(sent == ["first", "first", "first", "second", "second", nil])
    }

    @Test
    func `A call that gets a stubbed 429 waits for Retry-After, rounded up to whole seconds, and retries`() async throws
    {
        let clock = StubClock.manual()
        let stubs = Stubs(clock: clock)
        stubs.on(Books.self).answer(inOrder: .tooManyRequests(retryAfter: .milliseconds(6500)), .json("[1]"))
        let books = Books()
        books.retry = .standard
        books.session = stubs
        let task = Task { [publisher = books.start()] in try await publisher.values.first { _ in true } }
        await clock.settled()
        #expect(stubs.calls.count == 1)
        clock.advance(by: .milliseconds(6900))
        #expect(stubs.calls.count == 1)
        clock.advance(by: .milliseconds(100))
        let numbers = try await task.value
        #expect(numbers == [1])
        #expect(stubs.calls.count == 2)
    }

    @Test(
        arguments: [
            (.zero, "0"), (.seconds(-1), "0"), (.seconds(Int64.min), "0"), (.milliseconds(1), "1"),
            (.milliseconds(2000), "2"),
            (.seconds(Int64.max), "9223372036854776"), (.seconds(Int64.max) * 18, "9223372036854776"),
        ] as [(Duration, String)]
    )
    func `A stub sends Retry-After as a whole number of seconds, rounded up and never negative`(
        duration: Duration,
        text: String
    ) async throws {
        let stubs = Stubs()
        stubs.on(.get, "/busy").answer(.tooManyRequests(retryAfter: duration))
        stubs.on(.get, "/events").answer(.events([ServerSentEvent(data: "a")], retry: duration))
        try await stubs.run {
            #expect(try await Call(.get, "/busy").value().response.value(forHTTPHeaderField: "Retry-After") == text)
            let events = String(decoding: try await Call(.get, "/events").value().data, as: UTF8.self)
            #expect(events.hasPrefix("retry: ") && !events.hasPrefix("retry: -"))
        }
    }

    @Test func `A stub's page answer with token expiry and a 9 s delay fails with timedOut after 8 s`() async {
        let stubs = Stubs()
        stubs.on().answer(.pages([[1]]).expiring("old").delayed(by: .seconds(9)))
        let call = Call()
        call.headers["Authorization"] = "Bearer new"
        call.timeout = .seconds(8)
        call.session = stubs
        #expect(await call.outcome() == .failure(.timedOut(which: .total, after: .seconds(8))))
    }
}
