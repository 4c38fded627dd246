import APIBaseContract
import Foundation
import Testing

@Suite struct DocumentStubsTests {
    private let document: APIDocument

    init() throws { document = try #require(bookshop) }

    @Test func `Stubs with a document throw what does not fit`() async throws {
        let stubs = Stubs(document: document)
        stubs.on(ShopBookRequest.self).answer(.json(#"{"id": 7}"#))
        let error = await #expect(throws: StubProblems.self) {
            try await stubs.run { _ = try await ShopBookRequest(id: 7).value() }
        }
        let text =
            "GET /books/{id}, reply 200: body #/title is missing. See bookshop.json #/components/schemas/Book/required; "
            + "answered by “ShopBookRequest”"
        #expect(error?.problems == [.undocumented(finding: text)])
    }

    @Test func `A document answers its operations with examples and made values`() async throws {
        let stubs = Stubs(document: document)
        stubs.on(document: document)
        try await stubs.run {
            #expect(try await ShopBookRequest(id: 7).value() == ShopBook(id: 7, title: "The Example"))
            let books = try await ShopAPI(.get("/books")).value(of: [ShopBook].self)
            #expect(books == [ShopBook(id: 1, title: "text")])
        }
    }

    @Test func `A value made of a schema with a rare pattern is no failure`() async throws {
        let schema = #"{"type": "string", "pattern": "^ISBN [0-9]{4}$"}"#
        let reply = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let text = #"{"openapi": "3.1.0", "paths": {"/isbn": {"get": {"responses": \#(reply)}}}}"#
        let document = try APIDocument(Data(text.utf8))
        let stubs = Stubs(document: document)
        stubs.on(document: document)
        try await stubs.run { _ = try await ShopAPI(.get("/isbn")).value(of: String.self) }
        stubs.on(.get, "/isbn").answer(.json(#""text""#))
        await #expect(throws: StubProblems.self) {
            try await stubs.run { _ = try await ShopAPI(.get("/isbn")).value(of: String.self) }
        }
    }

    @Test func `Another stub is asked before a document, wherever it is added, and what is no operation has no answer`()
        async throws
    {
        let stubs = Stubs()
        stubs.on(document: document)
        stubs.on(ShopBookRequest.self).answer(.json(#"{"id": 9, "title": "Own"}"#))
        try await stubs.runUnchecked {
            let title = try await ShopBookRequest(id: 7).value().title
            #expect(title == "Own")
            await #expect(throws: (any Error).self) { try await ShopAPI(.get("/nothing")).value(of: Void.self) }
        }
    }

    @Test func `An echo has the body of the request`() async throws {
        let stubs = Stubs(document: document)
        stubs.on(document: document, .echo)
        try await stubs.run {
            let call = ShopAPI(.post("/books", json: ShopBook(title: "New")))
            let book = try await call.value(of: ShopBook.self)
            #expect(book == ShopBook(id: 1, title: "New"))
        }
    }

    @Test func `Unknown members are no failure where they are allowed`() async throws {
        let stubs = Stubs(document: document.allowingUnknownMembers())
        stubs.on(ShopBookRequest.self).answer(.json(#"{"title": "Swift", "isbn": "1"}"#))
        try await stubs.run { _ = try await ShopBookRequest(id: 7).value() }
        #expect(stubs.problems.isEmpty)
    }

    @Test func `A document is read again when its file changes`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: (any Error).self) { try APIDocument(contentsOf: file) }
        try Data("{}".utf8).write(to: file)
        #expect(throws: (any Error).self) { try APIDocument(contentsOf: file) }
        for name in ["books", "shelves"] {
            try Data(#"{"openapi": "3.1.0", "paths": {"/\#(name)": {"get": {}}}}"#.utf8).write(to: file)
            let stubs = Stubs()
            stubs.on(document: try APIDocument(contentsOf: file))
            try await stubs.run { try await ShopAPI(.get("/\(name)")).value(of: Void.self) }
        }
    }

    @Test func `A secret that does not fit is not in the problems`() async throws {
        let text = """
            {"openapi": "3.1.0", "paths": {"/login": {"post": {"requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "properties": {"password": {"type": "string", "maxLength": 3}}}}}}, "responses": {"200": {}}}}}}
            """
        let stubs = Stubs(document: try APIDocument(Data(text.utf8)))
        stubs.on(ShopAPI.self).answer(.status(200))
        let error = await #expect(throws: StubProblems.self) {
            try await stubs.run {
                try await ShopAPI(.post("/login", json: ["password": "canary"])).value(of: Void.self)
            }
        }
        #expect(error?.problems.count == 1 && error?.description.contains("canary") == false)
    }
}
