import APIBaseKit
import HostileServer
import LoopbackServer
import Testing

/// One habit of real servers: the bytes that such a server answers with, a call, and what comes of it.
struct Habit: CustomTestStringConvertible, Sendable {
    /// The first cell of the row in the page `HabitsOfServers.md`.
    let testDescription: String
    /// The answers, one for each request; the last one for all that follow.
    var answers: [Answer]
    /// What the call gives, as text; of an error, `error: ` and a part of its text.
    let outcome: String
    let call: @Sendable (Visit) async throws -> String

    init(
        _ title: String,
        _ answers: Answer...,
        gives outcome: String,
        by call: @escaping @Sendable (Visit) async throws -> String = { try await $0.json() }
    ) {
        (testDescription, self.answers, self.outcome, self.call) = (title, answers, outcome, call)
    }

    /// Expects the outcome.
    func check() async throws {
        let answers = answers
        let server = try ScriptedServer { _, connection, index in
            let answer = answers[min(index, answers.count - 1)]
            try connection.write(answer.bytes)
            if answer.closes { connection.close() }
        }
        defer { server.stop() }
        do {
            let result = try await call(Visit(server: server))
            #expect(result == outcome)
        } catch {
            let text = "error: \(error.localizedDescription)"
            #expect(outcome.hasPrefix("error: ") && text.contains(outcome.dropFirst("error: ".count)), "\(text)")
        }
    }
}

/// The bytes of an answer.
struct Answer: Sendable, ExpressibleByStringLiteral {
    let bytes: [UInt8]
    /// True if the connection is closed after them: where nothing else ends the body.
    var closes: Bool

    /// The head as it is written, with `\n` for the ends of its lines.
    init(stringLiteral text: String) { self.init(bytes: Array(text.replacing("\n", with: "\r\n").utf8)) }

    init(bytes: [UInt8]) {
        self.bytes = bytes
        let head = String(decoding: bytes, as: UTF8.self).lowercased()
        closes = !["content-length", "chunked", " 204 ", " 304 "].contains { head.contains($0) }
    }

    /// An answer that is cut by the end of the connection.
    static func cut(_ answer: Answer) -> Answer {
        var answer = answer
        answer.closes = true
        return answer
    }

    /// A response with these header lines and a body of JSON.
    static func json(_ body: String = #"{"a":1}"#, _ headers: String..., status: String = "200 OK") -> Answer {
        Answer(bytes: Array(reply(status, ["Content-Type: application/json"] + headers, body: body).utf8))
    }

    /// A response with these header lines, and no body unless one is given.
    static func head(_ status: String, _ headers: String..., body: String = "") -> Answer {
        Answer(bytes: Array(reply(status, headers, body: body).utf8))
    }

    /// A response with these bytes as its body.
    static func body(_ bytes: [UInt8], type: String = "application/json", _ headers: String...) -> Answer {
        let lines = ["HTTP/1.1 200 OK", "Content-Type: \(type)"] + headers + ["Content-Length: \(bytes.count)"]
        return Answer(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
    }
}

/// The calls to a server with a habit.
struct Visit: Sendable {
    let server: ScriptedServer

    var url: URL { server.url("/x") }

    /// Any JSON.
    func json(_ change: (JSONLeaf) -> Void = { _ in }) async throws -> String {
        try await leaf(JSONLeaf(.get("/x")), change).value().description
    }

    /// The member of a model.
    func model() async throws -> String { try await leaf(ModelLeaf(.get("/x"))).value().é.map { "\($0)" } ?? "none" }

    /// A text.
    func text() async throws -> String { try await leaf(TextLeaf(.get("/x"))).value() }

    /// Bytes, as text.
    func data() async throws -> String {
        String(decoding: try await leaf(DataLeaf(.get("/x"))).value(), as: UTF8.self)
    }

    /// The value of a header of the response.
    func header(_ name: String) async throws -> String {
        try await leaf(DataLeaf(.get("/x"))).reply().response.value(forHTTPHeaderField: name) ?? "none"
    }

    /// What two calls with a cache give, and how many requests they have sent.
    func twice() async throws -> String {
        let cache = ResponseCache()
        var values: [String] = []
        for _ in 0..<2 { values.append(try await json { $0.cache = cache }) }
        return "\(values.joined(separator: ", ")) by \(server.requests.count)"
    }

    /// The wait that a failure asks for.
    func wait() async throws -> String {
        do { return try await data() } catch RequestError.httpFailure(let failure) {
            return "\(failure.retryAfter.map { "\($0)" } ?? "none")"
        }
    }

    /// The method and the body of the last request after one that posts.
    func post(_ change: (JSONLeaf) -> Void = { $0.json = [1] }) async throws -> String {
        _ = try await leaf(JSONLeaf(.post("/x")), change).value()
        let last = server.requests.last
        return "\(last?.method ?? "") \(last?.target ?? "") \(String(decoding: last?.body ?? [], as: UTF8.self))"
    }

    func leaf<Leaf: APIBase>(_ leaf: Leaf, _ change: (Leaf) -> Void = { _ in }) -> Leaf {
        leaf.baseURL = server.url("")
        change(leaf)
        return leaf
    }
}

final class JSONLeaf: JSONAPI, Request { typealias ModelType = JSONValue }
final class ModelLeaf: JSONAPI, Request {
    struct ModelType: Decodable { var é: Int? }
}
final class PagedLeaf: JSONAPI, LinkPagedRequest { typealias ModelType = JSONValue }
final class TextLeaf: JSONAPI, Request { typealias ModelType = String }
final class DataLeaf: JSONAPI, Request {
    typealias ModelType = Data
    override func configure() { acceptedTypes = ["*/*"] }
}
