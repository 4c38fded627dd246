#if os(Linux)
import Foundation
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// A server that refuses a request over TLS while its body is being sent, and resets the connection.
@Suite(
    .tags(.concurrent),
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .limited
) struct CurlEarlyAnswerTests {
    @Test(arguments: ["-tls1_2", "-tls1_3"], ["Content-Length: 6\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n6\r\n"])
    func `A 413 response during a TLS upload is delivered even if the connection is reset`(
        version: String,
        framing: String
    ) async throws {
        let authority = try await Authority.make()
        let end = framing.hasPrefix("T") ? "\r\n0\r\n\r\n" : ""
        let server = try await TLSServer.start(
            authority.certify("localhost"),
            answering: "HTTP/1.1 413 Too Large\r\nConnection: close\r\n" + framing + "denied" + end,
            options: [version]
        )
        let relay = try TLSRelay(to: server.port, resetsAtAlert: true)
        defer {
            relay.stop()
            server.stop()
            authority.remove()
        }
        let session = CurlSession(configuration: .init(trusting: authority))
        let url = try #require(URL(string: "https://localhost:\(relay.port)/"))
        let body = HTTPBody.data(Data(TLSServer.requestLine.utf8) + Data.pattern(4 << 20))
        for _ in 0..<load(20) {
            let answer = try await session.reply(to: ExchangeRequest(.post, to: url, body: body))
            #expect(answer.status == 413)
            #expect(answer.text == "denied")
        }
        await session.shutdown()
    }
}
#endif
