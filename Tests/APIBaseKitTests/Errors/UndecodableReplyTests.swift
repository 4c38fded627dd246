import APIBaseKit
import Testing

private struct Page: Decodable {
    struct Item: Decodable {
        struct Author: Decodable { var firstName: String }
        enum Kind: String, Decodable { case book, film }

        var id: Int
        var title: String
        var isNew: Bool?
        var author: Author?
        var kind: Kind?
        var tags: [String]?
        var picture: Data?
        var released: Date?
        var price: Double?
        var more: JSONValue?
    }

    var items: [Item]
}

private final class PageRequest: JSONAPI, Request {
    typealias ModelType = Page
}

@Suite struct UndecodableReplyTests {
    private func undecodable(_ text: String, isStrict: Bool = true) async throws -> UndecodableReply {
        try await undecodable(Data(text.utf8), isStrict: isStrict)
    }

    private func undecodable(_ data: Data, isStrict: Bool = true) async throws -> UndecodableReply {
        let request = PageRequest()
        request.usesStrictJSON = isStrict
        request.baseURL = URL(string: "https://api.example/pages?token=canary")
        request.decoder.keyDecodingStrategy = .convertFromSnakeCase
        request.decoder.dateDecodingStrategy = .iso8601
        request.dataTaskPublisher = request.stubJSONResponse(statusCode: 201, data: data)
        let error = await #expect(throws: RequestError.self) { try await request.value() }
        guard case .undecodable(let undecodable)? = error else { throw error ?? .noValue }
        return undecodable
    }

