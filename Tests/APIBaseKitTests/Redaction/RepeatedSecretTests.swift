import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import TestTiers
import Testing

/// Servers that repeat a secret which they were sent. No error and no log shows it.
@Suite(.limited) struct RepeatedSecretTests {
    typealias Spelling = SecretSpelling

    /// A call with a secret, and a response that repeats it.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable (_ text: String) -> StubAnswer
        /// The answer to later requests; `nil` for the same.
        var rest: StubAnswer?
        var call: @Sendable (_ log: Locked<String>) async throws -> Void = { _ = try await Leaf().with($0).value() }
    }

    /// A call with a log.
    protocol Logging: APIBase { var lines: Locked<String> { get set } }

    class Logged: JSONAPI, Logging {
        var lines = Locked("")
        override func report(_ event: CallEvent) { log(event) }
    }

    /// A leaf that decodes an object.
    final class Leaf: Logged, Request {
        typealias ModelType = [String: Int]
        override init() {
            super.init(.post("http://api.example/x", json: ["password": Spelling.secret]))
            authorization = .bearer(Spelling.secret)
        }
    }

    final class Text: Logged, Request {
        typealias ModelType = String
        override init() {
            super.init(.get("http://api.example/x"))
            authorization = .basic(user: "cid", password: Spelling.secret)
        }
    }

    /// A leaf with operators of its own.
    final class Bare: APIBase, Request, Logging {
        override init() {
            super.init()
            baseURL = URL(string: "http://api.example/x")
            queryItems = [URLQueryItem(name: "access_token", value: Spelling.secret)]
        }
        func start() -> AnyPublisher<Data, any Error> {
            sendRequest().validateStatusCode(in: 200..<300).hasContentType("text/csv").map(\.data)
        }
        var lines = Locked("")
        override func report(_ event: CallEvent) { log(event) }
    }

    final class Problem: Logged, Request {
        typealias ModelType = Void
        override init() {
            super.init(.get("http://api.example/x"))
            headers["X-Api-Key"] = Spelling.secret
        }
        override func error(for failure: HTTPFailure) -> any Error { failure.problem ?? super.error(for: failure) }
    }

    /// A leaf whose API reads its own error, with a text of the server.
    final class Detailed: Logged, Request, EventRequest {
        typealias ModelType = Void
        typealias EventType = [String: Int]
        struct Refusal: Decodable, LocalizedError {
            let title: String
            var errorDescription: String? { "Refused: \(title)" }
        }
        override init() {
            super.init(.get("http://api.example/x"))
            headers["X-Api-Key"] = Spelling.secret
        }
        override func detail(of failure: HTTPFailure) -> (any Error)? { try? failure.decode(Refusal.self) }
    }

    final class Query: GraphQLAPI, GraphQLRequest, Logging {
        typealias ModelType = [String: Int]
        static let query = "query Q($password: String) { user(password: $password) { id } }"
        init() {
            super.init(variables: ["password": Spelling.secret])
            baseURL = URL(string: "http://api.example/x")
        }
        var lines = Locked("")
        override func report(_ event: CallEvent) { log(event) }
    }

    final class Chat: Logged, EventRequest {
        typealias EventType = [String: Int]
        override init() {
            super.init(.post("http://api.example/x", json: ["token": Spelling.secret]))
        }
    }

    final class List: Logged, LinkPagedRequest {
        typealias ModelType = [Int]
        override init() {
            super.init(.get("http://api.example/x"))
            authorization = .bearer(Spelling.secret)
        }
    }

    final class Job: Logged, PolledRequest {
        typealias ModelType = [Int]
        override init() {
            super.init(.post("http://api.example/x"))
            authorization = .bearer(Spelling.secret)
        }
    }

    private static func path(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    }

    /// An operation that is never done, and is asked about at this URL.
    private static func running(at url: String) -> StubAnswer {
        .json("[]", status: 202, headers: ["Location": url])
    }

    private static func events(_ text: String) -> StubAnswer {
        .text(text, headers: ["Content-Type": "text/event-stream"])
    }

    private static func problem(_ text: String) -> StubAnswer {
        .text(#"{"title": \#(text.quotedForJSON)}"#, status: 400, headers: ["Content-Type": "application/problem+json"])
    }

    static let places: [Place] = [
        Place(testDescription: "title of a problem", answer: { problem("no user with \($0)") }),
        Place(
            testDescription: "long title of a problem",
            answer: { problem(String(repeating: "\($0) ", count: 100)) }
        ),
        Place(
            testDescription: "problem of an API's own error",
            answer: { problem($0) },
            call: { try await Problem().with($0).value() }
        ),
        Place(
            testDescription: "detail of a failure",
            answer: { problem($0) },
            call: { try await Detailed().with($0).value() }
        ),
        Place(
            testDescription: "detail of an event",
            answer: {
                .status(
                    200,
                    headers: ["Content-Type": "text/event-stream"],
                    data: Data("event: error\ndata: {\"title\": \($0.quotedForJSON)}\n\n".utf8)
                )
            },
            call: { for try await _ in Detailed().with($0).eachValue() {} }
        ),
        Place(
            testDescription: "problem of a class with operators",
            answer: { problem($0) },
            call: { _ = try await Bare().with($0).value() }
        ),
        Place(
            testDescription: "content type",
            answer: { .text("x", headers: ["Content-Type": "text/html; x=\($0.forHeader)"]) }
        ),
        Place(
            testDescription: "content type for operators",
            answer: { .text("x", headers: ["Content-Type": "text/html; x=\($0.forHeader)"]) },
            call: { _ = try await Bare().with($0).value() }
        ),
        Place(
            testDescription: "charset",
            answer: { .text("x", headers: ["Content-Type": "text/plain; charset=\"\($0.forHeader)\""]) },
            call: { _ = try await Text().with($0).value() }
        ),
        Place(
            testDescription: "content coding",
            answer: { .text("x", headers: ["Content-Encoding": "x-\($0.forHeader)"]) }
        ),
        Place(testDescription: "key of a dictionary", answer: { .json(#"{\#($0.quotedForJSON): "x"}"#) }),
        Place(
            testDescription: "message of GraphQL",
            answer: { .json(#"{"errors": [{"message": \#("no \($0)".quotedForJSON)}]}"#) },
            call: { _ = try await Query().with($0).value() }
        ),
        Place(
            testDescription: "code of GraphQL",
            answer: { .json(#"{"errors": [{"message": "m", "extensions": {"code": \#($0.quotedForJSON)}}]}"#) },
            call: { _ = try await Query().with($0).value() }
        ),
        Place(
            testDescription: "data of an event",
            answer: { events("data: {\"error\": \($0.quotedForJSON)}\n\n") },
            call: { for try await _ in Chat().with($0).eachValue() {} }
        ),
        Place(
            testDescription: "type of an event",
            answer: { text in
                let lines = text.split(whereSeparator: \.isNewline).map { "data: \($0)\n" }
                return events("event: error\n\(lines.joined())\n")
            },
            call: { for try await _ in Chat().with($0).eachValue() {} }
        ),
        Place(
            testDescription: "key in an event",
            answer: { events("data: {\($0.quotedForJSON): \"x\"}\n\n") },
            call: { for try await _ in Chat().with($0).eachValue() {} }
        ),
        Place(
            testDescription: "next page",
            answer: { .json("[1]", headers: ["Link": "<http://other.example/\(path($0))>; rel=\"next\""]) },
            call: { for try await _ in List().with($0).eachPage() {} }
        ),
        Place(
            testDescription: "page at a URL of the server",
            answer: { .json("[1]", headers: ["Link": "<http://api.example/\(path($0))>; rel=\"next\""]) },
            rest: .status(500),
            call: { for try await _ in List().with($0).eachPage() {} }
        ),
        Place(
            testDescription: "page at a URL of the server that cannot be reached",
            answer: { .json("[1]", headers: ["Link": "<http://api.example/\(path($0))>; rel=\"next\""]) },
            rest: .fault(.connectionRefused),
            call: { for try await _ in List().with($0).eachPage() {} }
        ),
        Place(
            testDescription: "poll that is never done",
            answer: { running(at: "http://api.example/\(path($0))") },
            call: { _ = try await Job().with($0).result(within: .seconds(3)) }
        ),
        Place(
            testDescription: "poll that fails",
            answer: { running(at: "/\(path($0))") },
            rest: .status(500),
            call: { _ = try await Job().with($0).result(within: .seconds(3)) }
        ),
        Place(
            testDescription: "poll that leads to no URL",
            answer: { running(at: "/\(path($0))") },
            rest: running(at: "ftp://x/"),
            call: { _ = try await Job().with($0).result(within: .seconds(3)) }
        ),
        Place(
            testDescription: "poll that leads to a URL with a user",
            answer: { running(at: "http://\(path($0)):p@h/") },
            call: { _ = try await Job().with($0).result(within: .seconds(3)) }
        ),
        Place(
            testDescription: "key in a line",
            answer: { .text("{\($0.quotedForJSON): \"x\"}\n") },
            call: { for try await _ in Leaf().with($0).eachValue(of: [String: Int].self) {} }
        ),
        Place(
            testDescription: "content coding",
            answer: { .text("x", headers: ["Content-Type": "application/json", "Content-Encoding": $0.forHeader]) }
        ),
        Place(
            testDescription: "redirect",
            answer: { .status(307, headers: ["Location": "http://api.example/\(path($0))"]) }
        ),
    ]

    @Test(arguments: places, SecretSpelling.whole)
    func `An error and a log do not show a secret of the request that the server repeats, in any spelling`(
        place: Place,
        spelling: SecretSpelling
    ) async throws {
        let stubs = Stubs()
        let answer = place.answer(spelling.text)
        stubs.on().answer(inOrder: answer, place.rest ?? answer, then: .repeatLast)
        let log = Locked("")
        let text = try await stubs.run {
            do {
                try await place.call(log)
                return "no error"
            } catch {
                return shown(error)
            }
        }
        #expect(text != "no error" && !log.withLock { $0.isEmpty })
        #expect(!spelling.isIn(text), "\(text)")
        #expect(!spelling.isIn(log.withLock { $0 }), "\(log.withLock { $0 })")
    }

    /// Credentials of which a part is a secret as well.
    private static let credentials = [
        "Bearer abc/def?x=12345678", "Bearer id=alice42;sig=abcdefghijkl", "Bearer abc/def?token=12345678&x=abc/def",
        "Token token=\"abc/def?x=1\", key=\"12345678/abc/def\"", "abc/def?x=12345678",
    ]

    /// How often the echo is escaped, and how.
    private static let escapes: [@Sendable (String) -> String] = [
        { $0 }, { percent($0) }, { percent(percent($0)) }, { percent(percent(percent($0))) },
        { percent($0.quotedForJSON) }, { $0.quotedForJSON.quotedForJSON }, { Data($0.utf8).base64EncodedString() },
    ]

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    @Test(arguments: credentials)
    func `Errors and logs hide credentials as a whole, also where a part of them is secret too, however often escaped`(
        credentials: String
    ) async throws {
        let own = credentials.replacing("Bearer ", with: "").replacing("Token ", with: "")
        for escape in Self.escapes {
            let log = Locked("")
            let stubs = Stubs()
            let body = #"{"title": \#("no [\(escape(own))]".quotedForJSON)}"#
            stubs.on().answer(.text(body, status: 400, headers: ["Content-Type": "application/problem+json"]))
            let leaf = Leaf().with(log)
            leaf.authorization = .header("Authorization", credentials)
            let error = await #expect(throws: (any Error).self) { try await stubs.run { try await leaf.value() } }
            for text in [error.map(shown) ?? "", log.withLock { $0 }] {
                #expect(text.contains("REDACTED") && !text.contains("abc") && !text.contains("def"), "\(text)")
                #expect(!text.contains("alice"))
            }
        }
    }

    @Test(arguments: ["+abcdefgh", "abcdefgh+", "++abcd+efgh+="])
    func `Errors hide the plus signs at the ends of a secret, however they are escaped`(secret: String) async throws {
        for plus in ["+", "%2B", "%2b", "%252B", "\\u002B", "&#43;", "&#x2B;", "&plus;"] {
            let stubs = Stubs()
            let body = #"{"title": \#("[\(secret.replacing("+", with: plus))]".quotedForJSON)}"#
            stubs.on().answer(.text(body, status: 400, headers: ["Content-Type": "application/problem+json"]))
            let leaf = Leaf()
            leaf.authorization = .bearer(secret)
            let error = await #expect(throws: (any Error).self) { try await stubs.run { try await leaf.value() } }
            #expect(error.map(shown)?.contains("[REDACTED]") == true, "\(error.map(shown) ?? "")")
        }
    }

    @Test(arguments: SecretSpelling.whole)
    func `A CallLog with bodies hides a secret that the response repeats in a header or its body`(
        spelling: SecretSpelling
    ) async throws {
        let log = Locked("")
        let stubs = Stubs()
        stubs.on().answer(
            .json(#"{"x": \#(spelling.text.quotedForJSON)}"#, headers: ["X-Echo": spelling.text.forHeader])
        )
        _ = try? await stubs.run { try await Leaf().with(log).value() }
        let text = log.withLock { $0 }
        #expect(text.contains("X-Echo") && !spelling.isIn(text), "\(text)")
    }

    @Test(arguments: [0, 10, 20, 300])
    func `A long title of a problem is shown without the part of a secret where its search ends`(
        length: Int
    ) async throws {
        let secret = "An+ordinary/piece=" + String(repeating: "/+=", count: 14)
        let echo = (0..<4).reduce(secret) { text, _ in Self.percent(text) }
        let title = String(repeating: "x", count: length) + String(repeating: " \(echo)", count: 9)
        let stubs = Stubs()
        let headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
        stubs.on().answer(.text(#"{"title": \#(title.quotedForJSON)}"#, status: 400, headers: headers))
        let leaf = Leaf()
        leaf.authorization = .bearer(secret)
        let error = await #expect(throws: (any Error).self) { try await stubs.run { try await leaf.value() } }
        #expect(error.map { shown($0).contains("…") && !shown($0).contains("252525") } == true)
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
    func `A CallLog and curlText hide secrets of bodies in UTF-16 and UTF-32, which are JSON too`(
        encoding: String.Encoding
    ) async throws {
        let body = try #require(#"{"token":"c4n4ry-1","n":["c4n4ry-2"],"password":"c4n4ry-2"}"#.data(using: encoding))
        let log = Locked("")
        let stubs = Stubs()
        stubs.on().answer(.status(200, headers: ["Content-Type": "application/json"], data: body))
        let leaf = Leaf().with(log)
        leaf.content = .data(body, type: "application/json")
        _ = try? await stubs.run { try await leaf.value() }
        let text = log.withLock { $0 }.replacing("\\0", with: "")
        #expect(text.contains("REDACTED") && text.contains("password") && !text.contains("c4n4ry"), "\(text)")
        let curl = leaf.curlText.replacing("\0", with: "").replacing("\\000", with: "").replacing("\\x00", with: "")
        #expect(curl.contains("REDACTED") && !curl.contains("c4n4ry-1"), "\(curl)")
    }

    @Test(arguments: SecretSpelling.whole)
    func `A broken download keeps the server's ETag in a file, but not one that repeats a secret of the request`(
        spelling: SecretSpelling
    ) async throws {
        #expect(try await filesOfBrokenDownload(tag: "version-1").contains("version-1"))
        #expect(!spelling.isIn(try await filesOfBrokenDownload(tag: spelling.text.forHeader)))
    }

    /// The names and the contents of all files that a broken download leaves.
    private func filesOfBrokenDownload(tag: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("repeated-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stubs = Stubs()
        let answer = StubAnswer.status(200, headers: ["ETag": "\"\(tag)\""], data: Data("abcd".utf8))
        stubs.on().answer(answer.broken(off: .afterBytes(2)))
        await #expect(throws: (any Error).self) {
            try await stubs.run { _ = try await Text().downloaded(to: folder.appendingPathComponent("file")) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.map { name in
            name + String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
        }
        .joined(separator: "\n")
    }
}

extension RepeatedSecretTests.Logging {
    func with(_ lines: Locked<String>) -> Self {
        self.lines = lines
        return self
    }

    func log(_ event: CallEvent) {
        CallLog(.bodies(atMost: 10_000)) { [lines] text in lines.withLock { $0 += text } }.report(event)
    }
}
