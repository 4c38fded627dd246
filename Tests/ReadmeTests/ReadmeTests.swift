import APIBaseTesting
import TestTiers
import Testing
import TodoDemo

@Suite(.limited) struct ReadmeTests {
    @Test func `The samples of the testing article run with the results that the article shows`() async throws {
        #expect(try await oneObject().title == "Swift")
        try await scope()
        // The first pattern fits, and has no answer.
        let (stubs, request) = (matching(), BookRequest(id: 7))
        request.session = stubs
        _ = try? await request.value()
        #expect(stubs.problems.map(\.description).contains("The stub “BooksAPI” has no answer."))
        // These are only made: the file and the real server are not there.
        _ = answers()
        try await time()
        try await waits()
        try await lookingBack()
    }

    @Test func `The samples that read in pieces get all pages, log lines, events and the file`() async throws {
        let stubs = Stubs()
        let link = HTTPHeaders(["Link": "</v2/books?page=2>; rel=\"next\""])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "readme-\(UInt64.random(in: 0...UInt64.max))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        stubs.on(.get, "/books").answer(
            inOrder: .json(#"[{"id": 1, "title": "a"}]"#, headers: link),
            .json(#"[{"id": 2, "title": "b"}]"#)
        )
        stubs.on(.get, "/messages").answer(
            inOrder: .json(#"{"texts": ["a"], "cursor": "x"}"#),
            .json(#"{"texts": ["b"]}"#)
        )
        stubs.on(.get, "/log").answer(.text("{\"text\":\"a\"}\n{\"text\":\"b\"}\n"))
        stubs.on(.get, "/film").answer(.text("film"))
        stubs.on(.get, "/prices").answer(
            inOrder: .status(200, headers: ["Content-Type": "text/event-stream"], data: Data("data: 1\n\n".utf8)),
            .status(204)
        )
        try await stubs.run {
            #expect(try await titles() == ["a", "b"])
            var texts: [String] = []
            for try await page in MessagesRequest().pages().values { texts += page.texts }
            try Task.checkCancellation()
            #expect(texts == ["a", "b"])
            try await entries(of: LogRequest(.get("http://api.example/log")))
            try await fetch(FilmRequest(.get("http://api.example/film")), to: folder.appendingPathComponent("film"))
            #expect(try String(contentsOf: folder.appendingPathComponent("film"), encoding: .utf8) == "film")
            try await listen(to: PricesRequest(.get("http://api.example/prices")))
        }
        #expect(stubs.calls.count == 8)
    }

    /// Loops over `values` end without an error: the line after them makes one.
    @Test(.limited, arguments: ["/books", "/log", "/prices", "/film"])
    func `A stream sample throws CancellationError when its task is canceled`(path: String) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let stubs = Stubs(clock: .real)
        stubs.on(.get, path).answer(.never)
        let url = "http://api.example\(path)"
        let task = Task {
            try await stubs.run {
                switch path {
                case "/books": _ = try await titles()
                case "/log": try await entries(of: LogRequest(.get("\(url)")))
                case "/prices": try await listen(to: PricesRequest(.get("\(url)")))
                default: try await fetch(FilmRequest(.get("\(url)")), to: file)
                }
            }
        }
        while stubs.calls.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `The samples for request bodies send the content types and bytes that the article shows`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("bytes".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stubs = Stubs()
        stubs.on(.patch, "/books/7").answer(.json(#"{"id": 7, "title": "Swift"}"#))
        stubs.on(.query, "/books").answer(.json("[]"))
        stubs.on().answer(.status(204))
        try await stubs.run {
            #expect(try await ChangeBookRequest(id: 7, BookChange(title: Patch("Swift"))).value().title == "Swift")
            let change = try JSONEncoder().encode(BookChange(newTitle: "Swift"))
            #expect(try JSONDecoder().decode(JSONValue.self, from: change) == ["title": "Swift", "subtitle": nil])
            try await SignUpRequest(name: "A B", tags: ["x", "y"]).value()
            try await OrderRequest(Order(bookID: 7, extras: ["x"])).value()
            try await CoverRequest(title: "Front", picture: file).value()
            try await ManuscriptRequest(of: 7, file: file).value()
            try await CatalogRequest(lines: ["a", "b"]).value()
            try await ReportRequest(["a", "b"]).value()
            try await LogUploadRequest(file).value()
            #expect(try await SearchBooksRequest(Search(words: ["swift"])).value().isEmpty)
        }
        let sent = stubs.calls.map { ($0.headers["Content-Type"] ?? "", String(decoding: $0.body, as: UTF8.self)) }
        try #require(sent.count == 9)
        #expect(sent[0] == ("application/merge-patch+json", #"{"title":"Swift"}"#))
        #expect(sent[1] == ("application/x-www-form-urlencoded", "name=A+B&tag=x&tag=y"))
        #expect(sent[2] == ("application/x-www-form-urlencoded", "book_id=7&extras%5B%5D=x"))
        #expect(sent[3].0.hasPrefix("multipart/form-data; boundary="))
        #expect(sent[3].1.contains("name=\"title\"\r\n\r\nFront\r\n"))
        #expect(sent[3].1.contains("Content-Type: image/png\r\n\r\nbytes\r\n"))
        #expect(sent[4] == ("application/pdf", "bytes"))
        #expect(sent[5] == ("text/csv", "a\nb"))
        #expect(sent[6] == ("application/json", #"["a","b"]"#))
        #expect(sent[7] == ("text/plain", "bytes"))
        #expect(sent[8] == ("application/json", #"{"limit":20,"words":["swift"]}"#))
        #expect(stubs.calls.map { $0.headers["Content-Encoding"] == "gzip" }.suffix(4) == [false, true, true, false])
    }

    @Test func `The samples send traceparent, and retries send the same Idempotency-Key`() async throws {
        final class Leaf: TracedAPI, Request { typealias ModelType = Book }
        final class Patient: PatientAPI, Request { typealias ModelType = Book }
        let stubs = Stubs()
        stubs.on().answer(inOrder: .json(#"{"id": 7, "title": "a"}"#), .status(503), .json(#"{"id": 7, "title": "b"}"#))
        try await stubs.run {
            let leaf = Leaf(.get("http://api.example/"))
            _ = try await TracedAPI.$traceparent.withValue("00-1-2-01") { try await leaf.value() }
            #expect(try await Patient(.post("http://api.example/", json: 1)).value().title == "b")
        }
        #expect(stubs.calls[0].headers["traceparent"] == "00-1-2-01")
        #expect(stubs.calls[1].headers["Idempotency-Key"] != nil)
        #expect(stubs.calls[1].headers["Idempotency-Key"] == stubs.calls[2].headers["Idempotency-Key"])
        #expect(commandLine().hasPrefix("curl --globoff --path-as-is --url 'https://books.example/v2/books/7'"))
    }

    @Test func `The sample for a long operation polls at Location and returns the report`() async throws {
        let stubs = Stubs()
        stubs.on(.post, "/reports").answer(.status(202, headers: ["Location": "reports/7", "Retry-After": "5"]))
        stubs.on(.get, "/reports/7").answer(inOrder: .status(202), .json(#"{"file": "report.csv"}"#))
        #expect(try await stubs.run { try await yearReport() }.file == "report.csv")
        #expect(stubs.waits == [.init(.poll, .seconds(5)), .init(.poll, .seconds(1))])
    }

    @Test func `The sample for recordings replays a recorded book without the network`() async throws {
        let book = try await withRecordedBook { folder in
            #expect(try matchDifferently(file: folder.appendingPathComponent("other.har")).count == 2)
            #expect(try redactMore(file: folder.appendingPathComponent("other.har")).redaction.fields.contains("iban"))
            // There is no server at its host: this comes from the file.
            return try await recordOnce(fixtures: folder)
        }
        #expect(book.title == "Swift")
    }

    /// A folder with the recording of one book, as long as `body` runs. Stubs stand in for the server.
    private func withRecordedBook(_ body: (URL) async throws -> Book) async throws -> Book {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stubs = Stubs()
        stubs.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#))
        _ = try await stubs.run { try await recordOnce(fixtures: folder) }
        return try await body(folder)
    }

    @Test func `The error messages in the testing articles equal the real messages`() async throws {
        let written = try ["TestingYourAPI", "RecordAndReplay"].flatMap { name in
            try #require(Document.all.first { $0.name == name }).listings("text")
        }
        let stubs = Stubs()
        stubs.on(BookRequest.self, query: ["edition": "2"]).optional()
        stubs.on(.post, "/books").optional()
        let request = BookRequest(id: 7)
        request.queryItems = [URLQueryItem(name: "edition", value: "1")]
        request.session = stubs
        let unmatched = await #expect(throws: StubProblem.self) { try await request.value() }
        let others = Stubs()
        others.on(.get, "/books").answer(inOrder: .status(500), .status(500))
        others.on(.post, "/books").answer(.status(200))
        let problems = await #expect(throws: StubProblems.self) {
            try await others.run {
                for _ in 0..<3 {
                    let request = BookRequest(id: 7)
                    request.path = "/books"
                    _ = try? await request.value()
                }
            }
        }
        let foreign = await #expect(throws: RecordingError.self) {
            try await withRecordedBook { folder in
                let recording = try Recording(file: folder.appendingPathComponent("book.har"), mode: .replay)
                return try await recording.run { try await BookRequest(id: 8).value() }
            }
        }
        #expect(written == [unmatched?.description, problems?.description, foreign?.localizedDescription])
    }

    @Test func `The README shows swift run apibase and swift test, and has no placeholders`() throws {
        let readme = try Document.text("README.md")
        #expect(readme.contains("$ swift run apibase\n"))
        #expect(readme.contains("$ swift test\n"))
        #expect(!readme.contains("@@"))
    }

    @Test(.stubs { $0.on(.get, "/users").answer(.json(#"[{"name": "Reader"}]"#)) })
    func `The first sample of the README returns the names of the users`() async throws {
        #expect(try await users() == ["Reader"])
    }

    @Test func `The sample with a stubbed request returns the stubbed book`() async throws {
        let (book, request) = try await stub()
        #expect(book.title == "Swift")
        #expect(request.request?.url?.absoluteString == "https://books.example/v2/books/7")
    }

    @Test func `The samples that create and delete a book send POST with JSON and DELETE`() async throws {
        let create = CreateBookRequest(Book(id: 7, title: "Swift"))
        create.dataTaskPublisher = create.stubJSONResponse(
            statusCode: 201,
            data: Data(#"{"id": 7, "title": "Swift"}"#.utf8)
        )
        #expect(try await create.value().id == 7)
        #expect(create.request?.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let delete = DeleteBookRequest(id: 7)
        delete.dataTaskPublisher = delete.stubResponse(statusCode: 204, data: Data())
        try await delete.value()
        #expect(delete.request?.httpMethod == "DELETE")
        let (upload, progress) = observe()
        let stubs = Stubs()
        stubs.on(.post, "/books").answer(.json(#"{"id": 7, "title": "Swift"}"#, status: 201))
        upload.session = stubs
        _ = try await upload.value()
        #expect(upload.uploadProgress == (24, 24))
        progress.cancel()
    }

    @Test(.stubs { $0.on(.get, "/concerts").answer(.json(#"[{"title": "T", "starts_at": "1970-01-02T00:00:00Z"}]"#)) })
    func `The sample with a configured decoder reads snake case and ISO 8601 dates`() async throws {
        let concert = try #require(try await ConcertsRequest().value().first)
        #expect(concert.title == "T")
        #expect(concert.startsAt == Date(timeIntervalSince1970: 86_400))
    }

    @Test(
        .stubs { stubs in
            stubs.on(.get, "/books", headers: ["Authorization": "Bearer token"]).answer { call in
                let page = call.queryItem("page").flatMap { Int($0) } ?? 0
                return .json(page < 3 ? #"[{"id": \#(page), "title": "Swift"}]"# : "[]")
            }
            stubs.on(.get, "/books/7").answer(.json(#"{"id": 7, "title": "Swift"}"#))
            stubs.on(.post, "/books").answer(.json(#"{"reason": "no"}"#, status: 409))
        }
    )
    func `The client sample reads all pages and one book and throws the API's own error`() async throws {
        #expect(try await Library().allBooks(token: "token").map(\.id) == [1, 2])
        #expect(try await Library.BookRequest(id: 7, token: "token").value().title == "Swift")
        await #expect {
            try await Library.CreateBookRequest(Book(id: 8, title: "Linux"), token: "token").value()
        } throws: { error in
            guard case RequestError.httpFailure(let failure) = error else { return false }
            return failure.statusCode == 409 && failure.detail(as: Problem.self) == Problem(reason: "no")
        }
    }

    @Test func `The client sample of the README has at most 37 lines`() throws {
        let text = try Document.text("Tests/ReadmeTests/Samples.swift")
        let client = try #require(
            Document.blocks(of: text, from: { $0 == "// sample library" }, to: "// end").first
        )
        #expect(client.split(separator: "\n").count <= 37)
    }

    @Test(
        .stubs {
            $0.on(PlainAPI.self).answer(.text("a\nb", headers: ["Content-Type": "text/csv"]))
        }
    )
    func `The sample for an API without JSON reads the lines of a CSV response`() async throws {
        #expect(try await TableRequest().value() == ["a", "b"])
    }

    @Test func `The sample for multipart bodies sends a file and a query and returns the book`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("png".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stubs = Stubs()
        stubs.on(.post, "/covers", query: ["tag": "swift"]).answer(.json(#"{"id": 7, "title": "Swift"}"#))
        let (book, response) = try await stubs.run { try await send(file) }
        #expect(book.id == 7)
        #expect(response.statusCode == 200)
        let call = try #require(stubs.calls.first)
        #expect(String(decoding: call.body, as: UTF8.self).contains("\r\n\r\npng\r\n--"))
        #expect(call.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func `The sample with withBaseURL sends its call to the staging server`() async throws {
        let staging = try #require(URL(string: "https://staging.example/api"))
        let stubs = Stubs()
        stubs.on(.get, "/books/7").answer(.json(#"{"id": 7, "title": "Swift"}"#))
        #expect(try await stubs.run { try await elsewhere(staging) } == "Swift")
        #expect(stubs.calls.first?.url?.absoluteString == "https://staging.example/api/books/7")
    }

    @Test func `The sample with its own error type fails with the text of Problem at status 409`() async throws {
        final class Call: StrictAPI, Request {
            typealias ModelType = Void
        }
        let call = Call()
        call.dataTaskPublisher = call.stubJSONResponse(statusCode: 409, data: Data(#"{"reason": "no"}"#.utf8))
        let error = await #expect(throws: RequestError.self) { try await call.value() }
        #expect(error?.localizedDescription == "The library refuses that: no")
    }

    @Test func `The publisher samples chain calls, map a feed to names and map the error of a call`() async throws {
        let stubs = Stubs()
        stubs.on(.get, "/books/:id").answer { call in
            .json(#"{"id": \#(call.parameters["id"] ?? ""), "title": "Swift"}"#)
        }
        stubs.on(.post, "/login").answer(.json(#"{"string": "secret"}"#))
        stubs.on(.post, "/todos", headers: ["Authorization": "Bearer secret"], body: .json(["title": "Learn Swift"]))
            .answer(.json(#"{"id": 1, "title": "Learn Swift", "userID": 1}"#))
        let feed = #"""
            {"feed": {"title": "T", "id": "i", "author": {"name": "A", "url": "u"}, "links": [], "copyright": "",
            "country": "us", "icon": "i", "updated": "", "results": [{"artistName": "a", "id": "1", "name": "App",
            "artworkUrl100": "u", "url": "u"}]}}
            """#
        stubs.on(.get, "/api/v2/us/apps/top-free/50/apps.json").answer(.json(feed))
        stubs.on(.get, "/photos").answer(.status(403))
        try await stubs.run {
            let related = try await oneAfterAnother().values.first { _ in true }
            #expect(related?.id == 8)
            let todo = try await todoChain().values.first { _ in true }
            #expect(todo?.title == "Learn Swift")
            let names = try await appNames().values.first { _ in true }
            #expect(names == ["App"])
            let error = await #expect(throws: PhotosUnavailable.self) { for try await _ in photos().values {} }
            guard case RequestError.httpFailure(403)? = error?.underlying else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
