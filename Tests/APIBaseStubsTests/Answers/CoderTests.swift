import APIBaseStubs
import Foundation
import TestTiers
import Testing

/// Answers are encoded and requests are decoded with the coders of the request object's API.
@Suite(.limited) struct CoderTests {
    private struct Book: Codable, Equatable {
        var pageCount = 7
        var printedAt = Date(timeIntervalSince1970: 1_000)
    }

    private class SnakeAPI: JSONAPI {
        override class var baseURL: URL? { URL(string: "https://api.example") }

        override func configure() {
            super.configure()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.dateEncodingStrategy = .iso8601
        }
    }

    private final class Send: SnakeAPI, Request {
        typealias ModelType = Book
        init(_ book: Book = Book()) { super.init(.post("/books", json: book)) }
    }

    private final class List: SnakeAPI, LinkPagedRequest {
        typealias ModelType = [Book]
        override init() { super.init(.get("/list")) }
    }

    private static let text = #"{"page_count":7,"printed_at":"1970-01-01T00:16:40Z"}"#

    @Test
    func `Stubs encode answers and compare bodies with the JSON encoder and decoder of the request's class`()
        async throws
    {
        let stubs = Stubs()
        let send = stubs.on(Send.self, body: .json(Book())).answer(.json(Book(pageCount: 8)).delayed(by: .seconds(1)))
        stubs.on(List.self).answer(.pages([[Book()], [Book(pageCount: 9)]]))
        try await stubs.run {
            #expect(try await Send().value() == Book(pageCount: 8))
            var pages: [[Book]] = []
            for try await page in List().pages().values { pages.append(page) }
            #expect(pages == [[Book()], [Book(pageCount: 9)]])
        }
        let call = try #require(send.calls.first)
        #expect(String(decoding: call.body, as: UTF8.self) == Self.text)
        #expect(try call.json(Book.self) == Book())
        #expect(throws: DecodingError.self) { try call.json(Book.self, decoder: JSONDecoder()) }
    }

    @Test func `A stub's JSON answer uses the JSON encoder that is passed to the stub`() async throws {
        struct Plain: Codable, Equatable { var page_count = 7 }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let stubs = Stubs()
        stubs.on(body: .json(Plain(), encoder: encoder)).optional().answer(.status(500))
        stubs.on().answer(.json(Plain(), encoder: encoder))
        let call = Call(.post)
        call.session = stubs
        #expect(await call.outcome() == .success("{\n  \"page_count\" : 7\n}"))
    }

    /// A call that is no `JSONAPI` has no coders.
    @Test func `A stub's JSON answer uses a default JSON encoder when the request is not a JSONAPI`() async throws {
        let stubs = Stubs()
        let stub = stubs.on().answer(.json(["pageCount": 7]))
        let call = Call(.post)
        call.body = Data(#"{"pageCount":8}"#.utf8)
        call.session = stubs
        #expect(await call.outcome() == .success(#"{"pageCount":7}"#))
        #expect(try stub.calls.first?.json([String: Int].self) == ["pageCount": 8])
    }

    /// A value that is not `Sendable` is encoded when the answer is made.
    @Test func `A stub encodes an object that is not Sendable at once, so that later changes have no effect`() async {
        final class Counter: Encodable {
            var count = 1
        }
        let (stubs, counter) = (Stubs(), Counter())
        stubs.on().answer(.json(counter))
        counter.count = 2
        let call = Call()
        call.session = stubs
        #expect(await call.outcome() == .success(#"{"count":1}"#))
    }

    @Test func `A call throws EncodingError when its stubbed value cannot be encoded`() async {
        let stubs = Stubs()
        stubs.on().answer(.json([Double.nan]))
        let call = Call()
        call.session = stubs
        await #expect(throws: EncodingError.self) { try await call.value() }
    }
}
