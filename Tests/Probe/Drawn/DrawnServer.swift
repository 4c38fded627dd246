#if os(Linux)
import Basics
import Foundation
import HostileServer
import LoopbackServer

/// A server with a random sequence of responses for each path, which records the requests.
final class DrawnServer: Sendable {
    private struct State {
        var answers: [String: [String]] = [:]
        var seen: [String] = []
    }

    private let state: Locked<State>
    private let server: ScriptedServer

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try ScriptedServer { request, connection, _ in
            let path = request.target.split(separator: "?").first.map(String.init) ?? ""
            let answer = state.withLock { state in
                state.seen.append(Self.text(of: request))
                guard var answers = state.answers[path], let answer = answers.first else { return Self.missing }
                if answers.count > 1 { answers.removeFirst() }
                state.answers[path] = answers
                return answer
            }
            if answer.isEmpty { return connection.close() }
            try connection.write(answer)
            // A response without a length ends with the connection.
            if answer.hasPrefix("!") || !answer.contains("Content-Length") { connection.close() }
        }
    }

    var baseURL: URL { server.url("") }

    func stop() { server.stop() }

    /// Sets the responses of a path. The last one is repeated.
    func answer(_ path: String, with answers: [String]) { state.withLock { $0.answers[path] = answers } }

    /// The requests since the last call.
    func takeSeen() -> [String] {
        state.withLock { state in
            defer { state.seen = [] }
            return state.seen
        }
    }

    private static let missing = reply("410 Gone")

    /// The request without the parts that differ between runs.
    private static func text(of request: RawRequest) -> String {
        let left: Set<String> = ["host", "user-agent"]
        let fields = request.head.split(separator: "\r\n").dropFirst().filter { line in
            !left.contains(line.prefix { $0 != ":" }.lowercased())
        }
        return
            ([request.requestLine] + fields.sorted().map(String.init) + [String(decoding: request.body, as: UTF8.self)])
            .joined(separator: " | ")
    }
}

extension DrawnServer {
    private static let chunk =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "8\r\n{\"id\": 8\r\n"

    /// The possible responses. An empty one closes the connection.
    static func answers(otherwise path: String) -> [String] {
        let json = ["Content-Type: application/json"]
        return [
            reply("200 OK", json, body: #"{"id": 1, "name": "one"}"#),
            reply("200 OK", json + ["Cache-Control: max-age=600", #"ETag: "a""#], body: #"{"id": 2, "name": "two"}"#),
            reply("200 OK", json + [#"ETag: "b""#, "Vary: Accept"], body: #"{"id": 3, "name": "three"}"#),
            reply("200 OK", ["Content-Type: application/vnd.thing+json"], body: #"{"id": 4}"#),
            reply("200 OK", ["Content-Type: text/html"], body: "<p>no JSON</p>"),
            reply("200 OK", json, body: #"{"id": "x"}"#),
            reply("200 OK", json, body: "{"),
            reply("200 OK", ["Content-Type: text/event-stream"], body: "id: 1\ndata: a\n\ndata: b\n\n"),
            reply("200 OK", json + ["Link: <\(path)?page=2>; rel=\"next\""], body: #"{"id": 5, "name": "page"}"#),
            reply("201 Created", json, body: #"{"id": 6, "name": "six"}"#),
            "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 0\r\n\r\n",
            reply("301 Moved Permanently", ["Location: \(path)/moved"]),
            reply("307 Temporary Redirect", ["Location: \(path)/moved"], body: "gone"),
            reply("400 Bad Request", ["Content-Type: application/problem+json"], body: #"{"title": "bad"}"#),
            reply("401 Unauthorized", ["WWW-Authenticate: Bearer"]),
            reply("404 Not Found", json, body: #"{"error": "none"}"#),
            reply("408 Request Timeout"),
            reply("412 Precondition Failed"),
            reply("429 Too Many Requests", ["Retry-After: 0"]),
            reply("500 Internal Server Error", json, body: "{}"),
            reply("503 Service Unavailable", ["Retry-After: 0"]),
            reply("503 Service Unavailable"),
            "",
            "!no HTTP at all\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\": 7, \"name\": \"to the end\"}",
            chunk + "1\r\n}\r\n0\r\n\r\n",
            chunk,
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        ]
    }
}
#endif
