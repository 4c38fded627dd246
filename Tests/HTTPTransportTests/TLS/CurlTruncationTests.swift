#if os(Linux)
import Foundation
import HTTPTransport
import HostileServer
import Testing

/// A body that ends with the connection is whole over TLS only if the server says so (RFC 9112, section 9.8).
@Suite(
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .serialized,
    .timeLimit(.minutes(2))
) struct CurlTruncationTests {
    /// TLS 1.2 has its alerts in the open, TLS 1.3 like everything else.
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func aBodyWithoutTheCloseNotifyIsCut(version: String) async throws {
        let authority = try await Authority.make()
        // It answers with a page that has no length.
        let server = try await TLSServer.start(authority.certify("localhost"), options: [version])
        defer {
            server.stop()
            authority.remove()
        }
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = authority.certificate
        let session = CurlSession(configuration: configuration)
        for dropsAlerts in [false, true, false, true] {
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
}
#endif
