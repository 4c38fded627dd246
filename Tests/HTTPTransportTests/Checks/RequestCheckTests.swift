import LoopbackServer
import Foundation
import HostileServer
import Basics
import TestTiers
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tables of what must not be sent, each of which reaches no server, and of what arrives byte for byte.
@Suite(.everyEngine, .limited) struct RequestCheckTests {
    private let session = Engine.makeSession()

    /// Sends what `change` makes of a good request, and then a good one: only that one may make a connection.
    private func refusal(of body: HTTPBody = .none, _ change: (inout URLRequest, UInt16) throws -> Void) async throws
        -> TransportError.InvalidRequest?
    {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        var request = try ExchangeRequest(.post, port: server.port, body: body)
        try change(&request.urlRequest, server.port)
        let error = try await session.failure(of: request)
        #expect(server.acceptedConnections == 0)
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        #expect(server.acceptedConnections == 1)
        #expect(error?.phase == .request)
        guard case .invalidRequest(let problem) = error?.reason else { return nil }
        return problem
    }

    /// The request as it arrived.
    private func received(body: HTTPBody = .none, _ change: (inout URLRequest) -> Void) async throws -> ServerRequest {
        let seen = Locked<ServerRequest?>(nil)
        let server = try HTTPServer { request in
            seen.withLock { $0 = request }
            return .text("ok")
        }
        defer { server.stop() }
        var request = try ExchangeRequest(.post, port: server.port, body: body)
        change(&request.urlRequest)
        #expect(try await session.reply(to: request).status == 200)
        return try #require(seen.withLock { $0 })
    }

    // MARK: Methods

    @Test(arguments: [
        "", " ", "GET ", " GET", "G T", "GET\r\n", "GET / HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET", "GET\n", "GET\u{0}",
        "GÉT", "opt\u{131}ons", "GET/", "G(T", "G,T", "G:T", "G\"T", "G[T", "G{T", "\u{7F}",
    ])
    func `A request whose method is not an HTTP token fails with notAToken and opens no connection`(method: String)
        async throws
    {
        let problem = try await refusal { request, _ in request.httpMethod = method }
        #expect(problem == TransportError.InvalidRequest(.method, .notAToken))
    }

    @Test(arguments: ["CONNECT", "connect"])
    func `A request with the method CONNECT fails with unsupportedMethod`(method: String) async throws {
        let problem = try await refusal { request, _ in request.httpMethod = method }
        #expect(problem == TransportError.InvalidRequest(.method, .unsupportedMethod))
    }

    @Test(arguments: [
        ("get", "GET"), ("pAtCh", "PATCH"), ("DELETE", "DELETE"), ("options", "OPTIONS"), ("PURGE", "PURGE"),
        ("purge", "purge"), ("M-SEARCH", "M-SEARCH"), ("A!#$%&'*+-.^_`|~9", "A!#$%&'*+-.^_`|~9"),
    ])
    func `Standard HTTP methods arrive at the server in uppercase, and other methods arrive unchanged`(
        method: String,
        arrives: String
    ) async throws {
        #expect(try await received { $0.httpMethod = method }.method == arrives)
    }

