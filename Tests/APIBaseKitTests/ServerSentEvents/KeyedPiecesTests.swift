import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Values whose JSON comes in pieces, as of the tool calls in a stream.
@Suite(.limited) struct KeyedPiecesTests {
    /// What the event of a stream says of a value.
    enum Step: Sendable {
        case begin(Int, String)
        case piece(String, Int)
    }

    struct Place: Decodable, Equatable {
        var city: String
        var days: Int?
    }

    private static func collected(_ steps: [Step], limit: Int = 1 << 24) throws -> KeyedPieces<Int, String> {
        var pieces = KeyedPieces<Int, String>(limit: limit)
        for step in steps {
            switch step {
            case .begin(let key, let head): try pieces.begin(key, head)
            case .piece(let text, let key): try pieces.append(text, to: key)
            }
        }
        return pieces
    }

    // MARK: Streams

    /// The pieces of calls in the deltas of a choice, each with its index; the first of a call has its name.
    private final class DeltaRequest: JSONAPI, EventRequest {
        struct EventType: Decodable, Sendable {
            struct Choice: Decodable, Sendable { let delta: Delta }
            struct Delta: Decodable, Sendable { let tool_calls: [Piece]? }
            struct Function: Decodable, Sendable { let name: String?, arguments: String? }
            struct Piece: Decodable, Sendable {
                let index: Int
                let function: Function
            }
            let choices: [Choice]
        }

        let endMark: String? = "[DONE]"
        override init() { super.init(.post("http://api.example/chat")) }
    }

    /// Events that begin a block, add to it, and end it, by its index. Blocks of text are among them.
    private final class BlockRequest: JSONAPI, EventRequest {
        struct EventType: Decodable, Sendable {
            struct Block: Decodable, Sendable { let name: String? }
            struct Delta: Decodable, Sendable { let partial_json: String? }
            let type: String
            let index: Int
            let content_block: Block?
            let delta: Delta?
        }

        override init() { super.init(.post("http://api.example/messages")) }
    }

