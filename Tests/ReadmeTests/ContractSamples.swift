// swift-format-ignore-file
// The samples about tests that are held to a document.

import APIBaseContract
import Foundation
import TestTiers
import Testing

// sample test
@Suite(.document("openapi.json")) struct HeldShelfTests {
    @Test(.stubs { $0.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#)) })
    func `A shelf shows the title of its book`() async throws {
        let book = try await BookRequest(id: 7).value()
        #expect(book.title == "Swift")
    }
}
// end

@Suite(.limited) struct DeviationSampleTests {
// sample outside
@Test(
    .document("openapi.json").allowing(.undocumentedStatus(503)),
    .stubs { stubs in
        stubs.on(BookRequest.self).answer(.status(503))
        stubs.on(.get, "/books").answer(.status(418)).allowing(.undocumentedStatus(418))
    }
)
func `A shelf without its server is empty`() async throws {
    await #expect(throws: (any Error).self) { try await BookRequest(id: 7).value() }
    await #expect(throws: (any Error).self) { try await AllBooksRequest().value() }
}
// end

    private let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("openapi.json")

    @Test func `Stubs from a document answer what a test does not say`() async throws {
// sample stubs
let document = try APIDocument(contentsOf: file)
let stubs = Stubs(document: document)
stubs.on(document: document, .echo)
stubs.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#))
try await stubs.run {
    let created = try await CreateBookRequest(Book(id: 8, title: "New")).value()
    let book = try await BookRequest(id: 7).value()
    #expect(created.title == "New" && book.title == "Swift")
}
// end
    }
}
