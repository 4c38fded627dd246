#if os(Linux)
import LoopbackServer
import Dispatch
import Foundation
import HTTPTransport
import HostileServer
import PortableCombine
import TestTiers
import Testing

/// A body that ends with the connection is whole over TLS only if the server says so (RFC 9112, section 9.8).
@Suite(
    .tags(.concurrent),
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .limited
) struct CurlTruncationTests {
    /// TLS 1.2 has its alerts in the open, TLS 1.3 like everything else.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `A TLS response without a length fails with connectionLost if close_notify is missing`(version: String)
        async throws
    {
        let authority = try await Authority.make()
        // It answers with a page that has no length.
        let server = try await TLSServer.start(authority.certify("localhost"), options: [version])
        defer {
            server.stop()
            authority.remove()
        }
        let session = CurlSession(configuration: .init(trusting: authority))
        for dropsAlerts in [false, true] {
            let relay = try TLSRelay(to: server.port, dropsAlerts: dropsAlerts)
            defer { relay.stop() }
            let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
            switch try await session.result(of: ExchangeRequest(to: url)) {
            case .success(let reply):
                #expect(!dropsAlerts)
                #expect(reply.text.contains("</HTML>") || reply.text.contains("</html>"))
            case .failure(let error):
                #expect(dropsAlerts, "\(error)")
                #expect(error.reason == .connectionLost)
                #expect(error.phase == .body)
            }
        }
        await session.shutdown()
    }

    /// The thread that reads the head is another than the one that reads the end.
    @Test func `A TLS response ends without an error even if another thread reads its close_notify`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        let other = try HTTPServer { _ in .text("ok") }
        defer {
            server.stop()
            other.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration(trusting: authority)
        configuration.threads = 1
        let session = CurlSession(configuration: configuration)
        let mayEnd = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let isInside = Later<Void>()
        let relay = try TLSRelay(to: server.port) { _ = mayEnd.wait(timeout: .now() + 120) }
        defer { relay.stop() }
        let log = EventLog { event in
            guard case .head = event else { return .none }
            isInside.set()
            _ = mayGoOn.wait(timeout: .now() + 120)
            return .none
        }
        let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
        session.events(for: ExchangeRequest(to: url)).subscribe(log)
        try await isInside.value()
        // It is answered, so another thread leads.
        #expect(try await session.reply(to: ExchangeRequest(port: other.port)).text == "ok")
        mayEnd.signal()
        #expect(try await holds { session.runningExchanges == 0 })
        mayGoOn.signal()
        #expect(try await log.end.value() == nil)
        await session.shutdown()
    }
}
#endif