    /// The events of a stream, and the calls in them.
    struct Dialect: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [String]
        let calls: [String]
    }

    private static func delta(_ pieces: String) -> String { #"{"choices": [{"delta": {"tool_calls": [\#(pieces)]}}]}"# }

    static let deltas = [
        Dialect(
            testDescription: "one call in three pieces",
            events: [
                delta(#"{"index": 0, "id": "call_1", "function": {"name": "weather", "arguments": ""}}"#),
                delta(#"{"index": 0, "function": {"arguments": "{\"city\": \"Par"}}"#),
                delta(#"{"index": 0, "function": {"arguments": "is\"}"}}"#), #"{"choices": [{"delta": {}}]}"#,
            ],
            calls: [#"weather {"city":"Paris"}"#]
        ),
        Dialect(
            testDescription: "two calls whose pieces come in turn, one of them in the same event as another",
            events: [
                delta(#"{"index": 1, "function": {"name": "time", "arguments": "{\"zo"}}"#),
                delta(#"{"index": 0, "function": {"name": "weather", "arguments": "{\"city\":"}}"#),
                delta(
                    #"{"index": 1, "function": {"arguments": "ne\":1}"}}, "#
                        + #"{"index": 0, "function": {"arguments": "null}"}}"#
                ),
            ],
            calls: [#"time {"zone":1}"#, #"weather {"city":null}"#]
        ),
        Dialect(
            testDescription: "a name in each piece",
            events: [
                delta(#"{"index": 0, "function": {"name": "weather", "arguments": "{"}}"#),
                delta(#"{"index": 0, "function": {"name": "weather", "arguments": "}"}}"#),
            ],
            calls: ["weather {}"]
        ),
        Dialect(
            testDescription: "no arguments",
            events: [delta(#"{"index": 7, "function": {"name": "now"}}"#)],
            calls: ["now {}"]
        ),
        Dialect(testDescription: "no calls", events: [#"{"choices": [{"delta": {}}]}"#], calls: []),
    ]

    @Test(arguments: deltas)
    func `The pieces of calls in deltas are joined by their index`(dialect: Dialect) async throws {
        let stubs = Stubs()
        stubs.on().answer(.events((dialect.events + ["[DONE]"]).map { ServerSentEvent(data: $0) }))
        var calls = KeyedPieces<Int, String>()
        let request = DeltaRequest()
        request.session = stubs
        for try await event in request.eachValue() {
            for piece in event.choices.first?.delta.tool_calls ?? [] {
                if let name = piece.function.name { try calls.begin(piece.index, name) }
                try calls.append(piece.function.arguments ?? "", to: piece.index)
            }
        }
        #expect(try calls.values.map { "\($0.head) \(try $0.decode(JSONValue.self))" } == dialect.calls)
    }

    private static func begin(_ index: Int, _ block: String) -> String {
        #"{"type": "content_block_start", "index": \#(index), "content_block": \#(block)}"#
    }
    private static func piece(_ index: Int, _ text: String) -> String {
        let text = JSONValue.string(text)
        return #"{"type": "content_block_delta", "index": \#(index), "delta": {"partial_json": \#(text)}}"#
    }
    private static func end(_ index: Int) -> String { #"{"type": "content_block_stop", "index": \#(index)}"# }

    static let blocks = [
        Dialect(
            testDescription: "a text, and then a call",
            events: [
                begin(0, #"{"type": "text", "text": ""}"#),
                #"{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Well"}}"#,
                end(0), begin(1, #"{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}"#),
                piece(1, ""), piece(1, #"{"city": "S\u00"#), piece(1, #"e3o Paulo", "#), piece(1, #""days": 2}"#),
                end(1),
            ],
            calls: [#"weather {"city":"São Paulo","days":2}"#]
        ),
        Dialect(
            testDescription: "two calls, of which one has no input",
            events: [
                begin(0, #"{"name": "now"}"#), piece(0, ""), end(0), begin(1, #"{"name": "echo"}"#), piece(1, #""🇫"#),
                piece(1, #"🇷""#), end(1),
            ],
            calls: ["now {}", #"echo "🇫🇷""#]
        ),
    ]

    @Test(arguments: blocks)
    func `The pieces of blocks are joined by their index, and are there at the end of the block`(dialect: Dialect)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.events(dialect.events.map { ServerSentEvent(data: $0) }))
        var calls = KeyedPieces<Int, String>()
        var texts: [String] = []
        let request = BlockRequest()
        request.session = stubs
        for try await event in request.eachValue() {
            if let name = event.content_block?.name { try calls.begin(event.index, name) }
            if let piece = event.delta?.partial_json { try calls.append(piece, to: event.index) }
            if event.type == "content_block_stop", let call = calls[event.index] {
                texts.append("\(call.head) \(try call.decode(JSONValue.self))")
            }
        }
        #expect(texts == dialect.calls)
    }

    // MARK: Values

    @Test func `A value is there as far as its pieces have come`() throws {
        let pieces = try Self.collected([
            .begin(3, "weather"), .piece(#"{"city""#, 3), .begin(1, "time"), .piece(#": "Paris"}"#, 3),
        ])
        #expect(pieces.values.map(\.key) == [3, 1] && pieces[1]?.text == "" && pieces[2] == nil)
        #expect(pieces[3]?.text == #"{"city": "Paris"}"#)
        #expect(try pieces[3]?.decode() == Place(city: "Paris"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let snake = try Self.collected([.begin(0, ""), .piece(#"{"a_b": 1}"#, 0)])
        #expect(try snake.values[0].decode([String: Int].self, decoder: decoder).count == 1)
        struct Snake: Decodable { var aB: Int }
        #expect(try snake.values[0].decode(Snake.self, decoder: decoder).aB == 1)
    }

    // MARK: Errors

    /// The text of a value, and the end of the sentence about it.
    @Test(arguments: [
        (#"{"city": "a"#, "expected JSON, found JSON that cannot be read."),
        ("[1}", "expected JSON, found JSON that cannot be read."),
        ("is}", "expected JSON, found text that is no JSON."),
        ("\u{0}", "expected JSON, found bytes that are no text."),
        (#"{"days": 1}"#, "expected the key “city”, found an object without it."),
        ("", "expected the key “city”, found an object without it."),
        (#"{"city": 7}"#, "expected String at city, found a number."),
        (#"{"city": "a", "days": "secret"}"#, "expected Int at days, found a string."),
    ])
    func `A value whose text is broken or of another type fails with its number and the place, and shows no text`(
        text: String,
        end: String
    ) throws {
        let pieces = try Self.collected([.begin(5, "first"), .begin(4, "second"), .piece(text, 4)])
        let error = #expect(throws: PiecesError.self) { try pieces[4]?.decode(Place.self) }
        #expect(error?.localizedDescription == "Value 2 of the stream is no Place: \(end)")
        #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("secret"))
        guard case .undecodable(let undecodable)? = error else { return #expect(Bool(false)) }
        #expect(String(decoding: undecodable.line, as: UTF8.self) == (text.isEmpty ? "{}" : text))
    }

    @Test(
        arguments: [
            ([.piece("{}", 1)], .notBegun(key: "1")), ([.begin(0, "a"), .piece("{}", 1)], .notBegun(key: "1")),
            ([.begin(0, "a"), .begin(0, "b")], .begunTwice(key: "0")), ([.begin(0, "a"), .begin(0, "a")], nil),
        ] as [([Step], PiecesError?)]
    )
    func `A piece of a value that has not begun, and a second beginning with another head, are refused`(
        steps: [Step],
        error: PiecesError?
    ) throws {
        if let error {
            #expect(throws: error) { try Self.collected(steps) }
        } else {
            #expect(try Self.collected(steps).values.count == 1)
        }
    }

    @Test func `Errors about a key show its beginning without control characters`() {
        var pieces = KeyedPieces<String, Int>()
        let error = #expect(throws: PiecesError.self) {
            try pieces.append("", to: "a\u{1B}[31m\n" + String(repeating: "x", count: 1_000))
        }
        let text = error?.localizedDescription ?? ""
        #expect(text.hasPrefix("There is a piece of the value a") && text.count < 100 && !text.contains("\u{1B}"))
        #expect(PiecesError.begunTwice(key: "7").localizedDescription == "The value 7 has begun twice, with two heads.")
    }

    @Test func `Texts and beginnings beyond the limit are refused, and what has come before stays`() throws {
        var pieces = try Self.collected([.begin(0, "a"), .piece("123", 0)], limit: 1_030)
        let error = PiecesError.tooLong(limit: 1_030)
        #expect(throws: error) { try pieces.append("4567", to: 0) }
        #expect(throws: error) { try pieces.begin(1, "b") }
        try pieces.begin(0, "a")
        try pieces.append("456", to: 0)
        #expect(throws: error) { try pieces.append("7", to: 0) }
        #expect(pieces.values.map(\.text) == ["123456"] && pieces[1] == nil)
        #expect(error.localizedDescription == "The values in pieces have more than 1030 bytes.")
    }

    @Test func `By default the texts may have 16 MiB`() throws {
        let whole = String(repeating: "x", count: 1 << 24 - 1_024)
        #expect(throws: PiecesError.tooLong(limit: 1 << 24)) {
            try Self.collected([.begin(0, ""), .piece(whole, 0), .piece("x", 0)])
        }
    }
}
