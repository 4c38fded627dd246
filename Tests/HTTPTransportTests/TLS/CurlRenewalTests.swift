#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import Testing

/// Certificates that are replaced while a session works.
@Suite(
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .serialized,
    .timeLimit(.minutes(5))
) struct CurlRenewalTests {
    /// A pair of certificate and key.
    private struct Pair {
        let name: String
        let certificate: Data
        let key: Data

        var both: Data { certificate + key }

        init(_ name: String, of authority: Authority) async throws {
            let made = try await authority.certify(name)
            self.name = name
            certificate = try Data(contentsOf: made.certificate)
            key = try Data(contentsOf: made.key)
        }
    }

    /// Replaces the file by another (`rename`).
    private static func replace(_ file: URL, by data: Data) throws {
        let next = file.appendingPathExtension("next")
        try data.write(to: next)
        try #require(rename(next.path, file.path) == 0)
    }

    /// Writes into the file as it is, in two parts.
    private static func overwrite(_ file: URL, with data: Data) async throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data.prefix(data.count / 2))
        try await Task.sleep(for: .milliseconds(300))
        try handle.write(contentsOf: data.dropFirst(data.count / 2))
        try handle.close()
    }

    /// Up to 200 calls a second, each on a new connection, while the files change in every way.
    @Test func `Calls on new connections succeed while the client certificate file is changed`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer {
            server.stop()
            authority.remove()
        }
        let (one, two) = (try await Pair("one", of: authority), try await Pair("two", of: authority))
        let file = authority.certificate.deletingLastPathComponent().appendingPathComponent("pair.pem")
        try one.both.write(to: file)
        var configuration = CurlSession.Configuration(trusting: authority)
        configuration.identity = .init(certificate: file)
        let changes = Locked<[CurlSession.FileChange]>([])
        let session = CurlSession(configuration: configuration) { change in changes.withLock { $0.append(change) } }
        let load = Load(
            on: session,
            of: ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        )

        try await load.expect("one") {}
        try await load.expect("two") { try Self.replace(file, by: two.both) }
        for broken in [one.both.dropLast(80), Data(), one.certificate + two.key] {
            try await load.expect("two") { try Self.replace(file, by: broken) }
        }
        try await load.expect("two") { try FileManager.default.removeItem(at: file) }
        try await load.expect("one") { try Self.replace(file, by: one.both) }
        try await load.expect("two") { try await Self.overwrite(file, with: two.both) }
        let (count, failures) = await load.stop()
        #expect(failures.isEmpty, "\(failures.count) of \(count): \(String(describing: failures.first))")
        #expect(count > 200)
        #expect(try await holds { changes.withLock { $0.last?.problem == nil && $0.count > 5 } })
        let problems = changes.withLock { $0 }.compactMap(\.problem)
        for part in ["the file is cut", "no certificate", "is not there", "the key is not the one"] {
            #expect(problems.contains { $0.contains(part) }, "\(part)")
        }
        await session.shutdown()
    }

    /// 200 calls a second on connections that end after one request each, or after 25.
    @Test(
        .enabled(if: Nginx.isAvailable, "nginx keeps connections"),
        arguments: [(CurlSession.Configuration.HTTPVersion.http1, 1), (.http1, 25), (.automatic, 25)]
    )
    func `Calls move from kept connections to a renewed client certificate without a failure`(
        version: CurlSession.Configuration.HTTPVersion,
        requests: Int
    ) async throws {
        let authority = try await Authority.make()
        let nginx = try await Nginx.start(
            for: 9,
            """
            ssl_client_certificate \(authority.certificate.path);
            ssl_verify_client on;
            keepalive_requests \(requests);
            location = /who { return 200 "Subject: $ssl_client_s_dn"; }
            """
        )
        defer {
            nginx.stop()
            authority.remove()
        }
        let (one, two) = (try await Pair("one", of: authority), try await Pair("two", of: authority))
        let file = authority.certificate.deletingLastPathComponent().appendingPathComponent("pair.pem")
        try one.both.write(to: file)
        var configuration = nginx.configuration
        configuration.identity = .init(certificate: file)
        configuration.httpVersion = version
        let session = CurlSession(configuration: configuration)
        let load = Load(on: session, of: ExchangeRequest(to: nginx.url("/who")))

        try await load.expect("one") {}
        try await load.expect("two") { try Self.replace(file, by: two.both) }
        try await load.expect("two") { try Self.replace(file, by: one.both.dropLast(80)) }
        try await load.expect("one") { try Self.replace(file, by: one.both) }
        let (count, failures) = await load.stop()
        #expect(failures.isEmpty, "\(failures.count) of \(count): \(String(describing: failures.first))")
        #expect(count > 100)
        await session.shutdown()
    }

    /// Certificate and key are two files, which are replaced one after the other.
    @Test func `A changed certificate file is used only when the key file fits the certificate`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer {
            server.stop()
            authority.remove()
        }
        let (one, two) = (try await Pair("one", of: authority), try await Pair("two", of: authority))
        let folder = authority.certificate.deletingLastPathComponent()
        let files = (folder.appendingPathComponent("tls.crt"), folder.appendingPathComponent("tls.key"))
        try one.certificate.write(to: files.0)
        try one.key.write(to: files.1)
        var configuration = CurlSession.Configuration(trusting: authority)
        configuration.identity = .init(certificate: files.0, key: files.1)
        let changes = Locked<[CurlSession.FileChange]>([])
        let session = CurlSession(configuration: configuration) { change in changes.withLock { $0.append(change) } }
        let request = ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        #expect(subject(in: try await session.reply(to: request).text) == "one")
        try Self.replace(files.0, by: two.certificate)
        try await Task.sleep(for: .seconds(1))
        #expect(subject(in: try await session.reply(to: request).text) == "one")
        try Self.replace(files.1, by: two.key)
        try await Task.sleep(for: .seconds(1))
        #expect(subject(in: try await session.reply(to: request).text) == "two")
        #expect(try await holds { changes.withLock { $0.count } == 2 })
        let told = changes.withLock { $0 }
        #expect(told.first?.problem?.contains("the key is not the one of the certificate") == true)
        #expect(told.last == changes.withLock { $0.last { $0.problem == nil } })
        #expect(told.last?.description == "The changed files of identity are in use")
        await session.shutdown()
    }

    @Test func `New connections trust a changed authorities file unless the file is broken`() async throws {
        let authorities = [try await Authority.make(), try await Authority.make()]
        let servers = [
            try await TLSServer.start(authorities[0].certify("localhost")),
            try await TLSServer.start(authorities[1].certify("localhost")),
        ]
        defer {
            for server in servers { server.stop() }
            for authority in authorities { authority.remove() }
        }
        let bundles = try authorities.map { try Data(contentsOf: $0.certificate) }
        let file = authorities[0].certificate.deletingLastPathComponent().appendingPathComponent("trusted.pem")
        try bundles[0].write(to: file)
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = file
        configuration.threads = 1
        let changes = Locked<[CurlSession.FileChange]>([])
        let session = CurlSession(configuration: configuration) { change in changes.withLock { $0.append(change) } }
        let requests = try servers.map { server in
            ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        }
        let expectTrust = { (first: Bool, second: Bool) async throws in
            try await Task.sleep(for: .seconds(1))
            for (request, isTrusted) in zip(requests, [first, second]) {
                #expect(try await session.failure(of: request)?.reason == (isTrusted ? nil : .tls))
            }
        }
        try await expectTrust(true, false)
        try Self.replace(file, by: bundles[1])
        try await expectTrust(false, true)
        let cut = [bundles[0].dropLast(40), bundles[1] + bundles[0].prefix(99)]
        for broken in cut + [Data(), Data("no certificate".utf8)] {
            try Self.replace(file, by: broken)
            try await expectTrust(false, true)
        }
        try FileManager.default.removeItem(at: file)
        try await expectTrust(false, true)
        try await Self.replaceInPlace(file, with: bundles[0] + bundles[1])
        try await expectTrust(true, true)
        #expect(try await holds { changes.withLock { $0.last?.problem == nil } })
        #expect(changes.withLock { $0 }.allSatisfy { $0.setting == "certificateAuthorities" })
        #expect(changes.withLock { $0.filter { $0.problem == nil }.count } == 2)
        await session.shutdown()
    }

    private static func replaceInPlace(_ file: URL, with data: Data) async throws {
        try Data("begun".utf8).write(to: file)
        try await overwrite(file, with: data)
    }

    /// A content that was never good fails the call, and is read again for the next one.
    @Test func `A key that does not fit its certificate fails with invalidConfiguration until fixed`() async throws {
        let authority = try await Authority.make()
        let server = try await TLSServer.start(authority.certify("localhost"), askingFor: authority)
        defer {
            server.stop()
            authority.remove()
        }
        let (one, two) = (try await Pair("one", of: authority), try await Pair("two", of: authority))
        let file = authority.certificate.deletingLastPathComponent().appendingPathComponent("pair.pem")
        try (one.certificate + two.key).write(to: file)
        var configuration = CurlSession.Configuration(trusting: authority)
        configuration.identity = .init(certificate: file)
        let session = CurlSession(configuration: configuration)
        let request = ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        let error = try await session.failure(of: request)
        #expect(error?.reason == .invalidConfiguration(setting: "identity"))
        #expect(error?.description.contains("the key is not the one of the certificate") == true)
        try Self.replace(file, by: one.both)
        #expect(try await session.failure(of: request) == nil)
        await session.shutdown()
    }
}

