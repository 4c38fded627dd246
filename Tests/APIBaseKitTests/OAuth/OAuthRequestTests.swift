import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// What goes to a token endpoint, and where it does not go.
@Suite(.tags(.concurrent), .everySession, .limited) struct OAuthRequestTests {
    private func token(of source: TokenSource, at base: String = "http://api.example") async throws -> String? {
        let call = Call(base: base)
        call.authorization = .tokens(source)
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        _ = try await call.value()
        return call.request?.value(forHTTPHeaderField: "Authorization")
    }

    private func sources(at url: URL) -> [TokenSource] {
        let session = EverySession.current
        return [
            .refreshToken("r", at: url, id: "me", session: session),
            .clientCredentials(at: url, id: "me", secret: "s", session: session),
        ]
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `An OAuth token request that is redirected fails with OAuthError and is not sent on`(status: Int) async throws
    {
        let seen = Locked(0)
        let other = try HTTPServer { _ in
            seen.withLock { $0 += 1 }
            return .json(Data(#"{"access_token": "t"}"#.utf8))
        }
        defer { other.stop() }
        let end = other.url.absoluteString
        let server = try HTTPServer { _ in .text("", status: status, headers: HTTPFields(["Location": end])) }
        defer { server.stop() }
        for source in sources(at: server.url) {
            let error = try await #require(throws: TokenSource.OAuthError.self) { try await token(of: source) }
            #expect(error.code == "redirect")
            #expect(error.statusCode == status)
            #expect(error.localizedDescription.contains("follows no redirect"))
        }
        #expect(seen.withLock { $0 } == 0)
    }

    @Test
    func `OAuth token requests send extra parameters, and with secretIn .form the secret, in the form body`()
        async throws
    {
        let seen = Locked<[String]>([])
        let server = try HTTPServer { request in
            seen.withLock { seen in
                seen.append(request.headers.values(for: "Authorization").first ?? "none")
                seen.append(String(decoding: request.body, as: UTF8.self))
            }
            return .json(Data(#"{"access_token": "t"}"#.utf8))
        }
        defer { server.stop() }
        let (url, session) = (server.url, EverySession.current)
        let sources: [TokenSource] = [
            .clientCredentials(
                at: url,
                id: "me",
                secret: "s&t",
                scope: "read",
                parameters: ["resource": "https://b.example", "audience": "books"],
                secretIn: .form,
                session: session
            ),
            .clientCredentials(at: url, id: "me", secret: "s", parameters: ["client_id": "me"], session: session),
            .refreshToken("r", at: url, id: "me", secret: "s", secretIn: .form, session: session),
            .refreshToken("r", at: url, id: "me", parameters: ["scope": "read"], secretIn: .form, session: session),
        ]
        for source in sources { #expect(try await token(of: source) == "Bearer t") }
        #expect(
            seen.withLock { $0 } == [
                "none",
                "grant_type=client_credentials&scope=read&client_id=me&client_secret=s%26t&audience=books"
                    + "&resource=https%3A%2F%2Fb.example",
                "Basic \(Data("me:s".utf8).base64EncodedString())", "grant_type=client_credentials&client_id=me",
                "none", "grant_type=refresh_token&refresh_token=r&client_id=me&client_secret=s",
                "none", "grant_type=refresh_token&refresh_token=r&client_id=me&scope=read",
            ]
        )
    }

    /// The tokens are for several servers, but the refresh token is for one: the endpoint.
    @Test func `Concurrent calls to ten servers send their OAuth refresh requests one at a time`() async throws {
        let state = Locked((current: 1, atWork: 0, most: 0, refused: 0))
        let server = try HTTPServer { request in
            let expected = state.withLock { state in
                state.atWork += 1
                state.most = max(state.most, state.atWork)
                return "grant_type=refresh_token&refresh_token=r\(state.current)&client_id=me"
            }
            usleep(2_000)
            return state.withLock { state in
                state.atWork -= 1
                guard String(decoding: request.body, as: UTF8.self) == expected else {
                    state.refused += 1
                    return .json(Data(#"{"error": "invalid_grant"}"#.utf8), status: 400)
                }
                state.current += 1
                return .json(
                    Data(#"{"access_token": "t\#(state.current)", "refresh_token": "r\#(state.current)"}"#.utf8)
                )
            }
        }
        defer { server.stop() }
        let source = TokenSource.refreshToken("r1", at: server.url, id: "me", session: EverySession.current)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<10 {
                group.addTask { try await token(of: source, at: "http://\(number).example") }
            }
            var tokens: Set<String?> = []
            for try await token in group { tokens.insert(token) }
            #expect(tokens == Set((2...11).map { "Bearer t\($0)" }))
        }
        #expect(state.withLock { $0.most } == 1)
        #expect(state.withLock { $0.refused } == 0)
    }

    @Test func `An OAuth token source starts with its initial refresh token in each Stubs object`() async throws {
        let url = try #require(URL(string: "https://login.example/token"))
        let source = TokenSource.refreshToken("r1", at: url, id: "me")
        for _ in 0..<2 {
            let stubs = Stubs()
            stubs.on(.post, "/token").answer(with: { call in
                #expect(String(decoding: call.body, as: UTF8.self).contains("refresh_token=r1&"))
                return .json(#"{"access_token": "a", "refresh_token": "r2"}"#)
            })
            stubs.on(nil, "/x").answer(.text("ok"))
            let call = WatchedCall()
            call.authorization = .tokens(source)
            #expect(try await stubs.run { try await call.value() } == 200)
        }
    }
}
