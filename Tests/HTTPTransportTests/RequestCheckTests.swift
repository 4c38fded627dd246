import DemoServer
import Foundation
import HTTPTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension OverSockets {
    @Suite struct RequestCheckTests {
        /// Asks for the exchange and expects that it is refused for this reason before anything reaches the server.
        private func expect(
            _ part: InvalidRequest.Part,
            _ problem: InvalidRequest.Problem?,
            of request: ExchangeRequest,
            from server: ScriptedServer,
            _ location: SourceLocation = #_sourceLocation
        ) async {
            let error = await DefaultSession.shared.fetch(request)?.error
            if case .invalidRequest(let found) = error?.reason {
                #expect(found.part == part, sourceLocation: location)
                if let problem { #expect(found.problem == problem, sourceLocation: location) }
            } else {
                Issue.record("not refused: \(String(describing: error))", sourceLocation: location)
            }
            #expect(error?.phase == .request, sourceLocation: location)
            #expect(server.connections == 0, sourceLocation: location)
        }

        @Test(arguments: [
            "", " ", "X Y", "X:Y", "X\r\nEvil: 1", "X\n", "X\u{0}", "Naïve", "X\u{10D}", "(x)", "x,y", "x\"y", "\u{7F}",
        ])
        func refusesHeaderNames(_ name: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            await expect(.headerName(name), .notAToken, of: make(.get, server.url(), [name: "canary"]), from: server)
        }

        @Test(arguments: [
            "a\r\nEvil: 1", "a\rb", "a\nb", "a\u{0}b", "a\u{1}", "a\u{7F}b", "a\r\n b", "č", "\u{560A}", "é", "\u{85}",
            " a", "a ", "\ta", "a\t", "a\n", " ",
        ])
        func refusesHeaderValues(_ value: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            var request = make(.get, server.url())
            request.urlRequest.allHTTPHeaderFields = ["X-Bad": value]
            await expect(.headerValue(name: "X-Bad"), nil, of: request, from: server)
        }

        @Test(arguments: [
            "Transfer-Encoding", "host", "Connection", "Expect", "TE", "Trailer", "upgrade", "Keep-Alive",
            "Proxy-Authorization", "proxy-connection", "Proxy-X",
        ])
        func keepsHeadersOfTheTransport(_ name: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            await expect(.headerName(name), .reserved, of: make(.get, server.url(), [name: "x"]), from: server)
        }

        @Test(arguments: ["GET / HTTP/1.1\r\nEvil: 1\r\n", "G T", "", "GÉT", "GET\n", "a/b"])
        func refusesMethods(_ method: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            await expect(.method, nil, of: make(HTTPMethod(rawValue: method), server.url()), from: server)
        }

        @Test(arguments: [
            ("ftp://127.0.0.1/", InvalidRequest.Problem.unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme),
            ("http:///x", .badHost), ("http://u:p@127.0.0.1/", .userInfo), ("http://u@127.0.0.1/", .userInfo),
            ("http://127.0.0.1/a/../b", .dotSegment), ("http://127.0.0.1/a/%2e%2E/b", .dotSegment),
            ("http://127.0.0.1/.", .dotSegment), ("http://127.0.0.1/.%2e", .dotSegment),
            ("http://127.0.0.1/#f", .fragment),
            ("http://127.0.0.1:0/", .badPort), ("http://127.0.0.1:65536/", .badPort), ("http://a%2eb/", .badHost),
        ])
        func refusesURLs(_ text: String, _ problem: InvalidRequest.Problem) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let url = try #require(URL(string: text))
            await expect(.url, problem, of: make(.get, url), from: server)
        }

        @Test(arguments: ["0", "4", "6", "5 ", "+5", "05x", "5, 5", "", "-5", "99999999999999999999"])
        func refusesAWrongContentLength(_ length: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let body = HTTPBody.data(Data("12345".utf8))
            let request = make(.post, server.url(), ["content-length": length], body: body)
            await expect(.headerValue(name: "content-length"), nil, of: request, from: server)
        }

        @Test func sendsTheRightContentLengthOnce() async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let body = HTTPBody.data(Data("12345".utf8))
            let result = await DefaultSession.shared.fetch(
                make(.post, server.url(), ["content-length": "5"], body: body)
            )
            #expect(result?.status == 200)
            #expect(server.requests.first?.values("Content-Length") == ["5"])
        }

        @Test(arguments: [HTTPMethod.get, .head])
        func refusesABodyWhereNoneBelongs(_ method: HTTPMethod) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let request = make(method, server.url(), body: .data(Data("x".utf8)))
            await expect(.body, .bodyNotAllowed, of: request, from: server)
        }

        @Test func refusesWhatOnlyThePlatformCannotDo() async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let url = try #require(URL(string: "http://[::1]:\(server.port)/"))
            #expect(throws: Never.self) { try RequestCheck.check(URLRequest(url: url)) }
            #if canImport(FoundationNetworking)
            await expect(.url, .unsupportedIPv6Literal, of: make(.get, url), from: server)
            #endif
        }

        @Test(arguments: [
            "/", "/a%2Fb", "/a//b", "/...", "/.well-known", "/a..b", "/%C3%A9?q=%20&x=a+b", "/?", "/a;b=c,d@e:f",
            "/?a[]=1",
        ])
        func passesWhatIsAllowed(_ path: String) async throws {
            let server = try ScriptedServer(always: reply())
            defer { server.stop() }
            let headers = ["X-Odd_Name!": "a\tb \"c\" (d)", "X-Empty": ""]
            let url = server.url(path)
            let result = await DefaultSession.shared.fetch(make(HTTPMethod(rawValue: "report"), url, headers))
            #expect(result?.status == 200)
            let request = try #require(server.requests.first)
            #expect(request.method == "report")
            #expect("http://127.0.0.1:\(server.port)" + request.target == url.absoluteString)
            #expect(request["X-Odd_Name!"] == "a\tb \"c\" (d)")
        }

        @Test func namesTheHeaderAndNeverItsValue() {
            var request = URLRequest(url: URL(fileURLWithPath: "/"))
            request.url = URL(string: "http://h/")
            request.allHTTPHeaderFields = ["X-Token": "canary\r\nEvil: 1"]
            let error = #expect(throws: InvalidRequest.self) { try RequestCheck.check(request) }
            let texts = [error?.localizedDescription, error.map { "\($0)" }, error.map { String(reflecting: $0) }]
            for text in texts {
                #expect(text?.contains("X-Token") == true)
                #expect(text?.contains("canary") == false)
            }
        }
    }
}
