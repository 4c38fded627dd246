import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import TestTiers
import Testing

private final class Redirected: APIBase {
    @TaskLocal static var trace = "none"

    let seen = Locked<[String]>([])
    let decide: @Sendable (URLRequest) -> URLRequest?

    init(_ url: URL?, path: String = "/from", _ decide: @escaping @Sendable (URLRequest) -> URLRequest?) {
        self.decide = decide
        super.init()
        (baseURL, self.path, session) = (url, path, EverySession.current)
        headers["X-Api-Key"] = "key"
    }

    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? {
        let key = request.value(forHTTPHeaderField: "X-Api-Key") ?? "no key"
        seen.withLock {
            $0.append(
                "\(response.statusCode) \(request.httpMethod ?? "") \(request.url?.path ?? "") \(key) \(Self.trace)"
            )
        }
        return decide(request)
    }
}

/// The decision of an API about a redirect.
@Suite(.everySession, .limited) struct RedirectTests {
    /// A decision, and what the server gets next: nothing if the redirect is the response.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decide: @Sendable (URLRequest) -> URLRequest?
        let expected: String
    }

    private static func changing(
        _ change: @escaping @Sendable (inout URLRequest) -> Void
    ) -> @Sendable (URLRequest) -> URLRequest? {
        { request in
            var request = request
            change(&request)
            return request
        }
    }

    private static func changing(path: String) -> @Sendable (URLRequest) -> URLRequest? {
        changing { $0.url = $0.url.flatMap { URL(string: path, relativeTo: $0)?.absoluteURL } }
    }

    static let cases: [Case] = [
        Case(testDescription: "followed", decide: { $0 }, expected: "200 GET /to key none"),
        Case(testDescription: "refused", decide: { _ in nil }, expected: "302 moved"),
        Case(
            testDescription: "with another header",
            decide: changing { $0.setValue("more", forHTTPHeaderField: "X-More") },
            expected: "200 GET /to key more"
        ),
        Case(
            testDescription: "without a header",
            decide: changing { $0.setValue(nil, forHTTPHeaderField: "X-Api-Key") },
            expected: "200 GET /to none none"
        ),
        Case(testDescription: "to another path", decide: changing(path: "/other"), expected: "200 GET /other key none"),
        Case(
            testDescription: "with another method",
            decide: changing { $0.httpMethod = "HEAD" },
            expected: "200 "
        ),
        Case(testDescription: "to no URL", decide: changing { $0.url = nil }, expected: "The URL"),
        Case(testDescription: "to another scheme", decide: changing(path: "ftp://127.0.0.1/x"), expected: "The URL"),
        Case(
            testDescription: "with a header of the transport",
            decide: changing { $0.setValue("x", forHTTPHeaderField: "Host") },
            expected: "The header name \"Host\""
        ),
    ]

    private static func answer(_ request: ServerRequest) -> ServerResponse {
        if request.path == "/from" {
            return .text("moved", status: 302, headers: HTTPFields(["Location": "/to"]))
        }
        let values = ["X-Api-Key", "X-More"].map { request.headers[$0] ?? "none" }
        return .text("\(request.method) \(request.path) \(values.joined(separator: " "))")
    }

    private static func stubs() -> Stubs {
        let stubs = Stubs()
        stubs.on().optional().answer { call in
            if call.url?.path == "/from" { return .text("moved", status: 302, headers: ["Location": "/to"]) }
            let values = ["X-Api-Key", "X-More"].map { call.headers[$0] ?? "none" }
            return .text("\(call.method.rawValue) \(call.url?.path ?? "") \(values.joined(separator: " "))")
        }
        return stubs
    }

    /// The end of a call in words, read whole or as a stream.
    private static func end(of call: APIBase, isStream: Bool) async throws -> String {
        do {
            if isStream {
                var text = ""
                for try await chunk in CallSequence(call.sendStream().flatMap(\.body)) {
                    text += String(decoding: chunk, as: UTF8.self)
                }
                return "\(call.response?.statusCode ?? 0) \(text)"
            }
            for try await reply in CallSequence(call.startRequest()) {
                return "\(reply.response.statusCode) \(String(decoding: reply.data, as: UTF8.self))"
            }
            return "nothing"
        } catch RequestError.httpFailure(let failure) {
            return "\(failure.statusCode) \(String(decoding: failure.body, as: UTF8.self))"
        } catch let error as TransportError {
            #expect(error.phase == .redirect)
            guard case .invalidRedirect(let invalid) = error.reason else { return "\(error.reason)" }
            return "\(invalid.part)"
        }
    }

    @Test(arguments: cases, [false, true])
    func `The result of redirect(_:after:) decides if a redirect is followed, changed or refused`(
        _ one: Case,
        isStream: Bool
    )
        async throws
    {
        let server = try HTTPServer { Self.answer($0) }
        defer { server.stop() }
        let url = URL(string: "http://127.0.0.1:\(server.port)")
        let call = Redirected(url, one.decide)
        let end = try await Redirected.$trace.withValue("mine") { try await Self.end(of: call, isStream: isStream) }
        #expect(end == one.expected)
        #expect(call.seen.withLock { $0 } == ["302 GET /to key mine"])
        let stubbed = Redirected(url, one.decide)
        let same = try await Self.stubs().run { try await Self.end(of: stubbed, isStream: isStream) }
        #expect(same == one.expected)
    }

    @Test func `A request returned by redirect(_:after:) sends no secret headers to another origin`() async throws {
        let seen = Locked<[String]>([])
        let other = try HTTPServer { request in
            let names = ["Authorization", "X-Api-Key", "X-Mine", "X-More"]
            seen.withLock { $0.append(names.compactMap { request.headers[$0] }.joined(separator: " ")) }
            return .text("ok")
        }
        let elsewhere = "http://127.0.0.1:\(other.port)/to"
        let server = try HTTPServer { request in
            .text("", status: 307, headers: HTTPFields(["Location": request.path == "/from" ? elsewhere : "/to"]))
        }
        defer {
            server.stop()
            other.stop()
        }
        for path in ["/from", "/home"] {
            let call = Redirected(URL(string: "http://127.0.0.1:\(server.port)"), path: path) { request in
                var request = request
                request.url = URL(string: elsewhere)
                for name in ["Authorization", "X-Api-Key", "X-Mine", "X-More"] {
                    request.setValue("value", forHTTPHeaderField: name)
                }
                return request
            }
            call.secretHeaders.insert("X-Mine")
            #expect(try await Self.end(of: call, isStream: false) == "200 ok")
        }
        #expect(seen.withLock { $0 } == ["value", "value"])
    }

    @Test
    func `Redirects above limits.redirects fail with tooManyRedirects, and a POST sends its body again`() async throws {
        let server = try HTTPServer { request in
            request.path == "/end"
                ? .text(String(decoding: request.body, as: UTF8.self))
                : .text("", status: 308, headers: HTTPFields(["Location": request.path + "x"]))
        }
        defer { server.stop() }
        let url = URL(string: "http://127.0.0.1:\(server.port)")
        let endless = Redirected(url) { $0 }
        endless.limits.redirects = 3
        #expect(
            try await Self.end(of: endless, isStream: false) == "\(TransportError.Reason.tooManyRedirects(limit: 3))"
        )
        #expect(endless.seen.withLock { $0.count } == 3)
        let posted = Redirected(url, Self.changing(path: "/end"))
        (posted.method, posted.body) = (.post, Data("abc".utf8))
        #expect(try await Self.end(of: posted, isStream: false) == "200 abc")
    }

    /// The body of the redirect arrives while the decision is made, and is longer than what is read of one that is
    /// followed.
    @Test(arguments: [false, true])
    func `A redirect refused by redirect(_:after:) delivers its body of 500 KB whole`(isStream: Bool) async throws {
        let body = String(repeating: "x", count: 500_000)
        let server = try HTTPServer { request in
            request.path == "/from" ? .text(body, status: 302, headers: HTTPFields(["Location": "/to"])) : .text("ok")
        }
        defer { server.stop() }
        let url = URL(string: "http://127.0.0.1:\(server.port)")
        let end = try await Self.end(of: Redirected(url) { _ in nil }, isStream: isStream)
        #expect(end == "302 " + body)
        #expect(try await Self.end(of: Redirected(url) { $0 }, isStream: isStream) == "200 ok")
    }
}

/// Without a network: `https` cannot be served here.
@Suite(.limited) struct SecureRedirectTests {
    @Test func `A redirect(_:after:) that returns an HTTP URL for HTTPS fails with insecureRedirect`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("", status: 302, headers: ["Location": "/to"]))
        let call = Redirected(URL(string: "https://api.example")) { request in
            var request = request
            request.url = URL(string: "http://api.example/to")
            return request
        }
        let error = await #expect(throws: TransportError.self) {
            _ = try await stubs.run { try await finalOutcome(of: call.startRequest()).get() }
        }
        #expect(error?.reason == .insecureRedirect && stubs.calls.count == 1)
    }
}

extension Outcome where Failure == any Error {
    fileprivate func get() throws -> Output? {
        if let failure { throw failure }
        return values.first
    }
}