    /// A server must refuse it (RFC 10008, section 2.1).
    @Test(arguments: [nil, ""], [HTTPBody.none, .data(Data("a".utf8)), .data(Data("a".utf8), type: "a/b")])
    func `A QUERY without a Content-Type field fails with missing and opens no connection`(
        type: String?,
        body: HTTPBody
    ) async throws {
        let problem = try await refusal(of: body) { request, _ in
            request.httpMethod = "QUERY"
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        #expect(problem == TransportError.InvalidRequest(.headerValue(name: "Content-Type"), .missing))
    }

    // MARK: Headers

    @Test(arguments: [
        "", " ", "X One", "X-One ", " X-One", "X:", ":", "X-One:", "X\r\nY", "X\nY", "X\r", "X\u{0}", "X\t", "Ä",
        "X-\u{E9}",
        "X\u{10D}", "X(Y)", "X/Y", "X,Y", "X;Y", "X=Y", "X@Y", "X[Y]", "X{Y}", "X\"Y\"", "X\\Y", "X\u{7F}",
    ])
    func `A request with a header name that is not an HTTP token fails with notAToken`(name: String) async throws {
        let problem = try await refusal { request, _ in request.allHTTPHeaderFields = [name: "1"] }
        #expect(problem == TransportError.InvalidRequest(.headerName(name), .notAToken))
    }

    @Test(arguments: [
        "Host", "host", "HOST", "Transfer-Encoding", "transfer-encoding", "Connection", "Expect", "TE", "Trailer",
        "Upgrade",
        "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "proxy-x",
    ])
    func `A request that sets a reserved header, such as Host or Connection, fails with reserved`(name: String)
        async throws
    {
        let problem = try await refusal { request, _ in request.allHTTPHeaderFields = [name: "x"] }
        #expect(problem == TransportError.InvalidRequest(.headerName(name), .reserved))
    }

    @Test(arguments: [
        ("a\r\nX-Injected: 1", TransportError.InvalidRequest.Problem.forbiddenByte(0x0D)),
        ("a\nb", .forbiddenByte(0x0A)),
        ("a\rb", .forbiddenByte(0x0D)), ("a\r\n b", .forbiddenByte(0x0D)), ("token\n", .forbiddenByte(0x0A)),
        ("a\u{0}b", .forbiddenByte(0)), ("a\u{1}b", .forbiddenByte(1)), ("a\u{1B}[0m", .forbiddenByte(0x1B)),
        ("a\u{7F}b", .forbiddenByte(0x7F)), ("caf\u{E9}", .forbiddenByte(0xC3)), ("a\u{10D}b", .forbiddenByte(0xC4)),
        ("a\u{560A}b", .forbiddenByte(0xE5)), ("a\u{2028}b", .forbiddenByte(0xE2)), (" a", .surroundingWhitespace),
        ("a ", .surroundingWhitespace), ("\ta", .surroundingWhitespace), ("a\t", .surroundingWhitespace),
        (" ", .surroundingWhitespace),
    ])
    func `A request fails with forbiddenByte or surroundingWhitespace if a header value has one`(
        value: String,
        problem: TransportError.InvalidRequest.Problem
    ) async throws {
        let refusal = try await refusal { request, _ in request.allHTTPHeaderFields = ["X-One": value] }
        #expect(refusal == TransportError.InvalidRequest(.headerValue(name: "X-One"), problem))
    }

    @Test(arguments: [
        ("X-One", "1"), ("x-one", "a b"), ("X-One", "a\tb"), ("X-One", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
        ("!#$%&'*+-.^_`|~9", "1"), ("X-Long", String(repeating: "x", count: 8_000)),
        ("Authorization", "Bearer a.b-c_d=="),
        ("User-Agent", "mine/1"), ("Accept", "*/*"), ("Cookie", "a=1; b=2"), ("Accept-Encoding", "identity"),
    ])
    func `A valid request header arrives with its name and value unchanged`(name: String, value: String) async throws {
        let request = try await received { $0.allHTTPHeaderFields = [name: value] }
        #expect(request.headers.values(for: name) == [value])
        #expect(String(decoding: request.rawHead, as: UTF8.self).contains("\r\n\(name): \(value)\r\n"))
    }

    // MARK: Content-Length

    @Test(arguments: ["0", "3", "5", "40", "-4", "+4", "4 ", "04x", "0x4", "4, 4", "", "99999999999999999999"])
    func `A request whose Content-Length header differs from its body's length fails with InvalidRequest`(
        length: String
    )
        async throws
    {
        let problem = try await refusal(of: .data(Data("four".utf8))) { request, _ in
            request.allHTTPHeaderFields = ["content-LENGTH": length]
        }
        #expect(problem?.part == .headerValue(name: "content-LENGTH"))
    }

    @Test
    func `A request with a Content-Length header and a stream of unknown length fails with wrongLength`() async throws {
        let stream = HTTPBody.stream(count: nil) { InputStream(data: Data("four".utf8)) }
        let problem = try await refusal(of: stream) { request, _ in
            request.allHTTPHeaderFields = ["Content-Length": "4"]
        }
        #expect(
            problem == TransportError.InvalidRequest(.headerValue(name: "Content-Length"), .wrongLength(actual: nil))
        )
    }

    @Test(arguments: ["4", "04"])
    func `A correct Content-Length header arrives once, without leading zeros`(length: String) async throws {
        let request = try await received(body: .data(Data("four".utf8))) { request in
            request.allHTTPHeaderFields = ["content-length": length]
        }
        #expect(request.headers.values(for: "Content-Length") == ["4"])
        #expect(request.headers.values(for: "Transfer-Encoding") == [])
        #expect(request.body == Data("four".utf8))
    }

    @Test(arguments: [3, 5])
    func `A request whose stream body is shorter or longer than its declared count fails with bodyLength`(count: Int64)
        async throws
    {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        for body in [
            HTTPBody.stream(count: count) { InputStream(data: Data("four".utf8)) },
            .once(InputStream(data: Data("four".utf8)), count: count),
        ] {
            let error = try await session.failure(of: ExchangeRequest(.post, port: server.port, body: body))
            #expect(error?.reason == .bodyLength(declared: count, actual: 4))
        }
        #expect(server.acceptedConnections == 0)
    }

    // MARK: Bodies

    @Test(arguments: ["GET", "get", "HEAD"])
    func `A GET or HEAD request with a body fails with bodyNotAllowed`(method: String) async throws {
        let problem = try await refusal(of: .data(Data("x".utf8))) { request, _ in request.httpMethod = method }
        #expect(problem == TransportError.InvalidRequest(.body, .bodyNotAllowed))
    }

    @Test func `A file body that is missing, a folder or a device fails with unreadableFile`() async throws {
        let folder = FileManager.default.temporaryDirectory
        for url in [folder, folder.appendingPathComponent(UUID().uuidString), URL(fileURLWithPath: "/dev/zero")] {
            let problem = try await refusal(of: .file(url)) { _, _ in }
            #expect(problem == TransportError.InvalidRequest(.body, .unreadableFile))
        }
    }

    @Test func `A stream body that cannot be created or opened fails with unreadableStream`() async throws {
        struct Unmade: Error {}
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        for body in [
            HTTPBody.stream(count: 4) { throw Unmade() },
            .stream(count: 4) { InputStream(url: missing) ?? InputStream(data: Data()) },
        ] {
            let problem = try await refusal(of: body) { _, _ in }
            #expect(problem == TransportError.InvalidRequest(.body, .unreadableStream))
        }
    }

    // MARK: URLs

    @Test(arguments: [
        ("http://user@HOST/", TransportError.InvalidRequest.Problem.userInfo), ("http://user:pass@HOST/", .userInfo),
        ("http://@HOST/", .userInfo), ("ftp://HOST/", .unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
        ("/relative", .unsupportedScheme), ("relative", .unsupportedScheme), ("ws://HOST/", .unsupportedScheme),
        ("data:,x", .unsupportedScheme), ("http:", .badHost), ("http:/x", .badHost), ("http:///x", .badHost),
        ("http://HOST/#part", .fragment), ("http://HOST/a?b#", .fragment), ("http://HOST/../x", .dotSegment),
        ("http://HOST/./x", .dotSegment), ("http://HOST/a/..", .dotSegment), ("http://HOST/%2e%2E/x", .dotSegment),
        ("http://HOST/.%2e", .dotSegment), ("http://HOST/%2E", .dotSegment), ("http://127.0.0.1:0/", .badPort),
        ("http://127.0.0.1:65536/", .badPort), ("http://a%20b/", .badHost),
        ("http://a%00b/", .badHost), ("http://a,b/", .badHost),
    ])
    func `A request with an invalid URL fails with InvalidRequest and opens no connection`(
        text: String,
        problem: TransportError.InvalidRequest.Problem
    ) async throws {
        let refusal = try await refusal { request, port in
            let url: URL = try #require(URL(string: text.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(port)")))
            request.url = url
        }
        #expect(refusal == TransportError.InvalidRequest(.url, problem))
    }

    #if canImport(FoundationNetworking)
    @Test func `A URLSession request to an IPv6 literal fails with unsupportedIPv6Literal on Linux`() async throws {
        guard Engine.current == .urlSession else { return }
        let problem = try await refusal { request, port in request.url = URL(string: "http://[::1]:\(port)/") }
        #expect(problem == TransportError.InvalidRequest(.url, .unsupportedIPv6Literal))
    }
    #endif

    @Test func `A URLRequest without a URL fails with InvalidRequest, whose problem is missing`() async throws {
        let problem = try await refusal { request, _ in request.url = nil }
        #expect(problem == TransportError.InvalidRequest(.url, .missing))
    }

    @Test(arguments: ["HTTP", "hTTp"])
    func `A request whose URL scheme is in uppercase is sent with its path and query unchanged`(scheme: String)
        async throws
    {
        let request = try await received { request in
            request.url = request.url.flatMap { URL(string: scheme + $0.absoluteString.dropFirst(4) + "a%2Fb?c") }
        }
        #expect(request.target == "/a%2Fb?c")
    }
}

/// What needs no engine.
@Suite(.limited) struct RequestCheckTextTests {
    @Test func `A Last-Event-ID value may contain non-ASCII characters but no control character`() throws {
        try RequestCheck.check(["last-event-ID": "\u{E9}\u{1F600}"])
        #expect(throws: TransportError.InvalidRequest.self) {
            try RequestCheck.check(["Last-Event-ID": "\u{E9}\u{7F}"])
        }
    }

    /// Texts that `URL` itself would refuse, or change.
    @Test(arguments: [
        ("http://h/a b", TransportError.InvalidRequest.Problem.forbiddenByte(0x20)),
        ("http://h/a\r\nb", .forbiddenByte(0x0D)),
        ("http://h/\u{0}", .forbiddenByte(0)), ("http://h/\u{E9}", .forbiddenByte(0xC3)),
        ("http://h/\\", .forbiddenByte(0x5C)), ("http://h\\@e/", .forbiddenByte(0x5C)),
        ("http://h/<", .forbiddenByte(0x3C)),
        ("http://h/%", .badEscape), ("http://h/%2", .badEscape), ("http://h/%2x", .badEscape),
        ("http://h/?%%", .badEscape),
        ("http://h:x/", .badPort), ("http://h:80:80/", .badPort), ("http://h:-1/", .badPort), ("http://[::1", .badHost),
        ("http://[]/", .badHost), ("http://[::1]x/", .badHost), ("http://[h]/", .badHost), ("http://h]/", .badHost),
        ("http://[fe80::1%25]/", .badHost), ("http://[%25eth0]/", .badHost), ("http://[fe80::1%eth0]/", .badEscape),
        ("http://[fe80::1%25e%20h]/", .badHost), ("http://[fe80::1%2eth0]/", .badHost),
        ("http://[fe80::1%25eth0%25x]/", .badHost), ("http://h%25eth0/", .badHost), ("http://[::1]:0/", .badPort),
        ("", .unsupportedScheme),
        ("://h/", .unsupportedScheme), ("1http://h/", .unsupportedScheme), ("http//h/", .unsupportedScheme),
        ("http://a..b/", .badHost), ("http://.a/", .badHost), ("http://./", .badHost), ("http://a../", .badHost),
    ])
    func `CheckedURL throws InvalidRequest with the specific problem for the text of an invalid URL`(
        text: String,
        problem: TransportError.InvalidRequest.Problem
    ) {
        #expect(throws: TransportError.InvalidRequest(.url, problem)) { _ = try CheckedURL(text: text) }
    }

    @Test(arguments: [
        "http://h", "HTTPS://h/", "http://h:65535/", "http://127.0.0.1/", "http://[::1]:80/",
        "http://[fe80::1%25eth0]:8080/",
        "http://[::ffff:1.2.3.4]/",
        "http://xn--bcher-kva.example/", "http://a_b~c.d-e/", "http://h./", "http://h.:80/", "http://h/...",
        "http://h/.a/b./..c", "http://h/a//b",
        "http://h/%2F%2f", "http://h/?a=../b&c=%20", "http://h/a;b=1,c:@!$&'()*+", "http://h/?a[0]=1?/:@",
    ])
    func `CheckedURL accepts the text of a valid URL, including rare but legal forms`(text: String) {
        #expect(throws: Never.self) { _ = try CheckedURL(text: text) }
    }

    @Test
    func `A URLSession request with an invalid header in httpAdditionalHeaders fails with invalidRequest`() async throws
    {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        for (name, value) in [
            ("X-One", "a\r\nX-Injected: 1"), ("X\r\nY", "1"), ("Host", "evil"), ("Content-Length", "3"),
        ] {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpAdditionalHeaders = [name: value]
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            let error = try await session.failure(of: ExchangeRequest(port: server.port))
            guard case .invalidRequest = error?.reason else {
                #expect(Bool(false), "\(name) is sent: \(String(describing: error))")
                continue
            }
        }
        #expect(server.acceptedConnections == 0)
    }
}
