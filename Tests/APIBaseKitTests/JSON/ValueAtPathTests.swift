import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

private struct Book: Decodable, Equatable, Sendable {
    var bookTitle: String
}

private class EnvelopeAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://books.example") }
}

private final class PartRequest<Part: Decodable & Sendable>: EnvelopeAPI, Request {
    let keys: [String]

    init(_ keys: [String]) {
        self.keys = keys
        super.init(.get("/part"))
    }

    func start() -> AnyPublisher<Part, any Error> { decoded(Part.self, at: keys) }
}

private final class TextRequest: EnvelopeAPI, Request {
    var place = ""

    func start() -> AnyPublisher<String, any Error> { decoded(String.self, at: place) }
}

/// An API whose bodies are in an envelope of its own.
private final class WrappedRequest: EnvelopeAPI, Request {
    private struct Wrapper<Content: Decodable>: Decodable {
        var payload: Content
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try super.decode(Wrapper<Model>.self, from: data).payload
    }

    func start() -> AnyPublisher<[Book], any Error> { decoded([Book].self, at: "items") }
}

/// Parts of a body, by each decoder.
@Suite(.limited) struct ValueAtPathTests {
    private func part<Part: Sendable>(
        _ type: Part.Type,
        at keys: [String],
        in json: String,
        isStrict: Bool,
        _ change: (JSONAPI) -> Void = { _ in }
    ) async throws -> Part where Part: Decodable {
        let stubs = Stubs()
        stubs.on().answer(.json(json))
        let request = PartRequest<Part>(keys)
        request.usesStrictJSON = isStrict
        change(request)
        return try await stubs.run { try await request.value() }
    }

    private func sentence(_ keys: [String], in json: String, isStrict: Bool) async -> String? {
        do {
            return "\(try await part(Int.self, at: keys, in: json, isStrict: isStrict))"
        } catch {
            return error.localizedDescription.components(separatedBy: "is no Int: ").last
        }
    }

    private static let both = [true, false]

