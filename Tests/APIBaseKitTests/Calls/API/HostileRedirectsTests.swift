import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Decided: JSONAPI, EventRequest, @unchecked Sendable {
    typealias EventType = Int
    /// Called with each redirect.
    var decide: @Sendable (URLRequest) -> URLRequest? = { $0 }
    let asked = Locked(0)

    init(_ base: URL) {
        super.init(.post("/from", json: ["stream": true]))
        (baseURL, session) = (base, EverySession.current)
    }

    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? {
        asked.withLock { $0 += 1 }
        return decide(request)
    }
}

/// The decision about redirects of a server that misbehaves, before events. One after another, since `cancelAll()` is for all
/// calls of the class in this process.
@Suite(.tags(.concurrent), .everySession, .serialized, .limited) struct HostileRedirectsTests {
    private static let events = reply("200 OK", ["Content-Type: text/event-stream"], body: "data: 1\n\n")

    private static func server(_ redirect: String) throws -> ScriptedServer {
        try ScriptedServer { request, connection, _ in
            guard request.target == "/from" else { return try connection.write(events) }
            try connection.write("HTTP/1.1 " + redirect)
            if !redirect.hasSuffix("\r\nContent-Length: 0\r\n\r\n") { connection.close() }
        }
    }

    @Test(
        arguments: [
            ("307 X\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n", true, true),
            ("307 X\r\nLocation: /to\r\nContent-Type: text/event-stream\r\n\r\ndata: 0\n\n", true, true),
            ("307 X\r\nLocation: ftp://127.0.0.1/\r\nContent-Length: 0\r\n\r\n", false, false),
            ("307 X\r\nLocation: //\r\nContent-Length: 0\r\n\r\n", false, false),
            ("307 X\r\nLocation: http://user:pass@[::1\r\nContent-Length: 0\r\n\r\n", false, false),
            ("307 X\r\nContent-Length: 0\r\n\r\n", false, false),
        ]
    )
    func `An override of redirect(_:after:) is called only if the Location is a valid HTTP URL`(
        redirect: String,
        isAsked: Bool,
        isFollowed: Bool
    ) async throws {
        let server = try Self.server(redirect)
        defer { server.stop() }
        let call = Decided(server.url(""))
        let outcome = try await finalOutcome(of: call.events())
        #expect(outcome.values == (isFollowed ? [1] : []) && outcome.isFinished == isFollowed)
        #expect(call.asked.withLock { $0 } == (isAsked ? 1 : 0))
        #expect(server.requests.count == (isFollowed ? 2 : 1))
    }

    /// A redirect that is taken as the response is a refusal, of which the beginning is kept.
    @Test
    func `A stream whose redirect(_:after:) returns nil fails with an httpFailure with the redirect's body`()
        async throws
    {
        let server = try Self.server("307 X\r\nLocation: /to\r\nContent-Length: 2\r\n\r\nab")
        defer { server.stop() }
        let call = Decided(server.url(""))
        call.decide = { _ in nil }
        let outcome = try await finalOutcome(of: call.events())
        guard case .httpFailure(let failure)? = outcome.failure as? RequestError else {
            return #expect(Bool(false), "\(outcome.completion.debugDescription)")
        }
        #expect(failure.statusCode == 307 && failure.body == Data("ab".utf8) && server.requests.count == 1)
    }

    /// The call is canceled while its object decides, by another thread or by the decision itself.
    @Test(arguments: [false, true], [false, true])
    func `A call that is canceled while redirect(_:after:) runs does not follow the redirect`(
        isInside: Bool,
        isAll: Bool
    )
        async throws
    {
        let server = try Self.server("307 X\r\nLocation: /to\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let (call, isDeciding, goesOn) = (Decided(server.url("")), Later<Void>(), DispatchSemaphore(value: 0))
        let line = Locked<AnyCancellable?>(uncheckedState: nil)
        let cancel: @Sendable () -> Void = {
            if isAll { Decided.cancelAll() } else { line.withLockUnchecked { $0 }?.cancel() }
        }
        call.decide = { request in
            isDeciding.set()
            _ = goesOn.wait(timeout: .now() + 60)
            if isInside { cancel() }
            return request
        }
        let outcome = Outcome<Int, any Error>()
        let subscription = outcome.subscribe(to: call.events())
        line.withLockUnchecked { $0 = subscription }
        try await isDeciding.value()
        if !isInside { cancel() }
        goesOn.signal()
        if isAll { #expect(try await holds { outcome.failure is CancellationError }) }
        #expect(server.requests.count == 1 && outcome.values.isEmpty)
        if !isAll { #expect(outcome.completion == nil) }
    }
}
