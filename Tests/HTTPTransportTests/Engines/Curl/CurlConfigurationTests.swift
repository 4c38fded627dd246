#if os(Linux)
import LoopbackServer
import Foundation
import Glibc
import HTTPTransport
import HostileServer
import Basics
import TestTiers
import Testing

/// Every setting of how to connect does what it says, or fails with its name.
@Suite(.tags(.concurrent), .limited) struct CurlConfigurationTests {
    private func session(_ change: (inout CurlSession.Configuration) -> Void) -> CurlSession {
        var configuration = CurlSession.Configuration()
        change(&configuration)
        return CurlSession(configuration: configuration)
    }

    @Test func `An identity prints its files, and only whether there is a password`() {
        var identity = CurlSession.Configuration.Identity(certificate: URL(fileURLWithPath: "/c.pem"))
        #expect("\(identity)" == "Identity(certificate: /c.pem)")
        (identity.key, identity.password) = (URL(fileURLWithPath: "/k.pem"), "canary")
        #expect("\(identity)" == "Identity(certificate: /c.pem, key: /k.pem, password: <redacted>)")
    }

    @Test func `CurlSession connects to configured addresses instead of looking up the host in DNS`() async throws {
        let server = try ScriptedServer(always: reply(body: "here"))
        defer { server.stop() }
        let session = session { $0.addresses["api.example:\(server.port)"] = ["127.0.0.1"] }
        for _ in 0..<3 {
            let answer = try await session.reply(to: ExchangeRequest(port: server.port, host: "api.example"))
            #expect(answer.text == "here")
        }
        #expect(server.requests.first?["Host"] == "api.example:\(server.port)")
        #expect(server.connections == 1)
    }

    /// Two seconds is the shortest lifetime.
    @Test(.heavy) func `CurlSession does not reuse a kept-alive connection after connectionLifetime`() async throws {
        let servers = try (0..<2).map { _ in try ScriptedServer(always: reply(body: "here")) }
        defer { for server in servers { server.stop() } }
        let sessions = [session { $0.connectionLifetime = .seconds(2) }, session { $0.connectionLifetime = nil }]
        let end = ContinuousClock.now + .seconds(50)
        while servers[0].connections < 2, ContinuousClock.now < end {
            for (session, server) in zip(sessions, servers) {
                _ = try await session.reply(to: ExchangeRequest(port: server.port))
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(servers.map(\.connections) == [2, 1])
    }

    /// The rounds of requests, as many at a time as there are connections, in which connections were made anew, until
    /// all were; nil if a round took so long that it hides when.
    private func renewals(of count: Int, lifetime: Duration) async throws -> [Int]? {
        let server = try ScriptedServer { _, connection, _ in
            Scene.pass(.milliseconds(20))
            try connection.write(reply(body: "here"))
        }
        defer { server.stop() }
        let session = session {
            $0.connectionsPerHost = count
            $0.connectionLifetime = lifetime
        }
        let start = ContinuousClock.now
        var renewals: [Int] = []
        while server.connections < 2 * count {
            let (before, began) = (server.connections, ContinuousClock.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { _ = try await session.reply(to: ExchangeRequest(port: server.port)) }
                }
                try await group.waitForAll()
            }
            let now = ContinuousClock.now
            if now > start + lifetime * 0.8, now - began > lifetime / 40 || now > start + lifetime * 1.2 { return nil }
            if before > 0, server.connections > before { renewals.append(server.connections - before) }
        }
        return renewals
    }

    /// The limits lie in the last second of ten.
    @Test(.heavy) func `Connections of the same age reach connectionLifetime one after another`() async throws {
        for _ in 0..<4 {
            guard let renewals = try await renewals(of: 16, lifetime: .seconds(10)) else { continue }
            #expect(renewals.count >= 3 && renewals.allSatisfy { $0 <= 10 }, "\(renewals)")
            break
        }
    }

    @Test(arguments: [Duration.seconds(3_600), nil])
    func `CurlSession reuses a kept-alive connection before connectionLifetime has passed`(lifetime: Duration?)
        async throws
    {
        let server = try ScriptedServer(always: reply(body: "here"))
        defer { server.stop() }
        let session = session { $0.connectionLifetime = lifetime }
        for _ in 0..<3 { _ = try await session.reply(to: ExchangeRequest(port: server.port)) }
        #expect(server.connections == 1)
    }

    @Test func `Requests go through the configured proxy, except to hosts in its exception list`() async throws {
        let server = try ScriptedServer(always: reply(body: "direct"))
        let proxy = try ScriptedServer(always: reply(body: "by proxy"))
        defer {
            server.stop()
            proxy.stop()
        }
        let all = session { $0.proxy = .url("http://name:word@127.0.0.1:\(proxy.port)") }
        #expect(try await all.reply(to: ExchangeRequest(port: server.port, "/a?b")).text == "by proxy")
        #expect(proxy.requests.first?.requestLine == "GET http://127.0.0.1:\(server.port)/a?b HTTP/1.1")
        #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bmFtZTp3b3Jk")
        let some = session {
            $0.proxy = .url("http://127.0.0.1:\(proxy.port)", except: ["127.0.0.1", "other.example"])
        }
        #expect(try await some.reply(to: ExchangeRequest(port: server.port)).text == "direct")
        #expect(server.requests.first?["Proxy-Authorization"] == nil)
        let dead = session { $0.proxy = .url("http://127.0.0.1:1") }
        let failure = try await dead.failure(of: ExchangeRequest(port: server.port))
        #expect(failure?.reason == .cannotConnect)
        #expect(failure?.description.contains("word") == false)
    }

    @Test func `A session with unixSocket sends every request over that Unix domain socket`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString.prefix(8))")
            .path
        let seen = Locked("")
        let listening = try UnixServer(path) { request in
            seen.withLock { $0 = request }
            return "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nunix"
        }
        defer { listening.stop() }
        let session = session { $0.unixSocket = path }
        let answer = try await session.reply(to: ExchangeRequest(port: 80, host: "docker.example", "/version"))
        #expect(answer.text == "unix")
        #expect(seen.withLock { $0 }.hasPrefix("GET /version HTTP/1.1\r\nHost: docker.example\r\n"))
        let absent = self.session { $0.unixSocket = path + "-absent" }
        #expect(try await absent.failure(of: ExchangeRequest(port: 80))?.reason == .cannotConnect)
    }

    @Test
    func `CurlSession connects from localAddress, or fails with cannotConnect if this machine lacks it`() async throws {
        let server = try ScriptedServer(always: reply(body: "here"))
        defer { server.stop() }
        let from = session { $0.localAddress = "127.0.0.9" }
        #expect(try await from.reply(to: ExchangeRequest(port: server.port)).text == "here")
        #expect(withExtendedLifetime(from) { localAddresses(to: server.port) } == ["127.0.0.9"])
        let interface = session { $0.localAddress = "lo" }
        #expect(try await interface.reply(to: ExchangeRequest(port: server.port)).text == "here")
        let nowhere = session { $0.localAddress = "192.0.2.1" }
        #expect(try await nowhere.failure(of: ExchangeRequest(port: server.port))?.reason == .cannotConnect)
        #expect(server.connections == 2)
    }

    /// Passwords are in no text about a configuration, its parts and its session.
    @Test(arguments: [
        "http://canary:canary@proxy.example:3128/?key=canary", "http://canary@proxy.example", "canary",
        "http://[canary",
    ])
    func `Printing a CurlSession or its configuration never shows passwords`(proxy: String) throws {
        var configuration = CurlSession.Configuration()
        let file = URL(fileURLWithPath: "/keys/client.pem")
        configuration.identity = .init(certificate: file, key: file, password: "canary")
        configuration.proxy = .url(proxy, except: ["direct.example"])
        let values: [Any] = [
            configuration, configuration.proxy, configuration.identity as Any,
            CurlSession(configuration: configuration),
            [configuration.identity], ["proxy": configuration.proxy],
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value), Self.mirrored(value)] {
                #expect(!text.contains("canary"))
            }
        }
        #expect("\(configuration.proxy)".contains("direct.example"))
        #expect("\(configuration)".contains("/keys/client.pem"))
    }

    /// Everything that mirrors lead to, as tools for debugging show it.
    private static func mirrored(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        return mirror.children.map { "\($0.label ?? ""): \(mirrored($0.value))" }.joined() + "\(value)"
    }

    @Test
    func `An unusable CurlSession setting fails the request with invalidConfiguration naming the setting`() async throws
    {
        let server = try ScriptedServer(always: reply(body: "here"))
        defer { server.stop() }
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all.pem")
        let folder = FileManager.default.temporaryDirectory
        let cases: [(String, (inout CurlSession.Configuration) -> Void)] = [
            ("certificateAuthorities", { $0.certificateAuthorities = nowhere }),
            ("certificateAuthorities", { $0.certificateAuthorities = folder }),
            ("identity.certificate", { $0.identity = .init(certificate: nowhere) }),
            ("pinnedKeys", { $0.pinnedKeys = ["not base64"] }), ("pinnedKeys", { $0.pinnedKeys = ["AAAA"] }),
            ("pinnedKeys", { $0.pinnedKeys = [""] }),
            // Without a host, libcurl would go without a proxy.
            ("proxy", { $0.proxy = .url("") }), ("proxy", { $0.proxy = .url("::: %%") }),
            ("proxy", { $0.proxy = .url("http://127.0.0.1:1\0evil") }),
            ("proxy", { $0.proxy = .url("127.0.0.1:1") }), ("proxy", { $0.proxy = .url("localhost:1") }),
            ("unixSocket", { $0.unixSocket = "" }),
            ("unixSocket", { $0.unixSocket = "/" + String(repeating: "x", count: 300) }),
            ("localAddress", { $0.localAddress = "" }),
            ("addresses", { $0.addresses = ["place.example": ["127.0.0.1"]] }),
            ("addresses", { $0.addresses = ["place.example:80": []] }),
            ("addresses", { $0.addresses = ["place.example:80": ["localhost"]] }),
            ("addresses", { $0.addresses = ["place.example:80": ["127.0.0.1:80"]] }),
            ("addresses", { $0.addresses = ["-x:80": ["127.0.0.1"]] }),
            ("addresses", { $0.addresses = ["a\0b:80": ["127.0.0.1"]] }),
        ]
        for (setting, change) in cases {
            let failure = try await session(change).failure(of: ExchangeRequest(port: server.port))
            #expect(failure?.reason == .invalidConfiguration(setting: setting))
            #expect(failure?.phase == .request)
            #expect(failure?.underlying != nil)
        }
        let failure = try await session { $0.certificateAuthorities = nowhere }.failure(of: ExchangeRequest(port: 1))
        #expect(failure?.description.contains("/nowhere/at/all.pem is not there") == true)
        #expect(server.connections == 0)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `Parallel requests to three servers stay within the session's connection limits`(threads: Int) async throws {
        let crowd = Crowd(of: 4)
        let servers = try (0..<3).map { try HTTPServer(handler: crowd.handler(at: $0)) }
        defer { for server in servers { server.stop() } }
        let session = session { configuration in
            configuration.connectionsPerHost = 3
            configuration.connections = 4
            configuration.threads = threads
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                let port = servers[number % 3].port
                group.addTask { _ = try await session.reply(to: ExchangeRequest(port: port)) }
            }
            try await group.waitForAll()
        }
        #expect(crowd.mostAtOnce == 4)
        #expect((0..<3).allSatisfy { crowd.mostAtOnce(at: $0) <= 3 })
        #expect(try await holds { servers.allSatisfy { $0.openConnections <= 3 } })
        #expect(session.runningExchanges == 0)
    }

    @Test
    func `A four-threaded CurlSession reuses connections, and fails with sessionClosed after shutdown()`() async throws
    {
        let server = try HTTPServer { _ in .text("ok") }
        defer { server.stop() }
        let session = session { configuration in
            configuration.connectionsPerHost = 8
            configuration.threads = 4
        }
        for _ in 0..<20 { #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok") }
        #expect(server.acceptedConnections == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<load(1_000) {
                group.addTask { _ = try await session.reply(to: ExchangeRequest(port: server.port)) }
            }
            try await group.waitForAll()
        }
        #expect(server.acceptedConnections <= 8)
        await session.shutdown()
        #expect(try await session.failure(of: ExchangeRequest(port: server.port))?.reason == .sessionClosed)
    }

    @Test func `CurlSession is available, names its libcurl version and is the default session on Linux`() {
        #expect(CurlSession.isAvailable)
        #expect(CurlSession.unavailableReason == nil)
        #expect(CurlSession.libraryVersion.hasPrefix("libcurl/"))
        #expect(DefaultSession.shared is CurlSession)
    }
}

/// Answers one request after another on a Unix domain socket.
private final class UnixServer: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String, answer: @escaping @Sendable (String) -> String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread { [descriptor] in
            // Closed here: its number could be that of another server before the thread asks for a connection again.
            defer { close(descriptor) }
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = max(0, read(connection, &buffer, buffer.count))
                let text = answer(String(decoding: buffer[..<count], as: UTF8.self))
                _ = write(connection, text, text.utf8.count)
                close(connection)
            }
        }.start()
    }

    func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
    }
}
#endif