    @Test(
        arguments: both,
        [
            (["a"], #"{"b": [1], "a": 7, "c": {}}"#, 7), (["a", "b", "c"], #"{"a": {"b": {"c": 7}}}"#, 7),
            (["0"], "[7]", 7), (["1", "0"], "[null, [7], 8]", 7), (["a", "2"], #"{"a": [{}, [], 7]}"#, 7),
            (["0"], #"{"0": 7}"#, 7), (["-1"], #"{"-1": 7}"#, 7), (["a.b"], #"{"a": {"b": 1}, "a.b": 7}"#, 7),
            ([""], #"{"": 7}"#, 7), (["", ""], #"{"": {"": 7}}"#, 7), (["é"], #"{"\u00e9": 7}"#, 7),
            (["a"], #"{"x": {"a": 1}, "a": 7}"#, 7), (["data", "x"], #"{"x": 1, "data": {"data": 2, "x": 7}}"#, 7),
            (["snake_case", "itemCount"], #"{"snake_case": {"itemCount": 7}}"#, 7), ([], "7", 7),
        ] as [([String], String, Int)]
    )
    func `A value at a path of keys and indices is decoded from the response body`(
        isStrict: Bool,
        row: ([String], String, Int)
    )
        async throws
    {
        #expect(try await part(Int.self, at: row.0, in: row.1, isStrict: isStrict) == row.2)
    }

    @Test(
        arguments: both,
        [
            (["a"], "{}", "expected the key “a”, found an object without it."),
            (["a", "b", "c"], #"{"a": {"b": {"x": 1}}}"#, "expected the key “c” at a.b, found an object without it."),
            (["a", "b", "c"], #"{"a": {"x": 1}}"#, "expected the key “b” at a, found an object without it."),
            (["a", "3"], #"{"a": [1, 2, 3]}"#, "expected an element 3 at a, found an array without it."),
            (["a", "9999999999999"], #"{"a": []}"#, nil), (["a", "0"], #"{"a": []}"#, nil),
            (["a", "b"], #"{"a": [1]}"#, "expected an object at a, found an array."),
            (["a", "b"], #"{"a": "text"}"#, "expected an object at a, found a string."),
            (["a", "b"], #"{"a": null}"#, "expected an object at a, found null."),
            (["a", "0"], #"{"a": 7}"#, "expected an object at a, found a number."),
            (["a", "0"], #"{"a": ["text"]}"#, "expected Int at a[0], found a string."),
            (["a"], #"{"a": null}"#, "expected Int at a, found null."),
            (["a"], "", "expected JSON, found nothing."), (["a"], "{", nil), (["a"], #"{"a": 7"#, nil),
            (["a"], String(repeating: #"{"a":"#, count: 20_000), nil),
            (["0"], String(repeating: "[", count: 20_000), nil),
        ] as [([String], String, String?)]
    )
    func `A missing value at a path fails with an error that names the expected key and place`(
        isStrict: Bool,
        row: ([String], String, String?)
    ) async throws {
        let sentence = try #require(await sentence(row.0, in: row.1, isStrict: isStrict))
        #expect(sentence.hasPrefix("expected "), "\(sentence)")
        if let words = row.2 { #expect(sentence == words) }
    }

    @Test(arguments: both)
    func `The key strategy of the decoder applies to the value at a path, not to the path`(isStrict: Bool) async throws
    {
        let json = #"{"all_books": {"newBooks": [{"book_title": "T"}]}, "allBooks": {"newBooks": 1}}"#
        let books = try await part([Book].self, at: ["all_books", "newBooks"], in: json, isStrict: isStrict) {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        #expect(books == [Book(bookTitle: "T")])
        let dates = try await part([String: Date].self, at: ["a_b"], in: #"{"a_b": {"c_d": 1}}"#, isStrict: isStrict) {
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
            $0.decoder.dateDecodingStrategy = .secondsSince1970
        }
        #expect(dates == ["c_d": Date(timeIntervalSince1970: 1)])
    }

    @Test(arguments: both)
    func `A decoding error in the value at a path has the whole path from the root`(isStrict: Bool) async throws {
        await #expect {
            try await part(
                [Book].self,
                at: ["data", "items"],
                in: #"{"data": {"items": [{"bookTitle": 7}]}}"#,
                isStrict: isStrict
            )
        } throws: { error in
            guard case .undecodable(let reply) = error as? RequestError else { return false }
            return reply.place == "data.items[0].bookTitle" && reply.type == "Array<Book>"
        }
    }

    @Test(arguments: both)
    func `An optional value at a path is nil when the member is null, but a missing key fails`(isStrict: Bool)
        async throws
    {
        #expect(try await part(Book?.self, at: ["a"], in: #"{"a": null}"#, isStrict: isStrict) == nil)
        #expect(try await part(Book?.self, at: ["0"], in: "[null]", isStrict: isStrict) == nil)
        #expect(try await part(Book?.self, at: ["a"], in: "", isStrict: isStrict) == nil)
        await #expect(throws: RequestError.self) {
            try await part(Book?.self, at: ["a"], in: "{}", isStrict: isStrict)
        }
    }

    /// A number that fits no type would be an error if it were read. Foundation's decoder reads all numbers.
    @Test func `StrictJSONDecoder decodes the value at a path although numbers elsewhere are too large`() async throws {
        let json = #"{"a": {"title": 7, "x": 1e999}, "b": [1e999, {"bookTitle": "T"}, 1e999]}"#
        #expect(try await part(Book.self, at: ["b", "1"], in: json, isStrict: true) == Book(bookTitle: "T"))
    }

    @Test(arguments: both)
    func `A value after 50,000 other elements of a JSON array is found by its path`(isStrict: Bool) async throws {
        let json = "{\"a\": [" + String(repeating: "[null, 1],", count: 50_000) + "7]}"
        #expect(try await part(Int.self, at: ["a", "50000"], in: json, isStrict: isStrict) == 7)
    }

    @Test(arguments: both) func `A value at a path of 40 keys and indices is decoded`(isStrict: Bool) async throws {
        let json = String(repeating: #"{"a": ["#, count: 20) + "7" + String(repeating: "]}", count: 20)
        let keys = (0..<20).flatMap { _ in ["a", "0"] }
        #expect(try await part(Int.self, at: keys, in: json, isStrict: isStrict) == 7)
    }

    @Test(arguments: both, [("a.b", "1"), ("a..c", "2"), ("a.1", "3")])
    func `The string path to a value in a response body is split into keys at its dots`(
        isStrict: Bool,
        row: (String, String)
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.json(#"{"a": {"b": "1", "": {"c": "2"}, "1": "3"}}"#))
        let request = TextRequest(.get("/"))
        request.place = row.0
        request.usesStrictJSON = isStrict
        #expect(try await stubs.run { try await request.value() } == row.1)
    }

    @Test(arguments: both)
    func `An empty string path leads to the whole response body, not to a member with an empty name`(isStrict: Bool)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .json(#""text""#), .json(#"{"": "text"}"#))
        let request = TextRequest(.get("/"))
        request.usesStrictJSON = isStrict
        try await stubs.run {
            let text = try await request.value()
            #expect(text == "text")
            await #expect {
                try await request.value()
            } throws: { error in
                guard case .undecodable(let reply) = error as? RequestError else { return false }
                return reply.place.isEmpty && reply.type == "String"
            }
        }
    }

    @Test(arguments: both)
    func `The path to a value begins inside the envelope that an override of decode(_:from:) removes`(isStrict: Bool)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.json(#"{"items": 1, "payload": {"items": [{"bookTitle": "T"}]}}"#))
        let request = WrappedRequest(.get("/"))
        request.usesStrictJSON = isStrict
        #expect(try await stubs.run { try await request.value() } == [Book(bookTitle: "T")])
    }
}
