import APIBaseKit
import TestTiers
import Testing

private class BooksAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example/v2") }
}

private struct Row: Sendable, CustomTestStringConvertible {
    var path: EndpointPath
    var text: String
    var template: String
    var testDescription: String { template }
}

@Suite(.limited) struct EndpointPathTests {
    @Test(arguments: [
        Row(path: "/books", text: "/books", template: "/books"),
        Row(path: "", text: "", template: ""),
        Row(path: "/books/\(segment: 7)", text: "/books/7", template: "/books/{}"),
        Row(path: "/books/\(segment: 7, named: "id")", text: "/books/7", template: "/books/{id}"),
        Row(
            path: "/shops/\(segment: "a/b", named: "shop")/books/\(segment: "ä")",
            text: "/shops/a%2Fb/books/%C3%A4",
            template: "/shops/{shop}/books/{}"
        ),
        Row(path: "/\("a/b")/c", text: "/a/b/c", template: "/{}/c"),
        Row(path: EndpointPath("/books/7"), text: "/books/7", template: "/books/7"),
    ])
    private func `A path has its text, and a template without its values`(row: Row) {
        #expect(row.path.text == row.text)
        #expect(row.path.template == row.template)
    }

    @Test func `A request object has the template of its endpoint until its path is set as a text`() {
        let call = BooksAPI(.get("/books/\(segment: 7, named: "id")"))
        #expect(call.path == "/books/7")
        #expect(call.pathTemplate == "/books/{id}")
        call.path = "/books/8"
        #expect(call.pathTemplate == nil)
        call.pathTemplate = "/books/{id}"
        #expect(call.pathTemplate == "/books/{id}")
    }

    @Test(arguments: ["", ".", "..", "a\u{0}"])
    func `A segment that cannot be sent is refused in a path with a template too`(segment: String) {
        #expect(throws: RequestError.self) { try BooksAPI(.get("/books/\(segment: segment)")).buildURLRequest() }
    }

    @Test func `A call with a parameter that looks like a placeholder has the template of the others`() {
        let call = BooksAPI(.get("/books/\(segment: "{id}")"))
        #expect(call.path == "/books/%7Bid%7D")
        #expect(call.pathTemplate == "/books/{}")
    }
}