/// The name in the certificate of the client, by the page of ``TLSServer``.
private func subject(in page: String) -> String {
    guard let range = page.range(of: "Subject: CN") else { return "none" }
    return String(page[range.upperBound...].drop { $0 == " " || $0 == "=" }.prefix { $0.isLetter })
}

/// 200 calls a second, unless too many are under way.
private final class Load: Sendable {
    private typealias Call = (begun: ContinuousClock.Instant, page: String)

    private let calls = Locked<[Call]>([])
    private let failures = Locked<[TransportError]>([])
    private let isOver = Locked(false)
    private let task = Locked<Task<Void, Never>?>(nil)

    init(on session: CurlSession, of request: ExchangeRequest) {
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                var next = ContinuousClock.now
                while !isOver.withLock({ $0 }) {
                    if session.runningExchanges < 32 { group.addTask { await self.call(request, on: session) } }
                    // What a late one has missed is made up for.
                    next = max(next + .milliseconds(5), .now - .milliseconds(100))
                    try? await Task.sleep(until: next)
                }
            }
        }
        self.task.withLock { $0 = task }
    }

    private func call(_ request: ExchangeRequest, on session: CurlSession) async {
        let begun = ContinuousClock.now
        switch try? await session.result(of: request) {
        case .success(let reply)?: calls.withLock { $0.append((begun, reply.text)) }
        case .failure(let error)?: failures.withLock { $0.append(error) }
        case nil: Issue.record("A call did not end.")
        }
    }

    /// Makes a change. The server must be shown this subject by all calls that begin a second after it.
    func expect(_ name: String, after change: () async throws -> Void) async throws {
        try await change()
        let begin = ContinuousClock.now + .seconds(1)
        #expect(try await holds { self.calls.withLock { $0.filter { $0.begun >= begin }.count } >= 20 })
        let pages = calls.withLock { $0.filter { $0.begun >= begin }.map(\.page) }
        #expect(Set(pages.map(subject(in:))) == [name])
    }

    /// Ends the calls, and returns their number and the errors.
    func stop() async -> (Int, [TransportError]) {
        isOver.withLock { $0 = true }
        await task.withLock { $0 }?.value
        return (calls.withLock { $0.count }, failures.withLock { $0 })
    }
}
#endif
