import APIBaseKit
import LoopbackServer
import TestTiers
import Testing

@Suite(.everySession, .limited) struct AuthorizationTests {
    private func sent(_ authorization: Authorization?, _ change: (Call) -> Void = { _ in }) throws -> [String: String]?
    {
        let call = Call()
        call.authorization = authorization
        change(call)
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        if let failure = outcome(of: call.start()).failure { throw failure }
        return call.request?.allHTTPHeaderFields
    }

    @Test func `Each kind of authorization sends its header: Bearer, Basic or a custom one`() throws {
        #expect(try sent(nil) == [:])
        #expect(try sent(.bearer("abc")) == ["Authorization": "Bearer abc"])
        #expect(try sent(.header("X-Api-Key", "k")) == ["X-Api-Key": "k"])
        // RFC 7617, sections 2 and 2.1.
        #expect(
            try sent(.basic(user: "Aladdin", password: "open sesame")) == [
                "Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ]
        )
        #expect(try sent(.basic(user: "test", password: "123£")) == ["Authorization": "Basic dGVzdDoxMjPCow=="])
        #expect(try sent(.basic(user: "", password: "a:b")) == ["Authorization": "Basic OmE6Yg=="])
    }

    private static let colon = "The user name contains a colon, which would separate it from the password."

    @Test(arguments: [
        (Authorization.basic(user: "a:b", password: "c"), colon),
        (.basic(user: ":", password: ""), colon),
        (.basic(user: "a\nb", password: "c"), "The user name contains the byte 0xa, which may not be sent there."),
        (.basic(user: "a", password: "b\u{0}"), "The password contains the byte 0x0, which may not be sent there."),
        (.basic(user: "a", password: "\u{7F}"), "The password contains the byte 0x7f, which may not be sent there."),
        (.digest(user: "a\r", password: "c"), "The user name contains the byte 0xd, which may not be sent there."),
        (.digest(user: "a", password: "c\n"), "The password contains the byte 0xa, which may not be sent there."),
    ])
    func `Basic and Digest credentials that cannot be sent throw RequestError, which names the part and the problem`(
        authorization: Authorization,
        text: String
    ) {
        let error = #expect(throws: RequestError.self) { try sent(authorization) }
        #expect(error?.localizedDescription == text)
    }

    @Test func `A call with an empty bearer token fails with invalidRequest`() {
        let problem = TransportError.InvalidRequest(.headerValue(name: "Authorization"), .missing)
        #expect(throws: RequestError.invalidRequest(problem)) { try sent(.bearer("")) }
        #expect("\(problem)" == "The value of the header Authorization is missing.")
    }

    @Test(arguments: [
        Authorization.bearer("a\r\nX-Evil: 1"), .header("X Y", "z"), .header("Host", "evil"), .bearer("a\u{0}"),
    ])
    func `An authorization with a control character, a bad header name or Host throws RequestError`(
        authorization: Authorization
    ) {
        #expect(throws: RequestError.self) { try sent(authorization) }
    }

    @Test func `A header that the call sets itself is sent instead of the same header of its authorization`() throws {
        #expect(try sent(.bearer("abc")) { $0.headers["authorization"] = "Own" } == ["authorization": "Own"])
        #expect(try sent(.header("X-Api-Key", "k")) { $0.headers["x-api-key"] = "own" } == ["x-api-key": "own"])
        let source = TokenSource { _ in throw URLError(.unknown) }
        #expect(try sent(.tokens(source)) { $0.headers["Authorization"] = "Own" } == ["Authorization": "Own"])
    }

    @Test func `A redirect to another origin drops Authorization and custom credential headers`() async throws {
        let other = try HTTPServer { request in
            .text("\(request.headers.values(for: "X-Own-Key"))\(request.headers.values(for: "Authorization"))")
        }
        defer { other.stop() }
        let server = try HTTPServer { _ in
            ServerResponse(status: 302, headers: HTTPFields(["Location": "http://127.0.0.1:\(other.port)/"]))
        }
        defer { server.stop() }
        for authorization in [Authorization.header("X-Own-Key", "secret"), .bearer("secret")] {
            let call = Call(base: "http://127.0.0.1:\(server.port)")
            call.session = EverySession.current
            call.authorization = authorization
            #expect(try await call.value().data == Data("[][]".utf8))
        }
    }

    @Test func `Printed authorizations, tokens, token sources and calls do not show secrets`() {
        let call = Call()
        for authorization in [
            Authorization.bearer("canary"), .basic(user: "canary", password: "canary"), .header("X", "canary"),
        ] {
            call.authorization = authorization
            for value in [authorization, Token("canary"), TokenSource(Token("canary")) { _ in Token("canary") }, call]
                as [Any]
            {
                var text = "\(value)\(String(reflecting: value))"
                dump(value, to: &text)
                #expect(!text.contains("canary"))
            }
        }
    }
}
