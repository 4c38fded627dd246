import APIBaseKit
import Basics
import LoopbackServer
import TestTiers
import Testing

/// A way to authenticate that a user has written.
@Suite(.tags(.concurrent), .limited) struct AuthenticatorTests {
    /// Numbers its credentials, and counts what it is asked.
    private final class Numbered: Authenticator {
        let identity: String
        let headerNames = ["X-Number", "X-Key"]
        let authorized = Locked(0)
        private let isAsked: @Sendable (HTTPURLResponse) -> Bool

        init(identity: String = "me", asksAgain isAsked: @escaping @Sendable (HTTPURLResponse) -> Bool = { _ in false })
        {
            (self.identity, self.isAsked) = (identity, isAsked)
        }

        func authorize(_ request: URLRequest) async throws -> URLRequest {
            var request = request
            let number = authorized.withLock { count in
                count += 1
                return count
            }
            request.setValue("secret-number-\(number)", forHTTPHeaderField: "X-Number")
            return request
        }

        func asksAgain(after response: HTTPURLResponse, to request: URLRequest) async throws -> Bool {
            isAsked(response)
        }
    }

    /// Answers with the number that it was sent, and with a status.
    private func server(_ status: @escaping @Sendable (String) -> Int) throws -> HTTPServer {
        try HTTPServer { request in
            let number = request.headers["X-Number"] ?? "none"
            return .text(number, status: status(number))
        }
    }

    private func call(
        to server: HTTPServer,
        by authenticator: any Authenticator,
        _ method: HTTPMethod = .get
    ) -> Call {
        let call = Call(base: "http://127.0.0.1:\(server.port)")
        call.method = method
        call.authorization = .authenticator(authenticator)
        return call
    }

    @Test func `Each attempt carries the credentials of its own call to authorize`() async throws {
        let server = try server { $0.hasSuffix("3") ? 200 : 503 }
        defer { server.stop() }
        let numbered = Numbered()
        let call = call(to: server, by: numbered)
        call.retry = RetryPolicy(attempts: 4, backoff: .constant(.zero))
        #expect(try await String(decoding: call.value().data, as: UTF8.self) == "secret-number-3")
        #expect(numbered.authorized.withLock { $0 } == 3)
    }

    @Test(arguments: [(HTTPMethod.get, 1, 2), (.post, 1, 2), (.get, 9, 2)])
    func `A request is authorized and sent again once if asksAgain says so`(
        method: HTTPMethod,
        refusals: Int,
        sent: Int
    ) async throws {
        let server = try server { Int($0.suffix(1)).map { $0 <= refusals } == true ? 419 : 200 }
        defer { server.stop() }
        let numbered = Numbered { $0.statusCode == 419 }
        let reply = try await call(to: server, by: numbered, method).value()
        #expect(reply.response.statusCode == (refusals < sent ? 200 : 419))
        #expect(numbered.authorized.withLock { $0 } == sent)
    }

    @Test func `A request with a header of the authenticator is sent as it is`() async throws {
        let server = try server { _ in 200 }
        defer { server.stop() }
        let numbered = Numbered()
        let call = call(to: server, by: numbered)
        call.headers["X-Key"] = "own"
        #expect(try await String(decoding: call.value().data, as: UTF8.self) == "none")
        #expect(numbered.authorized.withLock { $0 } == 0)
    }

    @Test func `An error of authorize is the error of the call, which is not sent`() async throws {
        struct Locked: Error {}
        final class Failing: Authenticator {
            let identity = "nobody"
            func authorize(_ request: URLRequest) async throws -> URLRequest { throw Locked() }
        }
        let server = try HTTPServer { _ in
            Issue.record("The request was sent.")
            return .text("")
        }
        defer { server.stop() }
        await #expect(throws: Locked.self) { try await call(to: server, by: Failing()).value() }
    }

    @Test func `A request that authorize makes invalid is not sent`() async throws {
        final class Wrong: Authenticator {
            let identity = "nobody"
            func authorize(_ request: URLRequest) async throws -> URLRequest {
                var request = request
                request.setValue("x", forHTTPHeaderField: "Host")
                return request
            }
        }
        let server = try server { _ in 200 }
        defer { server.stop() }
        await #expect(throws: RequestError.self) { try await call(to: server, by: Wrong()).value() }
    }

    @Test func `Canceling a call cancels its authorize`() async throws {
        final class Waiting: Authenticator {
            let identity = "nobody"
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let (ended, end) = AsyncStream.makeStream(of: Bool.self)
            func authorize(_ request: URLRequest) async throws -> URLRequest {
                begin.yield()
                try? await Task.sleep(for: .seconds(600))
                end.yield(Task.isCancelled)
                return request
            }
        }
        let server = try server { _ in 200 }
        defer { server.stop() }
        let waiting = Waiting()
        let call = call(to: server, by: waiting)
        let cancellable = call.start().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        for await _ in waiting.begun { break }
        cancellable.cancel()
        for await isCanceled in waiting.ended {
            #expect(isCanceled)
            break
        }
    }

    @Test func `Calls with different identities share no stored response`() async throws {
        let server = try HTTPServer { request in
            let cacheable = HTTPFields(["Cache-Control": "private, max-age=60"])
            return .text(request.headers["X-Number"] ?? "none", headers: cacheable)
        }
        defer { server.stop() }
        let cache = ResponseCache()
        var texts: [String] = []
        // Each object begins with the number 1.
        for authenticator in [Numbered(identity: "a"), Numbered(identity: "a"), Numbered(identity: "b")] {
            let call = call(to: server, by: authenticator)
            call.cache = cache
            call.secretHeaders = []
            _ = try await authenticator.authorize(URLRequest(url: try #require(URL(string: "http://api.example"))))
            if authenticator.identity == "b" { _ = try await authenticator.authorize(try call.buildURLRequest()) }
            texts.append(String(decoding: try await call.value().data, as: UTF8.self))
        }
        #expect(texts == ["secret-number-2", "secret-number-2", "secret-number-3"])
    }

    @Test func `A redirect to another origin goes without the credentials`() async throws {
        let other = try server { _ in 200 }
        defer { other.stop() }
        let end = "http://localhost:\(other.port)/"
        let server = try HTTPServer { _ in .text("", status: 302, headers: HTTPFields(["Location": end])) }
        defer { server.stop() }
        let reply = try await call(to: server, by: Numbered()).value()
        #expect(String(decoding: reply.data, as: UTF8.self) == "none")
    }
}
