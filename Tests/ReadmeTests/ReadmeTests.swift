import APIBaseKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The blocks of a text between a line that begins one and a line that ends it.
    private func blocks(of text: String, from begin: (Substring) -> Bool, to end: Substring) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if block == nil {
                if begin(line) { block = [] }
            } else if line == end {
                blocks.append((block ?? []).joined(separator: "\n"))
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    @Test func everySampleIsCompiledAsItStands() throws {
        let readme = blocks(of: try text("../../README.md"), from: { $0 == "```swift" }, to: "```")
            .map { $0.replacingOccurrences(of: "import APIBaseKit\n\n", with: "") }
        let compiled = blocks(of: try text("Samples.swift"), from: { $0.hasPrefix("// sample ") }, to: "// end")
        #expect(readme == compiled)
        #expect(readme.count == 12)
    }

    @Test func theReadmeNamesTheCommands() throws {
        let readme = try text("../../README.md")
        #expect(readme.contains("$ swift run apibase\n"))
        #expect(readme.contains("$ swift test\n"))
        #expect(!readme.contains("@@"))
    }

    @Test func theStubAnswers() async throws {
        let (book, request) = try await stub()
        #expect(book.title == "Swift")
        #expect(request.request?.url?.absoluteString == "https://books.example/v2/books/7")
    }

    @Test func theCallsThatSendSomethingDoSo() async throws {
        let create = CreateBookRequest(Book(id: 7, title: "Swift"))
        create.dataTaskPublisher = create.stubJSONResponse(
            statusCode: 201,
            data: Data(#"{"id": 7, "title": "Swift"}"#.utf8)
        )
        #expect(try await create.value().id == 7)
        #expect(create.request?.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let delete = DeleteBookRequest(id: 7)
        delete.dataTaskPublisher = delete.stubResponse(statusCode: 204, data: Data())
        try await delete.value()
        #expect(delete.request?.httpMethod == "DELETE")
        #expect(observe().0.uploadProgress == (0, 0))
    }

    @Test func theAPIsOwnErrorComesOut() async throws {
        final class Call: StrictAPI, Request {
            func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }
        }
        let call = Call()
        call.dataTaskPublisher = call.stubJSONResponse(statusCode: 409, data: Data(#"{"reason": "no"}"#.utf8))
        await #expect(throws: Problem(reason: "no")) { try await call.value() }
    }

    @Test func theSamplesArePublishersOfWhatTheySay() {
        // Made, not subscribed to: their hosts are elsewhere.
        _ = (oneAfterAnother(), todoChain(), appNames(), photos())
    }
}
