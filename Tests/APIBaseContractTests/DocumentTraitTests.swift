import APIBaseContract
import Foundation
import Testing

@Suite struct DocumentTraitTests {
    /// Runs a test with a trait, and returns the lines and the texts of the issues that it records.
    private func issues(
        _ trait: DocumentTrait = .document("bookshop.json"),
        stubs setUp: @escaping @Sendable (Stubs) -> Void,
        _ calls: @escaping @Sendable () async throws -> Void
    ) async throws -> [(line: Int?, file: String?, text: String)] {
        let test = try #require(Test.current)
        let found = Found()
        try await withKnownIssue(isIntermittent: true) {
            try await trait.provideScope(for: test, testCase: nil) {
                let stubs = Stubs()
                setUp(stubs)
                try await stubs.run { try await calls() }
            }
        } matching: { issue in
            found.add((issue.sourceLocation?.line, issue.sourceLocation?.fileName, "\(issue.comments.first ?? "")"))
            return true
        }
        return found.all
    }

    private final class Found: @unchecked Sendable {
        private let lock = NSLock()
        private var issues: [(line: Int?, file: String?, text: String)] = []

        var all: [(line: Int?, file: String?, text: String)] { lock.withLock { issues } }

        func add(_ issue: (line: Int?, file: String?, text: String)) { lock.withLock { issues.append(issue) } }
    }

