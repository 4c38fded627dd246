// swift-format-ignore-file
// The samples of the article on streams, files and pages, in its order.

import APIBaseTesting
import Testing

struct LogEntry: Decodable {
    var text: String
}

final class LogRequest: JSONAPI {}
final class PricesRequest: JSONAPI {}
final class FilmRequest: JSONAPI {}

// sample x
func entries(of log: LogRequest) async throws {
    for try await entry in log.eachValue(of: LogEntry.self) {
        print(entry.text)
    }
}
// end

// sample x
func listen(to prices: PricesRequest) async throws {
    for try await event in prices.eachEvent() where event.type == "price" {
        print(event.data)
    }
}
// end

// sample x
nonisolated struct ChatMessage: Codable, Sendable {
    var role: String
    var content: String
}

nonisolated struct Chat: Encodable {
    var messages: [ChatMessage]
    var stream = true               // most servers send events only if asked to
}

nonisolated struct ChatDelta: Decodable, Sendable {
    struct Choice: Decodable, Sendable {
        struct Delta: Decodable, Sendable { let content: String? }
        let delta: Delta
    }
    let choices: [Choice]
}

class ChatAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://models.example/v1") }

    override func configure() {
        super.configure()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        (retry, idempotencyKey) = (.standard, .automatic)
    }
}

final class ChatRequest: ChatAPI, EventRequest {
    typealias EventType = ChatDelta
    let endMark = "[DONE]"
    init(_ messages: [ChatMessage]) {
        super.init(.post("/chat/completions", json: Chat(messages: messages)))
    }
}

func answer(_ question: String) async throws {
    let request = ChatRequest([ChatMessage(role: "user", content: question)])
    for try await delta in request.eachValue() {
        print(delta.choices.first?.delta.content ?? "", terminator: "")
    }
    print()
}
// end

// sample x
final class MessageRequest: ChatAPI, EventRequest {
    struct EventType: Decodable, Sendable {
        struct Delta: Decodable, Sendable { let text: String?, partialJson: String? }
        let delta: Delta
    }

    init(_ messages: [ChatMessage]) { super.init(.post("/messages", json: Chat(messages: messages))) }

    func decode(_ event: ServerSentEvent) throws -> EventType? {
        event.type == "content_block_delta" ? try decode(EventType.self, from: Data(event.data.utf8)) : nil
    }
}
// end

// sample x
@Test(.stubs { stubs in
    stubs.on(.post, "/chat/completions").answer(.events([
        ServerSentEvent(data: #"{"choices": [{"delta": {"content": "Good "}}]}"#),
        ServerSentEvent(data: #"{"choices": [{"delta": {"content": "day"}}]}"#),
        ServerSentEvent(data: "[DONE]"),
    ], every: .milliseconds(50)))
})
func `The pieces of a streamed chat answer, joined up to the end mark, are the whole text`() async throws {
    var text = ""
    for try await delta in ChatRequest([]).eachValue() { text += delta.choices[0].delta.content ?? "" }
    #expect(text == "Good day")
}
// end

// sample x
final class ToolRequest: ChatAPI, EventRequest {
    struct EventType: Decodable, Sendable {
        struct Choice: Decodable, Sendable { let delta: Delta }
        struct Delta: Decodable, Sendable { let toolCalls: [Piece]? }
        struct Piece: Decodable, Sendable { let index: Int, function: Function? }
        struct Function: Decodable, Sendable { let name, arguments: String? }
        let choices: [Choice]
    }

    let endMark = "[DONE]"
    init(_ messages: [ChatMessage]) { super.init(.post("/chat/completions", json: Chat(messages: messages))) }
}

struct Forecast: Decodable { var city: String }

func forecasts(_ request: ToolRequest) async throws -> [Forecast] {
    var calls = KeyedPieces<Int, String>()
    for try await event in request.eachValue() {
        for piece in event.choices.first?.delta.toolCalls ?? [] {
            if let name = piece.function?.name { try calls.begin(piece.index, name) }
            try calls.append(piece.function?.arguments ?? "", to: piece.index)
        }
    }
    return try calls.values.filter { $0.head == "forecast" }.map { try $0.decode() }
}
// end

@Test(.stubs { stubs in
    let events = [#""name": "forecast", "arguments": "{\"ci""#, #""arguments": "ty\": \"Rome\"}""#].map {
        ServerSentEvent(data: #"{"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {\#($0)}}]}}]}"#)
    }
    stubs.on(.post, "/chat/completions").answer(.events(events + [ServerSentEvent(data: "[DONE]")]))
})
func `The sample of tool calls reads a call in pieces`() async throws {
    #expect(try await forecasts(ToolRequest([])).map(\.city) == ["Rome"])
}

// sample x
func fetch(_ film: FilmRequest, to file: URL) async throws {
    film.retry = .standard
    let finished = try await film.downloaded(to: file)
    print("\(finished.lastPathComponent) is there")
}
// end

final class PhotoUploadRequest: BooksAPI, Request {
    typealias ModelType = URL
    init(_ file: URL) { super.init(.post("/photos", content: .file(file, type: "image/jpeg"))) }
}

// sample x
func upload(_ photo: URL) async throws {
    for try await step in PhotoUploadRequest(photo).eachProgress() {
        switch step {
        case .sent(let bytes, let all): print("\(bytes) of \(all) bytes")
        case .received: break
        case .value(let url): print("The photo is at \(url).")
        }
    }
}
// end

// sample x
final class BooksRequest: BooksAPI, LinkPagedRequest {
    typealias ModelType = [Book]
    override init() { super.init(.get("/books")) }
}

func titles() async throws -> [String] {
    var titles: [String] = []
    for try await book in BooksRequest().eachElement() { titles.append(book.title) }
    return titles
}
// end

// sample x
class ShelvesAPI: JSONAPI, PagedAPI {
    override class var baseURL: URL? { URL(string: "https://shelves.example") }
    static func shelves() -> APICall<[String]> { ShelvesAPI(.get("/shelves")).call() }
}

func names() async throws -> [String] {
    var names: [String] = []
    for try await name in ShelvesAPI.shelves().eachElement() { names.append(name) }
    return names
}
// end

// sample x
final class MessagesRequest: BooksAPI, PagedRequest {
    struct ModelType: Decodable {
        var texts: [String]
        var cursor: String?
    }

    override init() { super.init(.get("/messages")) }

    func nextPage(after page: ModelType, _ response: HTTPURLResponse) -> NextPage? {
        page.cursor.map { .query(["cursor": $0]) }
    }
}
// end

// sample x
@Test(.stubs { stubs in
    stubs.on(.get, "/messages", query: ["cursor": "x"]).answer(.json(#"{"texts": ["b"]}"#))
    stubs.on(.get, "/messages").answer(.json(#"{"texts": ["a"], "cursor": "x"}"#))
})
func `All pages of messages arrive, each by the cursor of the page before`() async throws {
    var texts: [[String]] = []
    for try await page in MessagesRequest().eachPage() { texts.append(page.texts) }
    #expect(texts == [["a"], ["b"]])
}
// end

final class PictureRequest: BooksAPI, Request {
    typealias ModelType = Data
    init(of book: Book) { super.init(.get("/books/\(segment: book.id)/picture")) }
}

// sample x
func covers(of books: BooksRequest) async throws -> [Data] {
    var covers: [Data] = []
    let all = books.eachElement().concurrentMap(atMost: 8) { try await PictureRequest(of: $0).value() }
    for try await cover in all { covers.append(cover) }
    return covers
}
// end
