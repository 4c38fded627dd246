import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

/// No error and no description shows what may be secret, wherever it stood.
@Suite(.everySession, .limited) struct SecretsTests {
    private static let canary = "canary4711"

    private struct Login: Encodable {
        var password = SecretsTests.canary
        var vendorToken = SecretsTests.canary
        var credential = ["AccountKey": SecretsTests.canary]
    }

    private final class SecretRequest: JSONAPI, Request {
        typealias ModelType = [Int]

        /// What has been seen of the call's events.
        let seen = Locked<[CallEvent]>([])
        /// What logs have written: a line for each call, with headers, with bodies.
        let (lines, linesWithHeaders, linesWithBodies) = (Locked(""), Locked(""), Locked(""))

        override func report(_ event: CallEvent) {
            seen.withLock { $0.append(event) }
            for (detail, text) in [
                (CallLog.Detail.line, lines), (.headers, linesWithHeaders), (.bodies(atMost: 9_999), linesWithBodies),
            ] {
                CallLog(detail) { line in text.withLock { $0 += line + "\n" } }.report(event)
            }
        }
    }

    private func request(_ port: UInt16) -> SecretRequest {
        let canary = Self.canary
        let request = SecretRequest(.post("/path", query: ["token": canary, "list": [canary]], json: Login()))
        request.baseURL = URL(string: "http://127.0.0.1:\(port)")
        request.session = EverySession.current
        request.headers["Authorization"] = "Bearer \(canary)"
        for name in ["X-Api-Key", "X-Books-Token", "X-Client-Secret", "X-Set"] { request.headers[name] = canary }
        request.headers["Cookie"] = "sid=\(canary)"
        request.secretHeaders = ["X-Set"]
        return request
    }

    private static let contents: [HTTPBody?] = [
        nil, .form([("password", canary)]), .form(Login()), .data(Data(canary.utf8), type: "text/plain"),
        .multipart([MultipartPart(name: "password", value: canary)]),
        .stream(count: nil) { InputStream(data: Data(canary.utf8)) },
    ]

