import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// A server that takes one token at a time, and keeps what it has seen.
private final class TokenServer: Sendable {
    struct Seen: Sendable {
        var valid = 0
        /// Attempts by token, and how many of them came after their token had been replaced.
        var attempts: [String: Int] = [:]
        var refreshes = 0
    }

    let seen: Locked<Seen>
    let server: HTTPServer

    init(_ valid: Int = 0) throws {
        let seen = Locked(Seen(valid: valid))
        self.seen = seen
        server = try HTTPServer { request in
            let token = request.headers.values(for: "Authorization").first ?? "none"
            let isValid = seen.withLock { seen in
                seen.attempts[token, default: 0] += 1
                return token == "Bearer \(seen.valid)"
            }
            return .text(token, status: isValid ? 200 : 401)
        }
    }

    /// Makes the token that it takes from now on.
    func next() -> Token {
        let number = seen.withLock { seen in
            seen.refreshes += 1
            seen.valid += 1
            return seen.valid
        }
        return Token("\(number)")
    }

    func call(_ source: TokenSource, method: HTTPMethod = .get) -> Call {
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        call.session = EverySession.current
        call.method = method
        call.authorization = .tokens(source)
        return call
    }
}

@Suite(.tags(.concurrent), .everySession, .limited) struct TokenSourceTests {
    private struct Own: Error {}

    @Test
    func `A TokenSource starts with its initial token in each Stubs object and refreshes it once there`() async throws {
        let refreshes = Locked(0)
        let source = TokenSource(Token("first")) { old in
            refreshes.withLock { $0 += 1 }
            return Token("\(try #require(old).value) and another")
        }
        for _ in 0..<2 {
            let stubs = Stubs()
            stubs.on().answer(with: { .text($0.headers["Authorization"] ?? "none") })
            stubs.on(headers: ["Authorization": "Bearer first"]).overriding()
                .answer(inOrder: .status(401), then: .fallThrough)
            for _ in 0..<2 {
                let call = Call(base: "https://api.example")
                call.authorization = .tokens(source)
                let reply = try await stubs.runUnchecked { try await call.value() }
                #expect(String(decoding: reply.data, as: UTF8.self) == "Bearer first and another")
            }
            #expect(stubs.calls.count == 3)
        }
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test func `One token refresh serves all concurrent calls whose token gets a 401`() async throws {
        let server = try TokenServer(1)
        defer { server.server.stop() }
        let source = TokenSource(Token("0")) { old in
            #expect(old?.value == "0")
            return server.next()
        }
        let count = load(1_000)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await server.call(source).value().response.statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        let seen = server.seen.withLock { $0 }
        #expect(seen.refreshes == 1)
        #expect(seen.attempts["Bearer 2"] == count)
        // Nothing that began after the new token carries the old one.
        _ = try await server.call(source).value()
        #expect(server.seen.withLock { $0.attempts["Bearer 0"] } == seen.attempts["Bearer 0"])
    }

    @Test func `An expired token is refreshed before the call is sent`() async throws {
        let server = try TokenServer()
        defer { server.server.stop() }
        let source = TokenSource(Token("0", expiresAt: Date(timeIntervalSinceNow: -1))) { _ in server.next() }
        for _ in 0..<3 { #expect(try await server.call(source).value().data == Data("Bearer 1".utf8)) }
        #expect(server.seen.withLock { $0.attempts } == ["Bearer 1": 3])
    }

    @Test func `A token that is not expired is sent without a refresh`() async throws {
        let server = try TokenServer(7)
        defer { server.server.stop() }
        let source = TokenSource(Token("7", expiresAt: Date(timeIntervalSinceNow: 3_600))) { _ in throw Own() }
        #expect(try await server.call(source).value().data == Data("Bearer 7".utf8))
    }

    @Test
    func `A failed token refresh fails all calls that wait for it, and the next call refreshes again`() async throws {
        let server = try TokenServer()
        defer { server.server.stop() }
        let (attempts, gate) = (Locked(0), Later<Void>())
        let source = TokenSource { _ in
            if attempts.withLock({ count in
                count += 1
                return count == 1
            }) {
                try await gate.value()
                throw Own()
            }
            return server.next()
        }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do { _ = try await server.call(source).value() } catch { return error is Own }
                    return false
                }
            }
            // All wait before it fails.
            let isWaiting = try? await holds { source.waiterCount == 50 }
            #expect(isWaiting == true)
            gate.set()
            for await isOwn in group { #expect(isOwn) }
        }
        #expect(try await server.call(source).value().response.statusCode == 200)
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test
    func `A token that got a 401 is not sent again if its refresh fails; the next call refreshes again`() async throws {
        let server = try TokenServer(1)
        defer { server.server.stop() }
        let attempts = Locked(0)
        let source = TokenSource(Token("0")) { _ in
            guard
                attempts.withLock({ count in
                    count += 1
                    return count
                }) > 1
            else { throw Own() }
            return server.next()
        }
        await #expect(throws: Own.self) { try await server.call(source).value() }
        #expect(try await server.call(source).value().response.statusCode == 200)
        #expect(server.seen.withLock { $0.attempts } == ["Bearer 0": 1, "Bearer 2": 1])
    }

    @Test
    func `A call that gets a 401 is repeated once with a new token, and a second 401 is its result`() async throws {
        let server = try TokenServer(100)
        defer { server.server.stop() }
        let refreshes = Locked(0)
        let source = TokenSource(Token("a")) { _ in
            let number = refreshes.withLock { count in
                count += 1
                return count
            }
            return Token("b\(number)")
        }
        #expect(try await server.call(source).value().response.statusCode == 401)
        #expect(server.seen.withLock { $0.attempts } == ["Bearer a": 1, "Bearer b1": 1])
    }

    @Test
    func `A call that gets a 401 is resent with its whole body, except a bodyStream, which is read only once`()
        async throws
    {
        let bodies = Locked<[Data]>([])
        let server = try HTTPServer { request in
            bodies.withLock { $0.append(request.body) }
            return .text("", status: request.headers.values(for: "Authorization") == ["Bearer new"] ? 200 : 401)
        }
        defer { server.stop() }
        func call() -> Call {
            let call = Call(base: "http://127.0.0.1:\(server.port)")
            call.session = EverySession.current
            call.method = .post
            call.authorization = .tokens(TokenSource(Token("old")) { _ in Token("new") })
            return call
        }
        let bytes = Data(repeating: 1, count: 100_000)
        let replayed = call()
        replayed.content = .stream(count: nil) { InputStream(data: bytes) }
        #expect(try await replayed.value().response.statusCode == 200)
        #expect(replayed.request?.value(forHTTPHeaderField: "Authorization") == "Bearer new")
        let once = call()
        once.bodyStream = (InputStream(data: bytes), bytes.count)
        #expect(try await once.value().response.statusCode == 401)
        #expect(bodies.withLock { $0 } == [bytes, bytes, bytes])
    }

    @Test func `A call inside a token refresh that uses the same TokenSource is sent without a token`() async throws {
        let server = try TokenServer()
        defer { server.server.stop() }
        let source = Locked<TokenSource?>(nil)
        let own = TokenSource(Token("old")) { _ in
            guard let source = source.withLock({ $0 }) else { throw Own() }
            // Goes without a token, is refused, and is not refreshed.
            #expect(try await server.call(source).value().response.statusCode == 401)
            return server.next()
        }
        source.withLock { $0 = own }
        #expect(try await server.call(own).value().response.statusCode == 200)
        #expect(server.seen.withLock { $0.attempts } == ["Bearer old": 1, "none": 1, "Bearer 1": 1])
    }

    @Test func `A hanging token refresh does not delay the calls of another TokenSource`() async throws {
        let server = try TokenServer()
        defer { server.server.stop() }
        let never = TokenSource { _ in
            try await Task.sleep(for: .seconds(600))
            throw Own()
        }
        let waiting = Task { try await server.call(never).value() }
        #expect(try await holds { never.waiterCount == 1 })
        #expect(try await server.call(TokenSource { _ in server.next() }).value().response.statusCode == 200)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `A token refresh is canceled only when the last call that waits for it is canceled`() async throws {
        let server = try TokenServer()
        defer { server.server.stop() }
        let (gate, hasBegun, cancelled) = (Later<Void>(), Later<Void>(), Locked(0))
        let source = TokenSource { _ in
            hasBegun.set()
            try await withTaskCancellationHandler {
                try await gate.value()
            } onCancel: {
                cancelled.withLock { $0 += 1 }
                gate.set()
            }
            try Task.checkCancellation()
            return server.next()
        }
        let tasks = (0..<20).map { _ in Task { try await server.call(source).value().response.statusCode } }
        #expect(try await holds { source.waiterCount == 20 })
        try await hasBegun.value()
        for task in tasks.dropLast() { task.cancel() }
        #expect(try await holds { source.waiterCount == 1 })
        #expect(cancelled.withLock { $0 } == 0)
        tasks.last?.cancel()
        #expect(try await holds { cancelled.withLock { $0 } == 1 })
        // The next call starts another one: the gate is open by now.
        #expect(try await server.call(source).value().response.statusCode == 200)
        #expect(server.seen.withLock { $0.refreshes } == 1)
    }

    @Test func `A token refresh sees the task-local values of the call that started it`() async throws {
        enum Trace { @TaskLocal static var id = "none" }
        let server = try TokenServer(1)
        defer { server.server.stop() }
        let source = TokenSource(Token("0")) { _ in
            #expect(Trace.id == "call")
            return server.next()
        }
        let call = server.call(source)
        let publisher = Trace.$id.withValue("call") { call.start() }
        for try await reply in publisher.subscribe(on: DispatchQueue(label: "other")).values {
            #expect(reply.response.statusCode == 200)
        }
    }
}

@Suite(.tags(.concurrent), .everySession, .limited) struct OAuthTests {
    private func withEndpoint(
        _ replies: [(Int, String)],
        _ body: (URL) async throws -> Void
    ) async throws -> [ServerRequest] {
        let requests = Locked<[ServerRequest]>([])
        let server = try HTTPServer { request in
            let (status, text) = requests.withLock { requests in
                requests.append(request)
                return replies[min(requests.count, replies.count) - 1]
            }
            return .json(Data(text.utf8), status: status)
        }
        defer { server.stop() }
        try await body(server.url)
        return requests.withLock { $0 }
    }

    private func token(of source: TokenSource) async throws -> String? {
        let call = Call()
        call.authorization = .tokens(source)
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        _ = try await call.value()
        return call.request?.value(forHTTPHeaderField: "Authorization")
    }

    @Test
    func `TokenSource.clientCredentials sends id and secret as Basic authorization, the scope in the form`()
        async throws
    {
        let requests = try await withEndpoint([
            (200, #"{"access_token": "t", "token_type": "Bearer", "expires_in": "3600"}"#)
        ]) { url in
            let source = TokenSource.clientCredentials(at: url, id: "me:1", secret: "s e&cret", scope: "read write")
            let tokens = [try await token(of: source), try await token(of: source)]
            #expect(tokens == ["Bearer t", "Bearer t"])
        }
        #expect(requests.count == 1)
        #expect(requests.first?.method == "POST")
        #expect(requests.first?.body == Data("grant_type=client_credentials&scope=read+write".utf8))
        #expect(requests.first?.headers.values(for: "Content-Type") == ["application/x-www-form-urlencoded"])
        let expected = "Basic \(Data("me%3A1:s+e%26cret".utf8).base64EncodedString())"
        #expect(requests.first?.headers.values(for: "Authorization") == [expected])
    }

    @Test func `TokenSource.refreshToken sends the newest refresh token that the server has given`() async throws {
        let replies = [
            (200, #"{"access_token": "a", "token_type": "Bearer", "expires_in": 1e-9, "refresh_token": "r2"}"#),
            (200, #"{"access_token": "b", "token_type": "Bearer", "expires_in": 1e-9}"#),
            (200, #"{"access_token": "c", "token_type": "Bearer", "expires_in": 3600}"#),
        ]
        let requests = try await withEndpoint(replies) { url in
            let source = TokenSource.refreshToken("r1", at: url, id: "public")
            for expected in ["a", "b", "c", "c"] {
                let token = try await token(of: source)
                #expect(token == "Bearer \(expected)")
            }
        }
        #expect(
            requests.map { String(decoding: $0.body, as: UTF8.self) }
                == ["r1", "r2", "r2"].map {
                    "grant_type=refresh_token&refresh_token=\($0)&client_id=public"
                }
        )
        #expect(requests.allSatisfy { $0.headers.values(for: "Authorization").isEmpty })
    }

    /// A server that has seen a refresh token may take no other than the next.
    @Test
    func `TokenSource.refreshToken finishes a refresh whose call is canceled, and the next call uses it`() async throws
    {
        let (arrived, mayAnswer) = (Later<Void>(), DispatchSemaphore(value: 0))
        let requests = Locked<[String]>([])
        let server = try HTTPServer { request in
            requests.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            arrived.set()
            _ = mayAnswer.wait(timeout: .now() + 120)
            return .json(Data(#"{"access_token": "a", "expires_in": 3600, "refresh_token": "r2"}"#.utf8))
        }
        defer { server.stop() }
        let source = TokenSource.refreshToken("r1", at: server.url, id: "public")
        let task = Task { try await token(of: source) }
        try await arrived.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        mayAnswer.signal()
        #expect(try await token(of: source) == "Bearer a")
        #expect(requests.withLock { $0 } == ["grant_type=refresh_token&refresh_token=r1&client_id=public"])
    }

    @Test(arguments: [
        (400, #"{"error": "invalid_grant", "error_description": "It is over."}"#, "invalid_grant: It is over."),
        (401, #"{"error": "invalid_client"}"#, "invalid_client: "),
        (200, #"{"error": "slow_down", "error_description": "Wait."}"#, "slow_down: Wait."), (500, "oops", nil),
        (200, "{}", nil),
        (200, "", nil),
    ])
    func `A token response with an OAuth error throws OAuthError with its code, other bad ones RequestError`(
        status: Int,
        text: String,
        expected: String?
    ) async throws {
        _ = try await withEndpoint([(status, text)]) { url in
            let source = TokenSource.clientCredentials(at: url, id: "id", secret: "secret")
            let error = await #expect(throws: (any Error).self) { try await token(of: source) }
            let refusal = error as? TokenSource.OAuthError
            #expect(refusal.map { "\($0.code): \($0.explanation ?? "")" } == expected)
            #expect(refusal.map { $0.statusCode == status } ?? (error is RequestError))
        }
    }

    @Test func `An OAuthError does not show secrets that the server's description repeats`() async throws {
        let text = #"{"error": "invalid_grant", "error_description": "No: canary-1, canary-2, password: canary-3"}"#
        _ = try await withEndpoint([(400, text)]) { url in
            let source = TokenSource.refreshToken("canary-1", at: url, id: "id", secret: "canary-2")
            let error = await #expect(throws: TokenSource.OAuthError.self) { try await token(of: source) }
            let shown = try #require(error?.errorDescription)
            #expect(shown.contains("invalid_grant") && !shown.contains("canary"), "\(shown)")
        }
    }

    /// What a server says is shown, and obeyed by no terminal.
    @Test func `The errorDescription of an OAuthError is one line without control or format characters`() async throws {
        let text = #"{"error": "a\u001b[31m", "error_description": "b\u202e\u2066\r\nc"}"#
        _ = try await withEndpoint([(400, text)]) { url in
            let source = TokenSource.clientCredentials(at: url, id: "id", secret: "secret")
            let error = await #expect(throws: TokenSource.OAuthError.self) { try await token(of: source) }
            let shown = try #require(error?.errorDescription)
            #expect(shown.contains("[31m") && shown.hasSuffix("c"))
            let hidden: [Unicode.GeneralCategory] = [.control, .format]
            #expect(!shown.unicodeScalars.contains { hidden.contains($0.properties.generalCategory) })
        }
    }
}
