import APIBaseKit
import APIBaseStubs
import HostileServer
import Testing

/// Responses of servers that mean harm, over sockets and with stubs.
@Suite(.everySession, .timeLimit(.minutes(5))) struct GraphQLHostileTests {
    private final class Hero: GraphQLAPI, GraphQLRequest {
        struct ModelType: Decodable, Equatable { var name: String? }
        static let query = "query Hero { name }"
    }

    enum Result: Equatable { case name(String?), errors(count: Int), undecodable }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> String
        let result: Result

        init(_ name: String, _ body: @autoclosure @escaping @Sendable () -> String, _ result: Result) {
            (testDescription, self.body, self.result) = (name, body, result)
        }
    }

    private static func errors(_ text: String) -> String { #"{"errors": [\#(text)], "data": {"name": "n"}}"# }

    private static func deep(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static let rows = [
        Row(
            "a message of 1 MB",
            errors(#"{"message": "\#(String(repeating: "m", count: 1 << 20))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a code of 1 MB",
            errors(#"{"extensions": {"code": "\#(String(repeating: "c", count: 1 << 20))"}}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of one character",
            errors(#"{"message": "a\#(String(repeating: "\u{301}", count: 50_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a code of one character",
            errors(#"{"extensions": {"code": "a\#(String(repeating: "\u{301}", count: 50_000))"}}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of separators",
            errors(#"{"message": "\#(String(repeating: "key=", count: 20_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of lines",
            errors(#"{"message": "\#(String(repeating: #"\n"#, count: 100_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "10,000 errors",
            errors(Array(repeating: "{}", count: 10_000).joined(separator: ",")),
            .errors(count: 10_000)
        ),
        Row(
            "members of wrong types",
            errors(#"{"message": 5, "locations": {}, "path": 7, "extensions": "x"}"#),
            .errors(count: 1)
        ),
        Row("parts of wrong types", errors(#"{"locations": [{"line": "1", "column": null}]}"#), .errors(count: 1)),
        Row(
            "nulls",
            errors(#"{"message": null, "locations": null, "path": null, "extensions": null}"#),
            .errors(count: 1)
        ),
        Row("deep extensions", errors(#"{"extensions": {"a": \#(deep(400))}}"#), .errors(count: 1)),
        Row("extensions that are too deep", errors(#"{"extensions": {"a": \#(deep(100_000))}}"#), .undecodable),
        Row(
            "a huge number",
            errors(#"{"extensions": {"a": 1e999, "b": \#(String(repeating: "9", count: 10_000))}}"#),
            .errors(count: 1)
        ),
        Row("a huge number elsewhere", #"{"x": 1e999, "data": {"name": "n"}}"#, .name("n")),
        Row("NaN", #"{"data": {"name": NaN}}"#, .undecodable),
        Row("infinity", #"{"data": {"name": "n"}, "x": -Infinity}"#, .undecodable),
        Row("data twice", #"{"data": {"name": "a"}, "data": {"name": "b"}}"#, .name("a")),
        Row("errors twice", #"{"errors": [{}], "errors": [], "data": {"name": "a"}}"#, .errors(count: 1)),
        Row("half of a surrogate pair", #"{"data": {"name": "\ud800"}}"#, .undecodable),
        Row("errors that are an error", #"{"errors": {"message": "m"}, "data": {"name": "a"}}"#, .undecodable),
        Row("errors of null", #"{"errors": [null], "data": {"name": "a"}}"#, .undecodable),
    ]

    @Test(arguments: rows)
    func `A hostile GraphQL response gives a value or an error with a short description`(_ row: Row) async throws {
        let body = row.body()
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: application/json"], body: body))
        defer { server.stop() }
        let stubs = Stubs()
        stubs.on(operation: "Hero").answer(.json(body))
        for session in [EverySession.current, stubs] {
            let call = Hero()
            (call.baseURL, call.session) = (server.url(""), session)
            do {
                #expect(.name(try await call.value().name) == row.result)
            } catch let error as GraphQLErrors {
                #expect(.errors(count: error.errors.count) == row.result)
                #expect(error.description.utf8.count < 20_000)
                #expect(!error.description.contains { $0.isNewline })
                #expect(try error.decode(Hero.ModelType.self).name == "n" || row.testDescription == "errors twice")
            } catch RequestError.undecodable(let reply) {
                #expect(row.result == .undecodable)
                #expect(reply.description.utf8.count < 20_000)
            }
        }
    }

    /// What is no short answer is no question for the text.
    @Test func `A PersistedQueryNotFound in a response of 1 MB fails the call without a second request`() async throws {
        let padding = String(repeating: " ", count: 1 << 20)
        let body = #"{"errors": [{"message": "PersistedQueryNotFound"}]\#(padding)}"#
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: application/json"], body: body))
        defer { server.stop() }
        let call = Hero()
        (call.baseURL, call.session, call.persistedQueries) = (server.url(""), EverySession.current, .automatic)
        await #expect(throws: GraphQLErrors.self) { try await call.value() }
        #expect(server.requests.count == 1)
    }

    /// A file is read while it is sent, by every engine.
    @Test func `A file in a GraphQL call is uploaded unchanged as a part of a multipart form`() async throws {
        final class Upload: GraphQLAPI, GraphQLRequest {
            typealias ModelType = Void
            static let query = "mutation Add($file: Upload!) { add(file: $file) { id } }"
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try ScriptedServer(
            always: reply("200 OK", ["Content-Type: application/json"], body: #"{"data": {}}"#)
        )
        defer { server.stop() }
        let call = Upload(files: ["variables.file": .file(file, type: "image/png")])
        (call.baseURL, call.session) = (server.url(""), EverySession.current)
        try await call.value()
        let sent = try #require(server.requests.first)
        let parts = try MultipartParser.parse(Data(sent.body), type: sent["Content-Type"])
        #expect(parts.last?.content == bytes && parts.last?.fileName == file.lastPathComponent)
    }
}
