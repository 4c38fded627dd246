import APIBaseKit
import LoopbackServer
import StrictJSON
import TestTiers
import Testing

/// Bodies that are read by an operator, which does not know their call, from a server that repeats the token.
@Suite(.limited) struct HandReadSecretTests {
    private static let token = "An+ordinary/piece=12345678"

    private final class Leaf: JSONAPI, Request {
        typealias ModelType = Void
        override func configure() { authorization = .bearer(token) }
    }

    /// A value under a key that the server chooses.
    private struct Chosen: Decodable {
        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            let type = try members.decode(String.self, forKey: Key(stringValue: "type"))
            _ = try members.decode(Int.self, forKey: Key(stringValue: type))
        }
    }

    private struct Item: Decodable {
        var values: [String: [Int]]
        var count: Int
    }

    typealias Bytes = AnyPublisher<Data, any Error>

    /// A body, an operator that fails with it, and a part of its error.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let words: String
        let read: @Sendable (Bytes) -> AnyPublisher<Void, any Error>

        init<Value>(
            _ name: String,
            of body: String,
            words: String,
            by read: @escaping @Sendable (Bytes) -> AnyPublisher<Value, any Error>
        ) {
            (testDescription, self.body, self.words) = (name, body, words)
            self.read = { read($0).map { _ in }.eraseToAnyPublisher() }
        }
    }

    static let readers = [
        Reader("key of a dictionary", of: #"{"\#(token)":"x"}"#, words: "Int at …, found a string") {
            $0.jsonLines(of: [String: Int].self)
        },
        Reader("key, strictly", of: #"{"\#(token)":"x"}"#, words: "Int at …, found a string") {
            $0.jsonLines(of: [String: Int].self, decoder: StrictJSONDecoder())
        },
        Reader("key in a member", of: #"{"values":{"\#(token)":[1,"x"]}}"#, words: "Int at values.…[1], found a string")
        {
            $0.jsonLines(of: Item.self)
        },
        Reader("chosen key", of: #"{"type":"\#(token)"}"#, words: "the key “…”, found an object without it") {
            $0.jsonLines(of: Chosen.self)
        },
        Reader("chosen key, strictly", of: #"{"type":"\#(token)"}"#, words: "the key “…”, found an object without it") {
            $0.jsonLines(of: Chosen.self, decoder: StrictJSONDecoder())
        },
        Reader(
            "names in other code points",
            of: "{\"\(token)\u{E9}\":1,\"\(token)e\u{301}\":2}",
            words: "at …, found two"
        ) {
            $0.jsonLines(of: JSONValue.self, decoder: StrictJSONDecoder())
        },
        Reader("missing member", of: #"{"values":{"\#(token)":[]}}"#, words: "the key “count”, found an object") {
            $0.jsonLines(of: Item.self)
        },
        Reader("no JSON", of: "[\(token)]", words: "found JSON that cannot be read") {
            $0.jsonLines(of: [Int].self, decoder: StrictJSONDecoder())
        },
        Reader("long line", of: token, words: "line") { $0.lines(limit: 4) },
        Reader("long line of JSON", of: "[\(token)]", words: "line") { $0.jsonLines(of: [Int].self, limit: 4) },
        Reader("long event", of: "event: \(token)\ndata: x\n\n", words: "event") { $0.serverSentEvents(limit: 4) },
    ]

    /// A way from a call to its operator.
    enum Way: CaseIterable {
        case body, flatMap, receiveOnQueue, subscribeOnQueue

        func bytes(of reply: AnyPublisher<StreamedReply, any Error>) -> Bytes {
            let queue = DispatchQueue(label: "reader")
            return switch self {
            case .body: reply.body
            case .flatMap: reply.flatMap { $0.body }.eraseToAnyPublisher()
            case .receiveOnQueue: reply.body.receive(on: queue).eraseToAnyPublisher()
            case .subscribeOnQueue: reply.body.subscribe(on: queue).eraseToAnyPublisher()
            }
        }
    }

    @Test(arguments: readers, Way.allCases)
    func `The error of an operator that reads a body shows no token that the server repeats, also on another queue`(
        reader: Reader,
        way: Way
    ) async throws {
        let server = try HTTPServer { _ in ServerResponse(body: .data(Data(reader.body.utf8))) }
        defer { server.stop() }
        let leaf = Leaf(.get("/x"))
        leaf.baseURL = server.url
        let outcome = try await finalOutcome(of: reader.read(way.bytes(of: leaf.sendStream())))
        let text = outcome.failure.map { shown($0) } ?? "no error"
        #expect(text.contains(reader.words) && !text.contains(Self.token), "\(text)")
    }

    @Test func `The error of a JSON line that a call reads shows all names but its own secrets`() async throws {
        let server = try HTTPServer { _ in
            ServerResponse(body: .data(Data(#"{"values":{"\#(Self.token)":{"other":1}}}"#.utf8)))
        }
        defer { server.stop() }
        let leaf = Leaf(.get("/x"))
        leaf.baseURL = server.url
        let lines = leaf.jsonLines(of: [String: [String: [String: String]]].self)
        let text = try await finalOutcome(of: lines).failure.map { shown($0) } ?? "no error"
        #expect(text.contains("String at values.REDACTED.other, found a number"), "\(text)")
    }
}
