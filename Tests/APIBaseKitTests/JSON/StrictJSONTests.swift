import APIBaseKit
import APIBaseStubs
import StrictJSON
import TestTiers
import Testing

private final class TitleRequest: JSONAPI, Request {
    struct ModelType: Decodable, Equatable, Sendable {
        var bookTitle: String
    }

    override class var baseURL: URL? { URL(string: "https://books.example") }
}

private final class MarkedDecoder: JSONDecoder, @unchecked Sendable {
    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try super.decode(type, from: Data(#"{"bookTitle": "by the subclass"}"#.utf8))
    }
}

/// Which decoder reads the replies of a ``JSONAPI``.
@Suite(.limited) struct StrictJSONTests {
    /// Foundation's decoder reads the comma, the strict one does not: it tells which of them was at work.
    private let document = #"{"bookTitle": "T",}"#

    private func title(_ text: String, _ change: (TitleRequest) -> Void) async throws -> String {
        let stubs = Stubs()
        stubs.on().answer(.json(text))
        let request = TitleRequest()
        change(request)
        return try await stubs.run { try await request.value().bookTitle }
    }

    @Test func `A JSONAPI uses the strict JSON decoder by default`() {
        #expect(TitleRequest().usesStrictJSON)
    }

    @Test func `A JSONAPI with usesStrictJSON on fails with undecodable for a trailing comma`() async throws {
        await #expect { try await title(document) { $0.usesStrictJSON = true } } throws: { error in
            guard case .undecodable(let reply) = error as? RequestError else { return false }
            guard case .dataCorrupted(let context) = reply.underlying else { return false }
            return context.codingPath.isEmpty
        }
    }

    @Test func `A JSONAPI with usesStrictJSON off accepts a trailing comma`() async throws {
        let title = try await title(document) { $0.usesStrictJSON = false }
        #expect(title == "T")
    }

    @Test(arguments: [true, false])
    func `The key strategy of the API's decoder applies with and without usesStrictJSON`(isStrict: Bool) async throws {
        let title = try await title(#"{"book_title": "T"}"#) {
            $0.usesStrictJSON = isStrict
            $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        #expect(title == "T")
    }

    @Test func `A JSONAPI with usesStrictJSON on decodes JSON5 when its decoder has allowsJSON5 on`() async throws {
        let title = try await title("{bookTitle: 'T'}") {
            $0.usesStrictJSON = true
            $0.decoder.allowsJSON5 = true
        }
        #expect(title == "T")
    }

    @Test func `A JSONAPI decodes with a subclass of JSONDecoder although usesStrictJSON is on`() async throws {
        let title = try await title(#"{"bookTitle": "T"}"#) {
            $0.usesStrictJSON = true
            $0.decoder = MarkedDecoder()
        }
        #expect(title == "by the subclass")
    }

    @Test func `StrictJSONDecoder decodes values in Combine's decode(type:decoder:) operator`() async throws {
        let value = Just(Data(#"{"book_title": "T"}"#.utf8))
            .decode(type: [String: String].self, decoder: StrictJSONDecoder())
            .values
        var found: [[String: String]] = []
        for try await each in value { found.append(each) }
        #expect(found == [["book_title": "T"]])
    }
}
