#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import TestTiers
import Testing

/// Certificates that are replaced while a session works.
@Suite(
    .tags(.concurrent),
    .enabled(if: OpenSSL.program != nil, "the command openssl makes the certificates"),
    .limited
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
    @Test(.heavy)
    func `New TLS connections succeed while the client certificate file is replaced, broken or missing`() async throws {
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
        let changes = Changes()
        let session = CurlSession(configuration: configuration) { changes.add($0) }
        let load = Load(
            on: session,
            of: ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        )

        try await load.expect("one")
        try await changes.expect(nil) { try Self.replace(file, by: two.both) }
        try await load.expect("two")
        for (broken, problem) in [
            (one.both.dropLast(80), "the file is cut"), (Data(), "no certificate"),
            (one.certificate + two.key, "the key is not the one"),
        ] {
            try await changes.expect(problem) { try Self.replace(file, by: broken) }
            try await load.expect("two")
        }
        try await changes.expect("is not there") { try FileManager.default.removeItem(at: file) }
        try await load.expect("two")
        try await changes.expect(nil) { try Self.replace(file, by: one.both) }
        try await load.expect("one")
        try await changes.expect(nil) { try await Self.overwrite(file, with: two.both) }
        try await load.expect("two")
        let (count, failures) = await load.stop()
        #expect(failures.isEmpty, "\(failures.count) of \(count): \(String(describing: failures.first))")
        await session.shutdown()
    }

    /// 200 calls a second on connections that end after one request each, or after 25.
    @Test(
        .heavy,
        .enabled(if: Nginx.isAvailable, "nginx keeps connections"),
        arguments: [(CurlSession.Configuration.HTTPVersion.http1, 1), (.http1, 25), (.automatic, 25)]
    )
    func `Kept-alive connections give way to ones with a renewed client certificate without a failure`(
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
        let changes = Changes()
        let session = CurlSession(configuration: configuration) { changes.add($0) }
        let load = Load(on: session, of: ExchangeRequest(to: nginx.url("/who")))

        try await load.expect("one")
        try await changes.expect(nil) { try Self.replace(file, by: two.both) }
        try await load.expect("two")
        try await changes.expect("the file is cut") { try Self.replace(file, by: one.both.dropLast(80)) }
        try await load.expect("two")
        try await changes.expect(nil) { try Self.replace(file, by: one.both) }
        try await load.expect("one")
        let (count, failures) = await load.stop()
        #expect(failures.isEmpty, "\(failures.count) of \(count): \(String(describing: failures.first))")
        await session.shutdown()
    }

    /// Certificate and key are two files, which are replaced one after the other.
    @Test func `A changed client certificate file is used only once the key file matches it`() async throws {
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
        let changes = Changes()
        let session = CurlSession(configuration: configuration) { changes.add($0) }
        let request = ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        let call = { subject(in: try await session.reply(to: request).text) }
        #expect(try await call() == "one")
        try await changes.expect("the key is not the one of the certificate", calling: call) {
            try Self.replace(files.0, by: two.certificate)
        }
        #expect(try await call() == "one")
        try await changes.expect(nil, calling: call) { try Self.replace(files.1, by: two.key) }
        #expect(try await call() == "two")
        #expect(changes.all.map(\.description).last == "The changed files of identity are in use")
        await session.shutdown()
    }

    @Test
    func `New connections trust a changed certificateAuthorities file, or the old one if it is broken`() async throws {
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
        let changes = Changes()
        let session = CurlSession(configuration: configuration) { changes.add($0) }
        let requests = try servers.map { server in
            ExchangeRequest(to: try #require(URL(string: "https://localhost:\(server.port)/")))
        }
        let call = { _ = try await session.result(of: requests[0]) }
        let expectTrust = { (first: Bool, second: Bool) async throws in
            for (request, isTrusted) in zip(requests, [first, second]) {
                #expect(try await session.failure(of: request)?.reason == (isTrusted ? nil : .tls))
            }
        }
        try await expectTrust(true, false)
        try await changes.expect(nil, calling: call) { try Self.replace(file, by: bundles[1]) }
        try await expectTrust(false, true)
        // The session looks at the file five times a second, so that each of them takes its time.
        let broken = [
            (bundles[0].dropLast(40), "the file is cut"), (bundles[1] + bundles[0].prefix(99), "the file is cut"),
            (Data(), "no certificate"), (Data("no certificate".utf8), "no certificate"), (nil, "is not there"),
        ]
        for (data, problem) in broken.prefix(runsAllTests ? 5 : 1) {
            try await changes.expect(problem, calling: call) {
                if let data { try Self.replace(file, by: data) } else { try FileManager.default.removeItem(at: file) }
            }
            try await expectTrust(false, true)
            // Only a new problem is told.
            if runsAllTests { try await changes.expect(nil, calling: call) { try Self.replace(file, by: bundles[1]) } }
        }
        if runsAllTests {
            try FileManager.default.removeItem(at: file)
            try await changes.expect(nil, calling: call) {
                try await Self.replaceInPlace(file, with: bundles[0] + bundles[1])
            }
            try await expectTrust(true, true)
        }
        #expect(changes.all.allSatisfy { $0.setting == "certificateAuthorities" })
        await session.shutdown()
    }

    private static func replaceInPlace(_ file: URL, with data: Data) async throws {
        try Data("begun".utf8).write(to: file)
        try await overwrite(file, with: data)
    }

    /// A content that was never good fails the call, and is read again for the next one.
    @Test
    func `A key that does not match its client certificate fails with invalidConfiguration until fixed`() async throws {
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

/// What a session has told of its files.
private final class Changes: Sendable {
    private let list = Locked<[CurlSession.FileChange]>([])

    var all: [CurlSession.FileChange] { list.withLock { $0 } }

    func add(_ change: CurlSession.FileChange) { list.withLock { $0.append(change) } }

    /// Makes a change, and waits until it is told with this in its problem, or as one that is in use. A session looks
    /// at its files when it connects, so there have to be calls.
    func expect(
        _ problem: String?,
        calling call: () async throws -> some Sendable = { try await Task.sleep(for: .milliseconds(2)) },
        after change: () async throws -> Void
    ) async throws {
        let count = all.count
        try await change()
        let isMatch = { (told: String?) in problem.map { told?.contains($0) == true } ?? (told == nil) }
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let news = all.dropFirst(count)
            if news.contains(where: { isMatch($0.problem) }) { return }
            try #require(ContinuousClock.now < end, "\(problem ?? "in use"): \(news)")
            _ = try await call()
        }
    }
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

    /// The server must be shown this subject by all calls that begin now.
    func expect(_ name: String) async throws {
        let begin = ContinuousClock.now
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