    @Test(arguments: [
        // A key that is not there.
        (#"{}"#, "", "the key “items”", "an object without it"),
        (#"{"items": [{"id": 1, "title": "a"}, {"id": 2}]}"#, "items[1]", "the key “title”", "an object without it"),
        // Another type.
        (#"[]"#, "", "an object", "an array"), (#"{"items": {}}"#, "items", "an array", "an object"),
        (#"{"items": [{"id": "canary", "title": ""}]}"#, "items[0].id", "Int", "a string"),
        (#"{"items": [{"id": 1, "title": 4711}]}"#, "items[0].title", "String", "a number"),
        (#"{"items": [{"id": true, "title": ""}]}"#, "items[0].id", "Int", "a Boolean"),
        (#"{"items": [{"id": 1, "title": "", "is_new": "canary"}]}"#, "items[0].isNew", "Bool", "a string"),
        (#"{"items": [{"id": 1, "title": "", "tags": ["a", 2]}]}"#, "items[0].tags[1]", "String", "a number"),
        // Null.
        (#"{"items": [{"id": null, "title": ""}]}"#, "items[0].id", "Int", "null"), ("null", "", "an object", "null"),
        // A value that the type does not have, and a number that does not fit.
        (
            #"{"items": [{"id": 1, "title": "", "kind": "canary"}]}"#, "items[0].kind", "a value that the type allows",
            "a string"
        ),
        (#"{"items": [{"id": 1.5, "title": ""}]}"#, "items[0].id", "Int", "a number that does not fit"),
        (#"{"items": [{"id": 1e999, "title": ""}]}"#, "items[0].id", "Int", "a number that does not fit"),
        (
            #"{"items": [{"id": 1, "title": "", "price": 1e999}]}"#, "items[0].price", "Double",
            "a number that does not fit"
        ),
        // Names that Swift takes for the same.
        (
            "{\"items\": [{\"id\": 1, \"title\": \"\", \"more\": {\"\u{E9}\": 1, \"e\u{301}\": 2}}]}",
            "items[0].more.e\u{301}", "one member", "two, whose names differ in their code points only"
        ),
        (
            #"{"items": [{"id": 1, "title": "", "picture": "canary!"}]}"#, "items[0].picture",
            "a value that the type allows", "a string"
        ),
        (
            #"{"items": [{"id": 1, "title": "", "author": {"first_name": 1}}]}"#, "items[0].author.firstName", "String",
            "a number"
        ),
        (
            #"{"items": [{"id": 1, "title": "", "released": "canary"}]}"#, "items[0].released",
            "a value that the type allows", "a string"
        ),
        // No JSON.
        (#"{"items": [{"id": 1, "ti"#, "", "JSON", "JSON that cannot be read (unexpected end at byte 24)"),
        (#"{"items": [],}"#, "", "JSON", "JSON that cannot be read (unexpected character at byte 13)"),
        (#"{"items": "canary\q"}"#, "", "JSON", "JSON that cannot be read (unknown escape at byte 17)"),
        ("", "", "JSON", "nothing"),
        ("<!DOCTYPE html><p>canary", "", "JSON", "HTML or XML"), (" \n<html>", "", "JSON", "HTML or XML"),
        ("canary", "", "JSON", "text that is no JSON"), ("\n ", "", "JSON", "white space"),
        ("\u{FEFF}canary", "", "JSON", "text that is no JSON"),
        ("\u{1}\u{2}\u{3}canary", "", "JSON", "bytes that are no text"),
    ])
    func `The decoding error of a response names the place, the expected type and the type found`(
        text: String,
        place: String,
        expected: String,
        found: String
    ) async throws {
        let error = try await undecodable(text)
        #expect(error.place == place)
        #expect(error.expected == expected)
        #expect(error.found == found)
        #expect(error.type == "Page")
        #expect(!"\(error.underlying)".isEmpty)
        #expect(error.reply.statusCode == 201)
        #expect(error.reply.body == Data(text.utf8))
        #expect(error.reply.url?.absoluteString == "https://api.example/pages?token=redacted")
        for text in ["\(error)", String(reflecting: error), RequestError.undecodable(error).localizedDescription] {
            #expect(!text.contains("canary"))
            #expect(text.contains(found))
        }
    }

    @Test(
        arguments: [[0x01, 0x02, 0x03, 0xFF, 0xFE], [0x89, 0x50, 0x4E, 0x47], [0x1F, 0x8B, 0x08], [0x63, 0xE9]]
            as [[UInt8]]
    )
    func `A response of bytes that are no text is not called a text`(bytes: [UInt8]) async throws {
        let error = try await undecodable(Data(bytes))
        #expect("\(error)".hasSuffix("is no Page: expected JSON, found bytes that are no text in UTF-8."))
    }

    /// Foundation's decoder does not say where some values are.
    @Test(arguments: [
        (#"{"items": [{"id": 1.5, "title": ""}]}"#, ""),
        (#"{"items": [{"id": 1, "title": "", "released": "canary"}]}"#, "items[0]"),
    ])
    func `Without usesStrictJSON, a decoding error names only the place that JSONDecoder reports`(
        text: String,
        place: String
    ) async throws {
        let error = try await undecodable(text, isStrict: false)
        #expect(error.place == place)
        #expect(error.expected == "a value that the type allows")
        #expect(error.found == "one that it does not")
    }

    @Test
    func `The description of a decoding error is one sentence with the place, expected type and type found`()
        async throws
    {
        let error = try await undecodable(#"{"items": [{"id": "seven", "title": ""}]}"#)
        #expect(
            RequestError.undecodable(error).localizedDescription
                == "The response from https://api.example/pages?token=redacted with status 201 is no Page: "
                + "expected Int at items[0].id, found a string."
        )
    }

    /// To read JSON takes many times its size, so what is large is not looked at.
    @Test
    func `The decoding error of a JSON response of 1.8 MB names no place, as the response is too large`() async throws {
        let text = "[" + Array(repeating: #"{"a": 1}"#, count: 200_000).joined(separator: ",") + "]"
        let error = try await undecodable(text)
        #expect(error.place == "")
        #expect(error.found == "a value of another type")
    }

    @Test func `An error that an override of decode(_:from:) throws is thrown unchanged`() async {
        struct Own: Error {}
        final class Leaf: JSONAPI, Request {
            typealias ModelType = Page
            override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model { throw Own() }
        }
        let leaf = Leaf()
        leaf.baseURL = URL(string: "https://api.example")
        leaf.dataTaskPublisher = leaf.stubJSONResponse(statusCode: 200, data: Data("{}".utf8))
        await #expect(throws: Own.self) { try await leaf.value() }
    }
}
