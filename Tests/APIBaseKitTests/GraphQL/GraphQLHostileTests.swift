import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

/// Responses of servers that mean harm, over sockets and with stubs.
@Suite(.limited) struct GraphQLHostileTests {
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
            "a huge message",
            errors(#"{"message": "\#(String(repeating: "m", count: load(1 << 20)))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a huge code",
            errors(#"{"extensions": {"code": "\#(String(repeating: "c", count: load(1 << 20)))"}}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of one character",
            errors(#"{"message": "a\#(String(repeating: "\u{301}", count: 20_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a code of one character",
            errors(#"{"extensions": {"code": "a\#(String(repeating: "\u{301}", count: 20_000))"}}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of separators",
            errors(#"{"message": "\#(String(repeating: "key=", count: 10_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "a message of lines",
            errors(#"{"message": "\#(String(repeating: #"\n"#, count: 20_000))"}"#),
            .errors(count: 1)
        ),
        Row(
            "thousands of errors",
            errors(Array(repeating: "{}", count: load(10_000)).joined(separator: ",")),
            .errors(count: load(10_000))
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
    func `A huge or malformed GraphQL response gives a value or an error with a short description`(_ row: Row)
        async throws
    {
        let body = row.body()
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: application/json"], body: body))
        defer { server.stop() }
        let stubs = Stubs()
        stubs.on(operation: "Hero").answer(.json(body))
        var error: GraphQLErrors?
        for session in [DefaultSession.shared, URLSession(configuration: .ephemeral), stubs] as [any HTTPSession] {
            let call = Hero()
            (call.baseURL, call.session) = (server.url(""), session)
            do {
                #expect(.name(try await call.value().name) == row.result)
            } catch let errors as GraphQLErrors {
                #expect(.errors(count: errors.errors.count) == row.result)
                #expect(try errors.decode(Hero.ModelType.self).name == "n" || row.testDescription == "errors twice")
                error = errors
            } catch RequestError.undecodable(let reply) {
                #expect(row.result == .undecodable)
                #expect(reply.description.utf8.count < 20_000)
            }
        }
        // It is the same each time, and takes its time.
        guard let text = error?.description else { return }
        #expect(text.utf8.count < 20_000 && !text.contains { $0.isNewline })
    }

    /// What is no short answer is no question for the text.
    @Test(.everySession)
    func `A PersistedQueryNotFound in a response of 100 KB fails the call without sending the query text`() async throws
    {
        let padding = String(repeating: " ", count: 100_000)
        let body = #"{"errors": [{"message": "PersistedQueryNotFound"}]\#(padding)}"#
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: application/json"], body: body))
        defer { server.stop() }
        let call = Hero()
        (call.baseURL, call.session, call.persistedQueries) = (server.url(""), EverySession.current, .automatic)
        await #expect(throws: GraphQLErrors.self) { try await call.value() }
        #expect(server.requests.count == 1)
    }
}
