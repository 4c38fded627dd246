import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Token endpoints that answer against the standards. Some of it crashes the `URLSession` of Linux.
@Suite(.limited) struct HostileTokenEndpointTests {
    private static let secret = "SECRET-SECRET-SECRET"

    private static func json(_ body: String, _ status: String = "200 OK") -> String {
        reply(status, ["Content-Type: application/json"], body: body)
    }

    private static let answers: [String] = [
        reply("200 OK", ["Content-Type: text/html"], body: "<p>\(secret)</p>"),
        reply("500 Internal Server Error", ["Content-Type: text/html"], body: "<p>refresh_token=\(secret)</p>"),
        reply("307 Temporary Redirect", ["Location: /elsewhere"]),
        reply("204 No Content"),
        json(""),
        json("{}"),
        json("[]"),
        json(#"{"access_token": null}"#),
        json(#"{"access_token": ""}"#),
        json(#"{"access_token": 7}"#),
        json(#"{"refresh_token": "r"}"#),
        json(#"{"access_token": "a\r\nX-Evil: 1"}"#),
        json(#"{"access_token": "ü"}"#),
        json(#"{"access_token": "a", "token_type": "DPoP"}"#),
        json(#"{"access_token": "a", "token_type": "mac"}"#),
        json(#"{"access_token": "a", "refresh_token": 5}"#),
        json(#"{"access_token": "a", "expires_in": "soon""#),
        json(#"{"error": 5}"#, "400 Bad Request"),
        json(#"{"error": "invalid_request", "error_description": "\#(secret) is wrong"}"#, "400 Bad Request"),
        json(#"{"error": "unknown token \#(secret)"}"#, "400 Bad Request"),
        json(#"{"error": "invalid_scope", "access_token": "a"}"#),
        json(#"{"access_token": "a", "pad": "\#(String(repeating: "x", count: 2 << 20))"}"#),
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"access_token\": \"a\"}",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"acc",
        "HTTP/1.1 200 OK\r\nContent-Ty",
        "NOTHTTP\r\n\r\n",
        "",
    ]

    @Test(arguments: answers.indices)
    func `A bad token response fails without showing the refresh token, and a later refresh succeeds`(index: Int)
        async throws
    {
        let server = try ScriptedServer { request, connection, number in
            #expect(request.target == "/token")
            guard number == 0 else { return try connection.write(Self.json(#"{"access_token": "good"}"#)) }
            try connection.write(Self.answers[index])
            connection.close()
        }
        defer { server.stop() }
        let old = StoredToken("a0", expiresAt: .distantPast, refreshToken: Self.secret)
        let store = MemoryTokenStore(old)
        let source = TokenSource.refreshToken(Self.secret, at: server.url("/token"), id: "me", store: store)
        let error = await #expect(throws: (any Error).self) { try await token(of: source) }
        let text = "\(error as Any) \(error?.localizedDescription ?? "")"
        #expect(!text.contains(Self.secret), "\(text)")
        #expect(store.token == old)
        #expect(try await token(of: source) == "Bearer good")
        #expect(store.token?.refreshToken == Self.secret)
    }

    private func token(of source: TokenSource) async throws -> String? {
        let call = Call()
        call.authorization = .tokens(source)
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        _ = try await call.value()
        return call.request?.value(forHTTPHeaderField: "Authorization")
    }
}
