import APIBaseKit
import DemoServer
import TestTiers
import Testing

/// What must not be sent: each fails while the request is built, and reaches no server.
@Suite(.limited) struct InvalidRequestTests {
    private static let badNames = [
        "", " ", "X Y", "X:", "X\r\nY", "X\nY", "X\u{0}", "X\tY", "(X)", "X,Y", "Ä", "X\u{7F}", "\u{10D}\u{10A}",
    ]

    @Test(arguments: badNames)
    func `A header name that is not a token makes the request fail with invalidRequest`(name: String) async throws {
        try await expectRefusal { $0.headers.add(name: name, value: "1") }
    }

    @Test(arguments: badNames.filter { !$0.isEmpty })
    func `An invalid header name set in buildURLRequest() fails with invalidRequest`(name: String) async throws {
        try await expectRefusal { $0.change = { $0.allHTTPHeaderFields = [name: "1"] } }
    }

    private static let badValues = [
        "a\r\nX: y", "a\nb", "a\rb", "a\u{0}b", "a\u{1}b", "a\u{7F}", " a", "a ", "\ta", "a\r\n b", "\u{560A}", "ä",
    ]

    @Test(arguments: badValues)
    func `A header value with control, non-ASCII or outer blank characters fails with invalidRequest`(value: String)
        async throws
    {
        try await expectRefusal { $0.headers["X-Value"] = value }
    }

    @Test(arguments: badValues)
    func `A contentType that is not a valid header value fails with invalidRequest`(value: String) async throws {
        try await expectRefusal {
            $0.method = .post
            $0.body = Data("x".utf8)
            $0.contentType = value
        }
    }

    @Test func `A header name with a Kelvin sign in place of K fails with invalidRequest`() async throws {
        try await expectRefusal { call in
            call.headers = ["X-Api-Key": "real"]
            call.headers.add(name: "X-Api-\u{212A}ey", value: "fake")
        }
    }

    @Test(arguments: ["po\u{17F}t", "opt\u{131}ons", "\u{FF27}ET"])
    func `An HTTP method with a Unicode look-alike letter fails with invalidRequest`(method: String) async throws {
        try await expectRefusal { $0.method = HTTPMethod(rawValue: method) }
    }

    @Test(arguments: ["3", "4, 4", "x"])
    func `A Content-Length header that is malformed or not the body's length fails with invalidRequest`(length: String)
        async throws
    {
        try await expectRefusal {
            $0.method = .post
            $0.body = Data("four".utf8)
            $0.headers["content-length"] = length
        }
    }

    @Test(arguments: [
        "Host", "Transfer-Encoding", "Connection", "Expect", "TE", "Trailer", "Upgrade", "Proxy-Authorization",
        "Proxy-Connection", "host", "HOST", "Keep-Alive",
    ])
    func `Setting a header that only the transport may set, such as Host, fails with invalidRequest`(name: String)
        async throws
    {
        try await expectRefusal { $0.headers[name] = "1" }
    }

    @Test(arguments: ["3", "0", "-1", "x", "4, 4", "5"])
    func `A wrong Content-Length set in buildURLRequest() fails with invalidRequest`(length: String) async throws {
        try await expectRefusal {
            $0.method = .post
            $0.body = Data("four".utf8)
            $0.change = { $0.setValue(length, forHTTPHeaderField: "Content-Length") }
        }
    }

    @Test(arguments: ["", " ", "GET ", "GE T", "GET\r\nX: y", "GET / HTTP/1.1\r\n\r\n", "G\u{0}", "GÄT", "GET:"])
    func `An HTTP method that is not a token fails with invalidRequest`(method: String) async throws {
        try await expectRefusal { $0.method = HTTPMethod(rawValue: method) }
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func `A GET or HEAD request with a body fails with invalidRequest`(method: HTTPMethod) async throws {
        try await expectRefusal {
            $0.method = method
            $0.body = Data("x".utf8)
        }
    }

    @Test(arguments: [
        "http://u:p@127.0.0.1/x", "ftp://127.0.0.1/x", "/x", "http:///x", "http://127.0.0.1/a/..%2f..%2fadmin",
        "http://127.0.0.1/a/..%5c..", "http://127.0.0.1/a%00", "http://127.0.0.1/a%0d%0aX:%20y",
    ])
    func `An invalid URL set in buildURLRequest() fails with invalidRequest`(text: String) async throws {
        let url = try #require(URL(string: text))
        try await expectRefusal { $0.change = { $0.url = url } }
    }

    @Test func `The error for an invalid header value shows the header's name but not its value`() {
        let call = Call()
        call.headers["X-Secret"] = "secret\n"
        let error = #expect(throws: RequestError.self) { try call.buildURLRequest() }
        let sentence = error?.localizedDescription ?? ""
        #expect(sentence.contains("X-Secret"))
        #expect(!sentence.contains("secret\n"))
        #expect(!String(describing: error).contains("secret\n"))
    }

    private func expectRefusal(_ change: (ChangedCall) -> Void) async throws {
        let server = DemoAPIServer()
        let call = ChangedCall()
        call.baseURL = try server.start()
        defer { server.stop() }
        change(call)
        await #expect { try await call.value() } throws: { error in
            guard case RequestError.invalidRequest = error else { return false }
            return true
        }
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        await #expect(throws: RequestError.self) { try await call.value() }
        #expect(server.acceptedConnections == 0)
    }
}

/// A call whose override of `buildURLRequest()` changes the request.
private final class ChangedCall: APIBase, Request {
    var change: ((inout URLRequest) -> Void)?

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        change?(&request)
        return request
    }

    func start() -> AnyPublisher<DataResponseTuple, any Error> {
        sendRequest()
    }
}
