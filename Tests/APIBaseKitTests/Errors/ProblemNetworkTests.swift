import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

/// Descriptions of problems from servers that mean harm, over sockets and with stubs.
@Suite(.everySession, .limited) struct ProblemNetworkTests {
    private final class Leaf: JSONAPI, Request { typealias ModelType = JSONValue }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable () -> String
        /// The bytes of the title; `nil` if there is no problem.
        let title: Int?

        init(_ name: String, _ body: @autoclosure @escaping @Sendable () -> String, title: Int?) {
            (testDescription, self.body, self.title) = (name, body, title)
        }
    }

    private static func titled(_ title: String) -> String { #"{"title": "\#(title)", "status": 409}"# }

    static let rows = [
        Row("a title", titled("Taken"), title: 5),
        Row("a title of 900 KB", titled(String(repeating: "t", count: 900_000)), title: 900_000),
        Row("a title of one character", titled("a" + String(repeating: "\u{301}", count: 100_000)), title: 200_001),
        Row("a short title of one character", titled("a" + String(repeating: "\u{301}", count: 20_000)), title: 40_001),
        Row("a title of separators", titled(String(repeating: "key=", count: 100_000)), title: 400_000),
        Row("a title of lines", titled(String(repeating: #"\n"#, count: 100_000)), title: 100_000),
        Row("2 MB", titled(String(repeating: "t", count: 2 << 20)), title: nil),
        Row("titles", #"{"title": "a", "title": "bb"}"#, title: 1),
        Row("too deep", #"{"title": "a", "x": \#(String(repeating: "[", count: 100_000))}"#, title: nil),
        Row("NaN", #"{"title": "a", "x": NaN}"#, title: nil),
        Row("a huge number", #"{"title": "a", "status": 1\#(String(repeating: "0", count: 10_000))}"#, title: nil),
        Row("a huge exponent", #"{"title": "a", "x": 1e999}"#, title: nil),
    ]

    private static let type = "application/problem+json"

    /// What a call that gets the problem fails with.
    private func expectShortLine(_ row: Row, at url: URL?, on session: any HTTPSession) async {
        let call = Leaf(.get(""))
        (call.baseURL, call.session) = (url, session)
        let error = await #expect(throws: RequestError.self) { try await call.value() }
        guard case .httpFailure(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let problem = failure.problem
        #expect(problem?.title?.utf8.count == row.title)
        for text in [failure.description, problem?.description ?? "", error?.localizedDescription ?? ""] {
            #expect(text.utf8.count < 10_000)
            #expect(!text.contains { $0.isNewline })
        }
    }

    @Test(arguments: runsAllTests ? rows : Array(rows.prefix(2)))
    func `A huge or malformed problem+json body from a server gives a short error description of one line`(_ row: Row)
        async throws
    {
        let server = try ScriptedServer(
            always: reply("409 Conflict", ["Content-Type: \(Self.type)"], body: row.body())
        )
        defer { server.stop() }
        await expectShortLine(row, at: server.url(""), on: EverySession.current)
    }

    @Test(arguments: rows)
    func `A huge or malformed problem+json body from Stubs gives a short error description of one line`(_ row: Row)
        async throws
    {
        // Once is enough for stubs.
        guard EverySession.current is URLSession else { return }
        let stubs = Stubs()
        stubs.on().answer(.status(409, headers: ["Content-Type": Self.type], data: Data(row.body().utf8)))
        await expectShortLine(row, at: URL(string: "http://api.example"), on: stubs)
    }
}
