import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// One sign-in for two hosts, in a file that several starts of a program use, and several sources at a time. The server
/// replaces the refresh token with each use.
@Suite(.tags(.concurrent), .limited) struct SeveralHostsTests {
    private let folder = StorageFolder()
    private var file: URL { folder.url.appendingPathComponent("token") }

    /// A source as a start of the program makes it.
    private func start(_ login: RotatingServer, _ servers: [String]?) -> TokenSource {
        .stored(
            in: FileTokenStore(at: file),
            tokenAt: login.url.appendingPathComponent("token"),
            id: "me",
            servers: servers
        )
    }

    private func call(_ url: URL, _ source: TokenSource) async throws {
        let call = Call(base: url.absoluteString, "/api")
        call.authorization = .tokens(source)
        #expect(try await call.value().response.statusCode == 200)
    }

    private func store(_ token: StoredToken) async throws {
        _ = try await FileTokenStore(at: file).replace(nil, with: token)
    }

    /// Whether the servers are named, whether the stored token has expired, and the number of renewals.
    @Test(arguments: [(true, false, 0), (true, true, 1), (false, false, 5)])
    func `Three starts of a program that call two hosts in turn renew a shared token only when it has expired`(
        isShared: Bool,
        isExpired: Bool,
        renewals: Int
    ) async throws {
        let login = try RotatingServer()
        let hosts = try [TokenHost(), TokenHost(), TokenHost()]
        defer {
            login.stop()
            for host in hosts { host.server.stop() }
        }
        let names = hosts.dropLast().map { "127.0.0.1:\($0.server.port)" }
        let end: Date = isExpired ? .distantPast : .distantFuture
        let first = "http://127.0.0.1:\(hosts[0].server.port)"
        try await store(StoredToken("a0", expiresAt: end, refreshToken: "r0", server: first))
        for _ in 0..<3 {
            let source = start(login, isShared ? names : nil)
            for host in hosts.dropLast() { try await call(host.server.url, source) }
            if isShared { try await call(hosts[2].server.url, source) }
        }
        #expect(login.counts.tokens == renewals)
        #expect(login.reused.isEmpty)
        #expect(hosts[2].tokens.withLock { $0 } == (isShared ? ["none", "none", "none"] : []))
        if isShared {
            for host in hosts.dropLast() {
                #expect(host.tokens.withLock { $0 } == Array(repeating: "Bearer a\(renewals)", count: 3))
            }
        }
    }

    @Test(arguments: [(false, 0), (true, 1)])
    func `Four sources with one file that call two hosts at a time renew an expired token once, and a valid one never`(
        isExpired: Bool,
        renewals: Int
    ) async throws {
        let login = try RotatingServer()
        let hosts = try [TokenHost(), TokenHost()]
        defer {
            login.stop()
            for host in hosts { host.server.stop() }
        }
        let names = hosts.map { "127.0.0.1:\($0.server.port)" }
        let end: Date = isExpired ? .distantPast : .distantFuture
        try await store(StoredToken("a0", expiresAt: end, refreshToken: "r0"))
        let sources = (0..<4).map { _ in start(login, names) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { try await call(hosts[number % 2].server.url, sources[number % 4]) }
            }
            try await group.waitForAll()
        }
        #expect(login.counts.tokens == renewals)
        #expect(login.reused.isEmpty)
        for host in hosts { #expect(host.tokens.withLock { $0 } == Array(repeating: "Bearer a\(renewals)", count: 20)) }
    }
}
