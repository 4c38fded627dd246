#if os(Linux)
import Foundation
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// Whom the client believes, and whom it does not.
@Suite(
    .everyEngine,
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .limited
) struct TLSTests {
    private func error(
        from server: TLSServer,
        host: String = "localhost",
        _ session: any HTTPSession = Engine.makeSession()
    ) async throws -> TransportError? {
        let url = try #require(URL(string: "https://\(host):\(server.port)/"))
        return try await session.failure(of: ExchangeRequest(to: url))
    }

    private func expectRefusal(_ error: TransportError?) {
        #expect(error?.reason == .tls, "\(String(describing: error))")
        #expect(error?.phase == .connect)
    }

    @Test func `A server certificate of an unknown authority is refused by each engine`() async throws {
        let authority = try await Authority.make()
        defer { authority.remove() }
        let server = try await TLSServer.start(authority.certify("localhost"))
        defer { server.stop() }
        expectRefusal(try await error(from: server))
    }

    @Test func `A self-signed server certificate is refused by each engine`() async throws {
        let authority = try await Authority.make()
        defer { authority.remove() }
        let server = try await TLSServer.start(authority.selfSigned("localhost"))
        defer { server.stop() }
        expectRefusal(try await error(from: server))
    }
}
#endif
