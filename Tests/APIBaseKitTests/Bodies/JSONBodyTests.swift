import APIBaseKit
import Testing

/// Bodies of JSON, and of lines of JSON.
@Suite struct JSONBodyTests {
    @Test func `A DELETE request sends its JSON body with the Content-Type of JSON`() throws {
        let built = try JSONAPI(.delete("http://api.example/x", json: [1])).buildURLRequest()
        #expect(built.httpBody == Data("[1]".utf8) && built.httpMethod == "DELETE")
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test func `A body of JSON Lines has one line for each value, even with a pretty-printing encoder`() throws {
        let request = JSONAPI(.post("http://api.example/x"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        request.content = .jsonLines([["a": "1\n2", "b": "x"], [:]], encoder: encoder)
        let built = try request.buildURLRequest()
        let lines = String(decoding: built.httpBody ?? Data(), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count == 3 && lines.last == "")
        #expect(try JSONDecoder().decode([String: String].self, from: Data(lines[0].utf8)) == ["a": "1\n2", "b": "x"])
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/x-ndjson")
        request.content = .jsonLines([Double.nan])
        #expect(throws: EncodingError.self) { try request.buildURLRequest() }
        request.content = .jsonLines([Int]())
        #expect(try request.buildURLRequest().httpBody == nil)
    }
}
