#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// The settings of `CurlSession.Configuration` for certificates, keys and versions.
@Suite(
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .limited
) struct CurlTLSTests {
    /// The end of a request on a session that trusts the authority: nil is a page.
    private func error(
        from server: TLSServer,
        trusting authority: Authority,
        host: String = "localhost",
        _ change: (inout CurlSession.Configuration) -> Void = { _ in }
    ) async throws -> TransportError? {
        var configuration = CurlSession.Configuration(trusting: authority)
        change(&configuration)
        let url = try #require(URL(string: "https://\(host):\(server.port)/"))
        let session = CurlSession(configuration: configuration)
        let result = try await session.result(of: ExchangeRequest(to: url))
        if case .success(let reply) = result { #expect(reply.status == 200) }
        await session.shutdown()
        return result.failure
    }

    private func expectRefusal(_ error: TransportError?) {
        #expect(error?.reason == .tls, "\(String(describing: error))")
        #expect(error?.phase == .connect)
    }

    @Test func `A server certificate is accepted only if its authority is trusted`() async throws {
        let authority = try await Authority.make()
        let other = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        defer {
            server.stop()
            authority.remove()
            other.remove()
        }
        #expect(try await error(from: server, trusting: authority) == nil)
        expectRefusal(try await error(from: server, trusting: other))
        expectRefusal(try await error(from: server, trusting: authority) { $0.certificateAuthorities = nil })
    }

    @Test func `A certificate file that is missing or garbage fails with invalidConfiguration`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"))
        defer {
            server.stop()
            authority.remove()
        }
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all.pem")
        let garbage = authority.certificate.deletingLastPathComponent().appendingPathComponent("garbage.pem")
        try Data("no certificate".utf8).write(to: garbage)
        for change in [
            { $0.certificateAuthorities = nowhere }, { $0.identity = .init(certificate: nowhere) },
            { $0.certificateAuthorities = garbage },
        ] as [(inout CurlSession.Configuration) -> Void] {
            let error = try await error(from: server, trusting: authority, change)
            guard case .invalidConfiguration = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `A server certificate for another host name is refused`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("other.example"))
        defer {
            server.stop()
            authority.remove()
        }
        expectRefusal(try await error(from: server, trusting: authority))
        expectRefusal(try await error(from: server, trusting: authority, host: "127.0.0.1"))
        let known = try await error(from: server, trusting: authority, host: "other.example") {
            $0.addresses = ["other.example:\(server.port)": ["127.0.0.1"]]
        }
        #expect(known == nil)
    }

    @Test func `An expired server certificate is refused`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost", days: -1))
        defer {
            server.stop()
            authority.remove()
        }
        expectRefusal(try await error(from: server, trusting: authority))
    }

    @Test func `A self-signed certificate is refused by a CurlSession with an authority of its own`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.selfSigned("localhost"))
        defer {
            server.stop()
            authority.remove()
        }
        expectRefusal(try await error(from: server, trusting: authority))
    }

    @Test func `A server is refused if its key is not pinned or its authority is not trusted`() async throws {
        let authority = try await Authority.make()
        let certificate = try await authority.certify("localhost")
        let other = try await authority.certify("localhost")
        let server = try await TLSServer.start(certificate)
        defer {
            server.stop()
            authority.remove()
        }
        #expect(try await error(from: server, trusting: authority) { $0.pinnedKeys = [certificate.pin] } == nil)
        #expect(
            try await error(from: server, trusting: authority) { $0.pinnedKeys = [other.pin, certificate.pin] } == nil
        )
        expectRefusal(try await error(from: server, trusting: authority) { $0.pinnedKeys = [other.pin] })
        // A pin does not stand for the authority.
        let unknown = try await Authority.make()
        defer { unknown.remove() }
        expectRefusal(try await error(from: server, trusting: unknown) { $0.pinnedKeys = [certificate.pin] })
    }

    @Test func `A server that requires client certificates accepts only one signed by its authority`() async throws {
        let authority = try await Authority.make()
        let stranger = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer {
            server.stop()
            authority.remove()
            stranger.remove()
        }
        let client = try await authority.certify("client")
        let other = try await stranger.certify("client")
        let right = try await error(from: server, trusting: authority) {
            $0.identity = .init(certificate: client.certificate, key: client.key)
        }
        #expect(right == nil)
        expectRefusal(try await error(from: server, trusting: authority))
        let wrong = try await error(from: server, trusting: authority) {
            $0.identity = .init(certificate: other.certificate, key: other.key)
        }
        expectRefusal(wrong)
        let mixed = try await error(from: server, trusting: authority) {
            $0.identity = .init(certificate: client.certificate, key: other.key)
        }
        #expect(mixed?.reason == .invalidConfiguration(setting: "identity"))
    }

    /// Certificate and key stand in one file, in whose place another is put all the time: each connection shows one of
    /// the pairs.
    @Test
    func `CurlSession reads a client certificate and its key as a pair while their file is replaced`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer {
            server.stop()
            authority.remove()
        }
        let clients = [try await authority.certify("one"), try await authority.certify("two")]
        let pairs = try clients.map { try Data(contentsOf: $0.certificate) + Data(contentsOf: $0.key) }
        let folder = authority.certificate.deletingLastPathComponent()
        let (file, next) = (folder.appendingPathComponent("pair.pem"), folder.appendingPathComponent("next.pem"))
        try pairs[0].write(to: file)
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        let replacing = Task.detached {
            for number in 0..<1_000_000 where !isOver.withLock({ $0 }) {
                try pairs[number % 2].write(to: next)
                try #require(rename(next.path, file.path) == 0)
            }
        }
        var configuration = CurlSession.Configuration(trusting: authority)
        configuration.identity = .init(certificate: file)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        var failures: [TransportError] = []
        for _ in 0..<load(150) {
            // A new session reads the file; one that is at work looks only now and then.
            let session = CurlSession(configuration: configuration)
            if let failure = try await session.failure(of: ExchangeRequest(to: url)) { failures.append(failure) }
            await session.shutdown()
        }
        isOver.withLock { $0 = true }
        try await replacing.value
        #expect(failures.isEmpty, "\(failures.count): \(String(describing: failures.first))")
    }

    @Test func `A server with a TLS version below minimumTLSVersion is refused`() async throws {
        let authority = try await Authority.make()
        let certificate = try await authority.certify("localhost")
        defer { authority.remove() }
        let second = try await TLSServer.start(certificate, options: ["-tls1_2"])
        let third = try await TLSServer.start(certificate, options: ["-tls1_3"])
        let first = try await TLSServer.start(certificate, options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        defer { for server in [first, second, third] { server.stop() } }
        #expect(try await error(from: second, trusting: authority) == nil)
        #expect(try await error(from: third, trusting: authority) == nil)
        expectRefusal(try await error(from: first, trusting: authority))
        expectRefusal(try await error(from: second, trusting: authority) { $0.minimumTLSVersion = .tls13 })
        #expect(try await error(from: third, trusting: authority) { $0.minimumTLSVersion = .tls13 } == nil)
    }
}
#endif