    private func expectNothing(in value: Any, _ comment: Comment) {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [dumped, "\(value)", String(reflecting: value), (value as? any Error)?.localizedDescription ?? ""]
        for text in texts { #expect(!text.contains(Self.canary), comment) }
    }

    @Test(arguments: [
        (200, "application/json", #"{"token": "canary4711"}"#), (200, "application/json", #"["canary4711"]"#),
        (200, "application/json", "canary4711"), (200, "text/html", "canary4711"),
        (401, "application/json", #""canary4711""#),
        (500, "text/html", "<p>canary4711"), (204, "application/json", ""),
    ])
    func `Errors, events and logs of a call whose response is a failure show no secrets`(
        status: Int,
        type: String,
        body: String
    )
        async throws
    {
        let server = try HTTPServer { _ in
            ServerResponse(
                status: status,
                headers: HTTPFields([
                    "Content-Type": type, "Set-Cookie": "session=\(Self.canary)", "X-Api-Key": Self.canary,
                ]),
                body: .data(Data(body.utf8))
            )
        }
        defer { server.stop() }
        // The bodies that are sent do not depend on the response.
        for content in runsAllTests || status == 500 ? Self.contents : [nil] {
            let request = request(server.port)
            request.content = content
            let error = await #expect(throws: (any Error).self) { try await request.value() }
            if let error { expectNothing(in: error, "\(status) \(type)") }
            expectNothing(in: request, "the request object")
            // Its values have to be there, but for those with the names of secrets.
            request.query["list"] = nil
            if content?.contentType != "text/plain" { expectNothing(in: request.curlText, "curl") }
            expectNothing(in: request.lines.withLock { $0 }, "the log")
            expectNothing(in: request.linesWithHeaders.withLock { $0 }, "the log with headers")
            // What has no name cannot be told from other text.
            let isNamed = !body.contains(Self.canary) || body.contains("token")
            if isNamed, content?.contentType != "text/plain" {
                expectNothing(in: request.linesWithBodies.withLock { $0 }, "the log with bodies")
            }
            for event in request.seen.withLock({ $0 }) {
                expectNothing(in: event, "an event")
                expectNothing(in: event.call, "a call")
                expectNothing(in: event.call.request?.allHTTPHeaderFields ?? [:], "an event's request")
                expectNothing(in: event.call.request?.url?.absoluteString ?? "", "an event's URL")
            }
            #expect(!request.lines.withLock { $0 }.isEmpty)
        }
    }

    @Test func `The error of a call whose connection fails shows no secrets of the request`() async throws {
        for content in Self.contents {
            let request = request(1)
            request.content = content
            let error = await #expect(throws: TransportError.self) { try await request.value() }
            if let error { expectNothing(in: error, "network") }
        }
    }

    @Test func `The error of a request that cannot be built shows no secrets`() async throws {
        let changes: [(SecretRequest) -> Void] = [
            { $0.headers["Authorization"] = "Bearer \(Self.canary)\n" }, { $0.path = "/a/../\(Self.canary)" },
            { $0.path = "/a?token=\(Self.canary)" }, { $0.baseURL = URL(string: "http://user:\(Self.canary)@h") },
            { $0.content = .form(Self.canary) }, { $0.content = .form([Self.canary]) },
            { $0.content = .multipart([MultipartPart(name: "a", type: "\(Self.canary)\n", content: .none)]) },
            { $0.method = .get },
        ]
        for (index, change) in changes.enumerated() {
            let request = request(1)
            change(request)
            let error = await #expect(throws: (any Error).self) { try await request.value() }
            if let error { expectNothing(in: error, "change \(index)") }
        }
        let error = #expect(throws: EncodingError.self) { try request(1).setQuery(Self.canary) }
        if let error { expectNothing(in: error, "query") }
    }

    @Test func `Descriptions of requests, bodies, tokens and endpoints show no secrets`() throws {
        let request = request(1)
        expectNothing(in: request, "object")
        expectNothing(in: request.query, "query")
        request.headers["X-Set"] = nil
        expectNothing(in: request.headers, "headers")
        for content in Self.contents.compactMap({ $0 }) { expectNothing(in: content, "content") }
        expectNothing(in: MultipartPart(name: "a", value: Self.canary), "part")
        expectNothing(in: NextPage.query(["cursor": Self.canary]), "query of a page")
        expectNothing(in: try #require(URL(string: "/a?b=\(Self.canary)").map { NextPage.url($0) }), "URL of a page")
        let source = TokenSource(Token(Self.canary), identity: "me") { _ in Token(Self.canary) }
        let authorizations: [Authorization] = [
            .bearer(Self.canary), .basic(user: "me", password: Self.canary), .header("X-Key", Self.canary),
            .tokens(source),
        ]
        for authorization in authorizations { expectNothing(in: authorization, "authorization") }
        expectNothing(in: source, "source")
        expectNothing(in: Token(Self.canary), "token")
        request.cache = ResponseCache()
        request.authorization = authorizations[3]
        expectNothing(in: request, "object with a source")
        expectNothing(in: request.sendRequest(), "publisher")
        expectNothing(in: request.start(), "publisher of values")
        expectNothing(in: JSONAPI.Endpoint.post("/a", query: ["q": Self.canary], json: Login()), "endpoint")
        #expect("\(JSONAPI.Endpoint.get("/a", query: ["q": 1, "r": [2]]))" == "GET /a?q=redacted&r=redacted")
        #expect("\(HTTPBody.data(Data("abc".utf8), type: "a/b"))" == "HTTPBody(3 bytes, a/b)")
        #expect("\(MultipartPart(name: "a", value: "b"))" == "MultipartPart(a, text/plain, 1 byte)")
    }
}