    @Test(
        .document("bookshop.json"),
        .stubs { $0.on(ShopBookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#)) }
    )
    func `Calls and answers that fit the document record nothing`() async throws {
        #expect(try await ShopBookRequest(id: 7).value() == ShopBook(id: 7, title: "Swift"))
    }

    @Test func `An answer that does not fit is an issue at the line of its stub`() async throws {
        let line = #line + 2
        let issues = try await issues(stubs: {
            $0.on(ShopBookRequest.self).answer(.json(#"{"id": "7", "titel": "Swift"}"#))
        }) {
            _ = try? await ShopBookRequest(id: 7).value()
        }
        let texts = [
            "GET /books/{id}, reply 200: body #/id is the string “7”, expected an integer. See bookshop.json "
                + "#/components/schemas/Book/properties/id/type; answered by “ShopBookRequest”",
            "GET /books/{id}, reply 200: body #/title is missing. See bookshop.json #/components/schemas/Book/required; "
                + "answered by “ShopBookRequest”",
        ]
        for text in texts { #expect(issues.contains { $0.text == text }, "\(issues)") }
        #expect(issues.count == 3 && issues.allSatisfy { $0.line == line && $0.file == "DocumentTraitTests.swift" })
    }

    @Test func `Stubs at one line are told apart by their names`() async throws {
        let issues = try await issues(stubs: {
            for name in ["first", "second"] {
                $0.on(ShopBookRequest.self).named(name).answer(inOrder: .status(503), then: .fallThrough)
            }
        }) {
            for _ in 0..<2 { _ = try? await ShopBookRequest(id: 7).value() }
        }
        let names = issues.map { $0.text.split(separator: "; ").last ?? "" }
        #expect(names.sorted() == ["answered by “first”", "answered by “second”"])
    }

    @Test func `A call that does not fit is an issue at its line if that is noted, and else at the test`() async throws
    {
        let start = #line
        let issues = try await issues(stubs: { $0.on(ShopAPI.self).answer(.json("[]")) }) {
            try await ShopAPI(.get("/books", query: ["limit": 500])).here().value(of: Void.self)
            try await ShopAPI(.get("/book")).value(of: Void.self)
        }
        let test = try #require(Test.current)
        #expect(issues.map(\.line) == [start + 2, test.sourceLocation.line])
        #expect(issues.map(\.file) == ["DocumentTraitTests.swift", "DocumentTraitTests.swift"])
        #expect(issues[0].text.hasPrefix("GET /books, request: query item “limit” is “500”, expected at most 100."))
        #expect(
            issues[1].text.hasPrefix(
                "GET /v2/book, request: the document has no such path; the nearest path is /books."
            )
        )
    }

    @Test func `The order of the traits makes no difference`() async throws {
        let test = try #require(Test.current)
        let trait: DocumentTrait = .document("bookshop.json")
        let stubs = Stubs()
        stubs.on(ShopAPI.self).answer(.status(503))
        try await withKnownIssue {
            try await stubs.run {
                try await trait.provideScope(for: test, testCase: nil) { _ = try? await ShopBookRequest(id: 7).value() }
            }
        } matching: {
            $0.comments.first?.rawValue.contains("the status 503 is not documented") ?? false
        }
    }

    @Test func `An issue is recorded although the test throws`() async throws {
        let test = try #require(Test.current)
        await withKnownIssue {
            let trait: DocumentTrait = .document("bookshop.json")
            let stubs = Stubs()
            stubs.on(ShopAPI.self).answer(.json("[]"))
            await #expect(throws: (any Error).self) {
                try await trait.provideScope(for: test, testCase: nil) {
                    try await stubs.run { _ = try await ShopBookRequest(id: 7).value() }
                }
            }
        } matching: {
            $0.comments.first?.rawValue.contains("body # is an array, expected an object") ?? false
        }
    }

    @Test func `What a trait or a stub allows records nothing`() async throws {
        let trait: DocumentTrait = .document("bookshop.json").allowing(.undocumentedStatus(503)).of(ShopAPI.self)
        let issues = try await issues(
            trait,
            stubs: { stubs in
                stubs.on(ShopBookRequest.self).answer(.status(503))
                stubs.on(.get, "/books").answer(.status(418)).allowing(.undocumentedStatus(418))
                stubs.on(OtherAPI.self).answer(.text("anything"))
            }
        ) {
            _ = try? await ShopBookRequest(id: 7).value()
            _ = try? await ShopAPI(.get("/books")).value(of: Void.self)
            _ = try? await OtherAPI(.get("/token")).value(of: Void.self)
        }
        #expect(issues.isEmpty)
    }

    @Test func `A failure without a body may have any media type`() async throws {
        let issues = try await issues(stubs: {
            $0.on(ShopBookRequest.self).answer(.status(404, headers: ["Content-Type": "text/html"]))
        }) { _ = try? await ShopBookRequest(id: 7).value() }
        #expect(issues.isEmpty)
    }

    @Test func `The innermost of several comparisons with one document counts`() async throws {
        let issues = try await issues(stubs: { _ in }) {
            let stubs = Stubs(document: try #require(bookshop).allowing(.undocumentedStatus(503)))
            stubs.on(ShopBookRequest.self).answer(inOrder: .status(503), .status(418))
            for _ in 0..<2 {
                await #expect(throws: (any Error).self) {
                    try await stubs.runUnchecked { _ = try await ShopBookRequest(id: 7).value() }
                }
            }
            #expect(stubs.problems.count == 1)
        }
        #expect(issues.isEmpty)
    }

    @Test func `A comparison that leaves a call out leaves it to the ones around`() async throws {
        let issues = try await issues(stubs: { _ in }) {
            let stubs = Stubs(document: try #require(bookshop).of(OtherAPI.self))
            stubs.on(ShopBookRequest.self).answer(.status(503))
            await #expect(throws: (any Error).self) {
                try await stubs.run { _ = try await ShopBookRequest(id: 7).value() }
            }
        }
        #expect(issues.count == 1)
    }

    @Test func `A finding with another value in each call, noted at no file, is one issue at the test`() async throws {
        let issues = try await issues(stubs: { $0.on(ShopAPI.self).answer(.json("[]")) }) {
            for limit in 500..<520 {
                let call = ShopAPI(.get("/books", query: ["limit": limit])).here(fileID: "Mine", line: 0)
                try await call.value(of: Void.self)
            }
        }
        let test = try #require(Test.current)
        #expect(issues.map(\.line) == [test.sourceLocation.line])
    }

    @Test func `Equal findings of many calls are one issue`() async throws {
        let issues = try await issues(stubs: { $0.on(ShopAPI.self).answer(.status(503)) }) {
            await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { _ = try? await ShopBookRequest(id: 7).value() } }
            }
        }
        #expect(issues.count == 1)
    }

    @Test func `The trait of a test replaces that of its suite for the same document`() async throws {
        let test = try #require(Test.current)
        let inner: DocumentTrait = .document("bookshop.json").allowing(.undocumentedStatus(503))
        let issues = try await issues(stubs: { $0.on(ShopAPI.self).answer(.status(503)) }) {
            try await inner.provideScope(for: test, testCase: nil) { _ = try? await ShopBookRequest(id: 7).value() }
        }
        #expect(issues.isEmpty)
    }

    @Test func `A call without stubs does not go to the network`() async throws {
        let test = try #require(Test.current)
        let trait: DocumentTrait = .document("bookshop.json")
        try await trait.provideScope(for: test, testCase: nil) {
            let error = await #expect(throws: (any Error).self) { try await ShopBookRequest(id: 7).value() }
            #expect("\(error.map { "\($0)" } ?? "")".contains("outside"))
        }
    }

    @Test func `Equal findings in the elements of an array are one issue`() async throws {
        let books = String(repeating: #"{"title": "a", "isbn": "1"},"#, count: 200)
        let issues = try await issues(stubs: { $0.on(ShopAPI.self).answer(.json("[\(books)5]")) }) {
            _ = try? await ShopAPI(.get("/books")).value(of: Data.self)
        }
        #expect(issues.map { $0.text.contains("#/0/isbn is not in the schema") } == [false, true])
    }

    @Test func `A document that is not there fails with its path, also by URL`() async throws {
        let url = URL(fileURLWithPath: "/none/api.json")
        let error = #expect(throws: (any Error).self) { try APIDocument(contentsOf: url) }
        #expect("\(try #require(error))" == "There is no document “api.json”. Looked for: /none/api.json")
    }

    @Test func `A document that is not there fails the test with the places of the search`() async throws {
        let test = try #require(Test.current)
        let trait: DocumentTrait = .document("none.json")
        let error = await #expect(throws: (any Error).self) {
            try await trait.provideScope(for: test, testCase: nil) {}
        }
        #expect(error?.localizedDescription.contains("Tests/APIBaseContractTests/none.json") == true)
        #expect(error?.localizedDescription.contains("Looked for: ") == true)
    }

    @Test(.document("Tests/APIBaseContractTests/bookshop.json"), .document(bookshop!))
    func `A document is found by its path in the package, and may be one that is there`() {}
}
