import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private class Whole: JSONAPI {
    init(_ base: URL?) {
        super.init(.get("/x"))
        (baseURL, session) = (base, EverySession.current)
    }
}

private final class Text: Whole, Request { typealias ModelType = String }

private final class Part: Whole, Request {
    func start() -> AnyPublisher<String, any Error> { decoded(String.self, at: "a.0") }
}

/// Texts and parts of JSON from a server that misbehaves, awaited and with their progress.
@Suite(.everySession, .limited) struct HostileRepliesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var head = "Content-Type: text/plain"
        var status = 200
        let body: Data
        /// The length that the head states, if it is not that of the body.
        var length: Int?
        /// The text, and the part, or the errors in their places.
        let text: String
        let part: String

        init(
            _ name: String,
            _ head: String,
            status: Int = 200,
            _ body: some Sequence<UInt8>,
            length: Int? = nil,
            text: String,
            part: String
        ) {
            (testDescription, self.head, self.status, self.body) = (name, head, status, Data(body))
            (self.length, self.text, self.part) = (length, text, part)
        }
    }

    private static let plain = "Content-Type: text/plain"
    private static let json = "Content-Type: application/json"
    private static let type = "contentTypeMismatch"

    private static let cases = [
        Case("NUL in a text", plain, "a\0b".utf8, text: "a\0b", part: type),
        Case("NUL in JSON", json, "{\"a\": [\"x\0\"]}".utf8, text: "undecodable", part: "undecodable"),
        Case("an escaped NUL in JSON", json, #"{"a": ["x\u0000"]}"#.utf8, text: "undecodable", part: "x\0"),
        Case(
            "JSON that is not UTF-8",
            json,
            Array(#"{"a": [""#.utf8) + [0xFF] + Array(#""]}"#.utf8),
            text: "undecodable",
            part: "undecodable"
        ),
        Case("a text that is not UTF-8", plain, [0xC3, 0x28], text: "undecodable", part: type),
        Case(
            "half a character of UTF-16",
            "Content-Type: text/plain; charset=utf-16le",
            [0x61, 0, 0x62],
            text: "undecodable",
            part: type
        ),
        Case(
            "UTF-16 by the name of UTF-8",
            "Content-Type: text/plain; charset=utf-8",
            [0xFF, 0xFE, 0x61, 0],
            text: "undecodable",
            part: type
        ),
        Case("a byte order mark alone", plain, [0xEF, 0xBB, 0xBF], text: "", part: type),
        Case(
            "a charset that is not there",
            "Content-Type: text/plain; charset=\"utf-8; x\"",
            "a".utf8,
            text: "undecodable",
            part: type
        ),
        Case("CR and LF as they are", plain, "a\r\nb\rc\n".utf8, text: "a\r\nb\rc\n", part: type),
        Case("HTML", "Content-Type: text/html", "<html>".utf8, text: "<html>", part: type),
        Case("HTML by the name of JSON", json, "<html>".utf8, text: "undecodable", part: "undecodable"),
        Case("no type", "X-A: b", "a".utf8, text: type, part: type),
        Case("an error as JSON", json, #"{"error": "x"}"#.utf8, text: "undecodable", part: "undecodable"),
        Case("nothing", plain, "".utf8, text: "", part: "undecodable"),
        Case("no JSON", json, "".utf8, text: "undecodable", part: "undecodable"),
        Case("no content", "X-A: b", status: 204, "".utf8, text: "undecodable", part: "undecodable"),
        Case("a text that breaks off", plain, "ab".utf8, length: 3, text: "transport", part: "transport"),
        Case("JSON that breaks off", json, #"{"a": ["x"]}"#.utf8, length: 50, text: "transport", part: "transport"),
        Case("a huge text", plain, [UInt8](repeating: 0x61, count: 200_000), text: "200000 bytes", part: type),
        Case(
            "huge JSON",
            json,
            #"{"b": [\#(String(repeating: "1,", count: 1 << 14))1], "a": ["x"]}"#.utf8,
            text: "undecodable",
            part: "x"
        ),
        Case(
            "deep JSON",
            json,
            (#"{"b": "# + String(repeating: "[", count: 20_000)).utf8,
            text: "undecodable",
            part: "undecodable"
        ),
        Case(
            "gzip that is none",
            "Content-Type: text/plain\r\nContent-Encoding: gzip",
            "abc".utf8,
            text: "transport",
            part: "transport"
        ),
        Case(
            "a compressed text",
            "Content-Type: text/plain\r\nContent-Encoding: gzip",
            Gzip.stored(Array("abc".utf8)),
            text: "abc",
            part: type
        ),
        Case("a status of 404", json, status: 404, #"{"a": ["x"]}"#.utf8, text: "httpFailure", part: "httpFailure"),
    ]

    private static func word(for error: any Error) -> String {
        switch error {
        case is TransportError: "transport"
        case let error as RequestError: String("\(error)".prefix { $0.isLetter })
        default: "\(error)"
        }
    }

    /// The end of a call in words.
    private static func end<Call: Request<String, any Error>>(of call: Call) async -> String {
        do {
            let text = try await call.value()
            return text.utf8.count > 1_000 ? "\(text.utf8.count) bytes" : text
        } catch {
            return word(for: error)
        }
    }

    /// The last step of a call in words.
    private static func lastStep<Call: APIBase & Request<String, any Error>>(of call: Call) async -> String {
        var last = "nothing"
        do {
            for try await step in call.eachProgress() {
                guard case .value(let text) = step else { continue }
                last = text.utf8.count > 1_000 ? "\(text.utf8.count) bytes" : text
            }
            return last
        } catch {
            return word(for: error)
        }
    }

    @Test(arguments: cases)
    func `Unusual or malformed replies give String and nested JSON requests the expected value or error`(_ one: Case)
        async throws
    {
        let server = try ScriptedServer { _, connection, _ in
            let length = one.status == 204 ? "" : "Content-Length: \(one.length ?? one.body.count)\r\n"
            try connection.write(Data("HTTP/1.1 \(one.status) X\r\n\(one.head)\r\n\(length)\r\n".utf8) + one.body)
            if one.length != nil { connection.close() }
        }
        defer { server.stop() }
        let base = server.url("")
        #expect(await Self.end(of: Text(base)) == one.text)
        #expect(await Self.end(of: Part(base)) == one.part)
        #expect(await Self.lastStep(of: Text(base)) == one.text)
        #expect(await Self.lastStep(of: Part(base)) == one.part)
        #expect(server.requests.count == 4)
    }

    /// Stubs answer with bodies that are whole and not compressed.
    private static let stubbedCases = cases.filter { $0.length == nil && !$0.head.contains("gzip") }

    @Test(arguments: stubbedCases)
    func `Malformed stubbed replies give String and nested JSON requests the expected value or error`(_ one: Case)
        async throws
    {
        // Once is enough for stubs.
        guard EverySession.current is URLSession else { return }
        let headers = one.head.components(separatedBy: "\r\n").map { $0.components(separatedBy: ": ") }
        let stubs = Stubs()
        stubs.on().answer(
            .status(
                one.status,
                headers: HTTPHeaders(Dictionary(uniqueKeysWithValues: headers.map { ($0[0], $0[1]) })),
                data: one.body
            )
        )
        let stubbed = URL(string: "http://api.example")
        try await stubs.run {
            #expect(await Self.end(of: Text(stubbed)) == one.text)
            #expect(await Self.end(of: Part(stubbed)) == one.part)
            #expect(await Self.lastStep(of: Text(stubbed)) == one.text)
        }
    }

    @Test(arguments: [302, 308])
    func `A call watched by eachProgress() drops its bearer token on a redirect to another origin`(status: Int)
        async throws
    {
        let other = try ScriptedServer(
            always: reply("200 OK", [Self.json], body: #"{"a": ["x"]}"#)
        )
        let moved = reply("\(status) X", ["Location: \(other.url("/y"))", "Content-Type: text/plain"], body: "moved")
        let server = try ScriptedServer(always: moved)
        defer {
            server.stop()
            other.stop()
        }
        let call = Part(server.url(""))
        call.authorization = .bearer("secret")
        #expect(await Self.lastStep(of: call) == "x")
        #expect(server.requests.first?["Authorization"] == "Bearer secret")
        #expect(other.requests.first?["Authorization"] == nil && other.requests.count == 1)
    }

    /// A loop that starts later than the call of the same object has its own values.
    @Test
    func `A second eachProgress() loop over a request object sends a second request and gets its value`() async throws {
        let server = try ScriptedServer(always: reply("200 OK", ["Content-Type: text/plain"], body: "abc"))
        defer { server.stop() }
        let call = Text(server.url(""))
        for _ in 0..<2 { #expect(await Self.lastStep(of: call) == "abc") }
        #expect(server.requests.count == 2)
    }
}
