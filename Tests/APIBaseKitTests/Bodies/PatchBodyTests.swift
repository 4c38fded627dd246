import APIBaseKit
import Testing

/// What a patch sends.
@Suite struct PatchBodyTests {
    private struct Change: Encodable {
        @Patch var bookTitle: String?
        @Patch var subtitle: String?
    }

    private final class ChangeRequest: JSONAPI, Request {
        typealias ModelType = Void

        init(_ content: HTTPBody) {
            super.init(.patch("/books/1", content: content))
            baseURL = URL(string: "http://api.example")
        }
    }

    private struct Failing: Encodable {
        struct Failure: Error {}

        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    @Test func `A merge patch is encoded with the encoder of its API and sent with type merge-patch+json`() throws {
        var change = Change()
        change.bookTitle = "Swift"
        change.subtitle = nil
        let call = ChangeRequest(.mergePatch(change))
        call.encoder.keyEncodingStrategy = .convertToSnakeCase
        let request = try call.buildURLRequest()
        let text = #"{"book_title":"Swift","subtitle":null}"#
        #expect(request.httpMethod == "PATCH")
        #expect(request.httpBody == Data(text.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/merge-patch+json")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == String(text.utf8.count))
        call.encoder.keyEncodingStrategy = .useDefaultKeys
        #expect(try call.buildURLRequest().httpBody == Data(#"{"bookTitle":"Swift","subtitle":null}"#.utf8))
    }

    @Test func `A merge patch in a call without an encoder is encoded with a new JSONEncoder`() throws {
        let call = Call()
        call.method = .patch
        call.content = .mergePatch(["a": 1])
        #expect(try call.buildURLRequest().httpBody == Data(#"{"a":1}"#.utf8))
    }

    @Test func `A call fails with the encoding error when its patch cannot be encoded`() async {
        await #expect(throws: Failing.Failure.self) { try await ChangeRequest(.mergePatch(Failing())).value() }
        await #expect(throws: EncodingError.self) {
            try await ChangeRequest(.jsonPatch([.add("/a", .number(.infinity))])).value()
        }
    }

    @Test func `A JSON Patch is sent as an array of operations with the type json-patch+json`() throws {
        let request = try ChangeRequest(.jsonPatch([.replace("/a", 1), .move(from: "/b", to: "/c")])).buildURLRequest()
        #expect(
            request.httpBody
                == Data(#"[{"op":"replace","path":"/a","value":1},{"from":"/b","op":"move","path":"/c"}]"#.utf8)
        )
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json-patch+json")
    }

    /// RFC 7396, appendix A: original, patch, result.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `A merge patch gives the results of the examples in RFC 7396 when its sent body is applied`(
        original: String,
        patch: String,
        result: String
    ) throws {
        func value(_ text: String) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        }
        let body = try #require(ChangeRequest(.mergePatch(value(patch))).buildURLRequest().httpBody)
        let sent = try JSONDecoder().decode(JSONValue.self, from: body)
        #expect(try value(original).merging(sent) == value(result))
    }
}
