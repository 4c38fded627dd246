#if os(Linux)
import Basics
import LoopbackServer
import Dispatch
import Foundation
import HTTPTransport
import HostileServer
import PortableCombine
import TestTiers
import Testing

/// The ends of calls when their session is shut down.
@Suite(.tags(.concurrent), .limited) struct CurlShutdownTests {
    /// The end of one call.
    private enum End: Equatable { case value, refused, other(String) }

    private func call(_ request: ExchangeRequest, on session: CurlSession) -> (Later<End>, AnyCancellable) {
        let end = Later<End>()
        let subscription = session.response(to: request).sink { completion in
            guard case .failure(let error) = completion else { return }
            end.set(error.reason == .sessionClosed ? .refused : .other("\(error)"))
        } receiveValue: { data, _ in
            end.set(data == Data("ok".utf8) ? .value : .other("\(data.count) bytes"))
        }
        return (end, subscription)
    }

    /// Running, waiting, redirected and refused calls, with a shutdown among them at any moment.
    @Test func `Every call ends with its response or sessionClosed when shutdown() runs concurrently`() async throws {
        let server = try HTTPServer { request in
            request.path == "/elsewhere"
                ? ServerResponse(status: 302, headers: HTTPFields(["Location": "/"])) : .text("ok")
        }
        defer { server.stop() }
        let plain = try ExchangeRequest(port: server.port)
        let redirected = try ExchangeRequest(port: server.port, "/elsewhere")
        let counts = Locked((values: 0, refused: 0))
        let rounds = load(1_000)
        for round in 0..<rounds {
            var configuration = CurlSession.Configuration()
            configuration.connectionsPerHost = 1
            let session = CurlSession(configuration: configuration)
            let calls = Locked<[(Later<End>, AnyCancellable)]>([])
            for request in [plain, redirected] {
                let call = call(request, on: session)
                calls.withLockUnchecked { $0.append(call) }
            }
            // Beside the shutdown, on another thread.
            let hasCalled = Later<Void>()
            DispatchQueue(label: "calls").async {
                for number in 0..<6 {
                    let call = self.call(number.isMultiple(of: 2) ? plain : redirected, on: session)
                    calls.withLockUnchecked { $0.append(call) }
                }
                hasCalled.set()
            }
            await session.shutdown()
            try await hasCalled.value()
            // However late the shutdown was, this one comes after it.
            let (last, subscription) = call(plain, on: session)
            #expect(try await last.value() == .refused)
            subscription.cancel()
            for (end, _) in calls.withLock({ $0 }) {
                switch try await end.value() {
                case .value: counts.withLock { $0.values += 1 }
                case .refused: counts.withLock { $0.refused += 1 }
                case .other(let text): Issue.record("round \(round): \(text)")
                }
            }
            #expect(session.runningExchanges == 0)
        }
        let (values, refused) = counts.withLock { $0 }
        #expect(values + refused == 8 * rounds)
        #expect(values >= 2 * rounds, "What was begun before the shutdown has its value.")
    }

    /// The redirect arrives when the session has been told to end.
    @Test func `A request that is running during shutdown() still follows its redirect`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let hasBegun = Later<Void>()
        let server = try HTTPServer { request in
            guard request.path == "/elsewhere" else { return .text("ok") }
            hasBegun.set()
            _ = mayAnswer.wait(timeout: .now() + 120)
            return ServerResponse(status: 302, headers: HTTPFields(["Location": "/"]))
        }
        defer { server.stop() }
        let session = CurlSession()
        let (end, subscription) = try call(ExchangeRequest(port: server.port, "/elsewhere"), on: session)
        try await hasBegun.value()
        let shutdown = Task { await session.shutdown() }
        let deadline = ContinuousClock.now + .seconds(120)
        while try await session.failure(of: ExchangeRequest(port: server.port))?.reason != .sessionClosed {
            try #require(ContinuousClock.now < deadline)
        }
        mayAnswer.signal()
        #expect(try await end.value() == .value)
        await shutdown.value
        subscription.cancel()
    }

    /// Events that a subscriber has not demanded yet do not delay a shutdown, and can be demanded afterwards.
    @Test func `A subscriber can demand the remaining events of its response after shutdown()`() async throws {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = CurlSession()
        let log = EventLog(demand: .max(1))
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        try await log.wait(for: 1)
        await session.shutdown()
        #expect(log.ends == 0)
        log.request(.unlimited)
        #expect(try await log.end.value() == nil)
        #expect(log.data == Data("ok".utf8))
    }
}
#endif
