import APIBaseInspector
import APIBaseKit
import APIBaseStubs
import Basics
import Foundation
import TestTiers
import Testing

/// What the page gets of a call.
@Suite(.tags(.concurrent), .limited) struct InspectedCallTests {
    private let inspector: Inspector

    init() throws { inspector = try Inspector() }

    /// The call as it is shown, when it is over.
    private func shown(_ book: Book, _ answers: StubAnswer...) async throws -> ShownCall {
        let stubs = Stubs()
        let rest = Locked(answers[...])
        stubs.on().answer { _ in rest.withLock { $0.popFirst() } ?? .status(500) }
        _ = try? await stubs.runUnchecked { try await book.value() }
        return try await Page(inspector).call()
    }

    @Test func `The inspector shows the name of the account that a call is made for`() async throws {
        let book = Book(inspector)
        book.on(APIAccount(name: "acme"))
        #expect(try await shown(book, .json("{}")).account == "acme")
    }

    @Test func `The inspector shows the template of the path of a call`() async throws {
        let book = Book(inspector) { $0.pathTemplate = "/books/{id}" }
        #expect(try await shown(book, .json("{}")).template == "/books/{id}")
    }

    @Test func `The inspector shows an ended call with its classes, request, response and duration`() async throws {
        let book = Book(inspector) {
            $0.method = .post
            $0.queryItems = [URLQueryItem(name: "draft", value: "1")]
            $0.headers["X-Mine"] = "yes"
            $0.body = Data(#"{"title":"Emma"}"#.utf8)
        }
        let call = try await shown(book, .json(#"{"id":7}"#, status: 201, headers: ["X-Theirs": "too"]))
        #expect(call.classes == ["Book", "BooksAPI"])
        #expect(call.account == nil)
        #expect(call.template == nil)
        #expect(call.state == "ended")
        #expect(call.error == nil)
        #expect(call.marks == ["stub"])
        #expect(call.time != nil)
        #expect(call.attempts.count == 1)
        let request = try #require(call.last?.request)
        #expect(request.method == "POST")
        #expect(request.url == "http://books.example/v2/books/7?draft=1")
        #expect(request["x-mine"] == "yes")
        #expect(request.postData?.text == #"{"title":"Emma"}"#)
        let response = try #require(call.last?.response)
        #expect(response.status == 201)
        #expect(response["x-theirs"] == "too")
        #expect(response.content?.text == #"{"id":7}"#)
        #expect(response.content?.size == 8)
    }

    @Test func `The inspector shows each retry as another attempt with the reason and the wait`() async throws {
        let book = Book(inspector) { $0.retry = RetryPolicy(backoff: .constant(.milliseconds(500))) }
        let call = try await shown(book, .status(503), .fault(.connectionLost), .text("Emma"))
        #expect(call.attempts.map(\.number) == [1, 2, 3])
        #expect(call.attempts[0].reason == "503, again after 0.5 s")
        #expect(call.attempts[1].reason?.hasSuffix(", again after 0.5 s") == true)
        #expect(call.attempts[2].reason == nil)
        #expect(call.attempts.map { $0.entry?.response?.status } == [503, nil, 200])
        for (one, next) in zip(call.attempts, call.attempts.dropFirst()) {
            let end = try #require(one.end)
            #expect(next.start >= end + 499)
        }
    }

    @Test
    func `The inspector shows a refused connection as a failed call with APIBaseKit's error message`() async throws {
        let call = try await shown(Book(inspector), .fault(.connectionRefused))
        #expect(call.state == "failed")
        #expect(call.error?.contains("connect") == true)
        #expect(call.last?.request.url == "http://books.example/v2/books/7")
        #expect(call.last?.response == nil)
    }

    @Test func `The inspector shows a call whose request cannot be built as failed, without a request`() async throws {
        let call = try await shown(Book(inspector) { $0.baseURL = URL(string: "ftp://books.example") })
        #expect(call.state == "failed")
        #expect(call.error?.isEmpty == false)
        #expect(call.attempts.allSatisfy { $0.entry == nil })
    }

    @Test func `The inspector shows a canceled call as canceled, without an error message`() async throws {
        let stubs = Stubs(clock: .manual())
        stubs.on().answer(.never)
        let subscription = await stubs.runUnchecked {
            Book(inspector).start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        subscription.cancel()
        let call = try await Page(inspector).call()
        #expect(call.state == "canceled")
        #expect(call.error == nil)
    }

    @Test func `The inspector marks a call that shares the response of a running call as shared`() async throws {
        let clock = StubClock.manual(movedWithin: .seconds(120))
        let stubs = Stubs(clock: clock)
        stubs.on().answer(.text("Emma").delayed(by: .seconds(1)))
        let subscriptions = await stubs.runUnchecked {
            (0..<2).map { _ in
                let book = Book(inspector) { $0.sharing = .safeMethods }
                return book.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            }
        }
        clock.advance(by: .seconds(1))
        let calls = try await Page(inspector).calls(2)
        #expect(calls.map { $0.marks.contains("shared") } == [false, true])
        #expect(calls.allSatisfy { $0.status == 200 && $0.last?.request.method == "GET" })
        withExtendedLifetime(subscriptions) {}
    }

    @Test
    func `The inspector marks a call answered from the cache as cache, or as 304 when revalidated`() async throws {
        let cache = ResponseCache()
        let stubs = Stubs()
        stubs.on().answer(
            inOrder:
                .text("Emma", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""]),
            .status(304, headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
        )
        try await stubs.run {
            for control in [nil, nil, "no-cache"] {
                let book = Book(inspector) {
                    $0.cache = cache
                    $0.headers["Cache-Control"] = control
                }
                let text = try await book.value()
                #expect(text == "Emma")
            }
        }
        let calls = try await Page(inspector).calls(3)
        #expect(calls.map { $0.marks.filter { $0 != "stub" } } == [[], ["cache"], ["304"]])
        #expect(calls.allSatisfy { $0.last?.response?.content?.text == "Emma" })
    }

    @Test
    func `The inspector shows both attempts of a call resent after a 401 and redacts their tokens`() async throws {
        let tokens = TokenSource(Token("old")) { _ in Token("new") }
        let call = try await shown(Book(inspector) { $0.authorization = .tokens(tokens) }, .status(401), .text("Emma"))
        #expect(call.marks.contains("refresh"))
        #expect(call.attempts.map { $0.entry?.response?.status } == [401, 200])
        #expect(call.attempts[0].reason == "401, sent again")
        #expect(call.attempts.allSatisfy { $0.entry?.request["Authorization"] == "REDACTED" })
        #expect(call.attempts.last?.segments.map(\.name).suffix(2) == ["first byte", "body"])
    }

    @Test func `The inspector shows a redirect as an attempt of its own with status, URL and reason`() async throws {
        let call = try await shown(
            Book(inspector),
            .status(302, headers: ["Location": "/v3/books/7"]),
            .text("Emma")
        )
        #expect(call.marks.contains("redirect"))
        #expect(call.attempts.map { $0.entry?.response?.status } == [302, 200])
        #expect(
            call.attempts.map { $0.entry?.request.url } == [
                "http://books.example/v2/books/7", "http://books.example/v3/books/7",
            ]
        )
        #expect(call.attempts[0].reason == "302, redirect to http://books.example/v3/books/7")
    }

    @Test
    func `The inspector cuts a body over 65,536 bytes at a whole character and says so in a comment`() async throws {
        let character = "é"
        let text = "x" + String(repeating: character, count: 100_000)
        let book = Book(inspector) {
            $0.method = .post
            $0.body = Data(text.utf8)
            $0.headers["Content-Type"] = "text/plain"
        }
        let call = try await shown(book, .text(text))
        let entry = try #require(call.last)
        #expect(entry.comment == "Of each body, the first 65536 bytes are shown.")
        #expect(entry.response?.content?.size == text.utf8.count)
        for body in [entry.request.postData?.text, entry.response?.content?.text] {
            let body = try #require(body)
            #expect(body.utf8.count == 65_535)
            #expect(text.hasPrefix(body))
        }
    }

    @Test func `The inspector shows the size, but not the content, of a body that is read as a stream`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("one\ntwo\n"))
        let lines = try await stubs.run {
            var lines: [String] = []
            for try await line in Book(inspector).eachLine() { lines.append(line) }
            return lines
        }
        #expect(lines == ["one", "two"])
        let call = try await Page(inspector).call()
        #expect(call.status == 200)
        #expect(call.last?.response?.content?.text == nil)
        #expect(call.last?.response?.content?.size == 8)
        #expect(call.last?.comment == "The body was read as a stream.")
    }
}
