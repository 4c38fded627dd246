#if os(Linux)
import Foundation
import Glibc
import HostileServer
import HTTPTransport
import Basics
import PortableCombine
import LoopbackServer
import TestTiers
import Testing

/// The time limit of connecting.
@Suite(.tags(.concurrent), .limited) struct CurlConnectTests {
    private let session = CurlSession()
    private let limits = ExchangeRequest.Limits.with { $0.connect = .milliseconds(100) }

    private func expectTimeout(_ error: TransportError?) {
        #expect(error?.reason == .timedOut(which: .connect, after: .milliseconds(100)), "\(String(describing: error))")
        #expect(error?.phase == .connect)
    }

    @Test
    func `A request to a server that never accepts the TCP connection times out at the connect limit`() async throws {
        let server = try FullListener()
        let good = try ScriptedServer(always: reply(body: "good"))
        defer {
            server.close()
            good.stop()
        }
        for _ in 0..<2 {
            expectTimeout(try await session.failure(of: ExchangeRequest(port: server.port, limits: limits)))
            #expect(try await session.reply(to: ExchangeRequest(port: good.port)).text == "good")
        }
        #expect(try await holds { sockets(to: server.port) == FullListener.clients })
        #expect(session.runningExchanges == 0)
    }

    // No server of another test has these addresses.
    @Test(arguments: [
        ["127.0.8.2", "127.0.8.3", "127.0.0.1"], ["::1", "127.0.8.2", "127.0.8.3", "127.0.8.4", "127.0.0.1"],
    ])
    func `When an address of a host refuses the connection, the next address is tried`(addresses: [String]) async throws
    {
        let server = try ScriptedServer(always: reply(body: "good"))
        defer { server.stop() }
        var configuration = CurlSession.Configuration()
        configuration.addresses = ["place.example:\(server.port)": addresses]
        let session = CurlSession(configuration: configuration)
        let request = try ExchangeRequest(port: server.port, host: "place.example")
        #expect(try await session.reply(to: request).text == "good")
        configuration.addresses = ["place.example:1": Array(addresses.dropLast()) + ["127.0.8.5"]]
        let nowhere = try ExchangeRequest(port: 1, host: "place.example")
        #expect(try await CurlSession(configuration: configuration).failure(of: nowhere)?.reason == .cannotConnect)
    }

    /// RFC 6874: the zone has a meaning on this machine only.
    @Test func `A host with an IPv6 zone is reached, and the zone is not sent in the Host header`() async throws {
        // A machine may have no IPv6.
        guard let server = try? ScriptedServer(host: "::1", always: reply(body: "good")) else { return }
        defer { server.stop() }
        let request = try ExchangeRequest(port: server.port, host: "[::1%25lo]")
        #expect(try await session.reply(to: request).text == "good")
        #expect(server.requests.first?.values("Host") == ["[::1]:\(server.port)"])
        var configuration = CurlSession.Configuration()
        configuration.reach = .publicOnly()
        #expect(try await CurlSession(configuration: configuration).failure(of: request)?.reason != nil)
        let unknown = try ExchangeRequest(port: server.port, host: "[::1%25nothing0]")
        #expect(try await session.failure(of: unknown)?.phase == .connect)
        #expect(server.requests.count == 1)
    }

    /// The connection stands, but it is not secure yet.
    @Test func `A TLS handshake that never ends times out after the connect limit`() async throws {
        let server = try ScriptedServer(reading: { head, _, _ in head }) { _, connection, _ in
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        expectTimeout(try await session.failure(of: ExchangeRequest(to: url, limits: limits)))
    }

    @Test func `The total and idle time limits also end a request that is still connecting`() async throws {
        let server = try FullListener()
        defer { server.close() }
        let total = ExchangeRequest.Limits.with { $0.total = .milliseconds(100) }
        let failure = try await session.failure(of: ExchangeRequest(port: server.port, limits: total))
        #expect(failure?.reason == .timedOut(which: .total, after: .milliseconds(100)))
        #expect(failure?.phase == .connect)
        let idle = ExchangeRequest.Limits.with { $0.idle = .milliseconds(100) }
        let second = try await session.failure(of: ExchangeRequest(port: server.port, limits: idle))
        #expect(second?.reason == .timedOut(which: .idle, after: .milliseconds(100)))
    }

    @Test func `Canceling a request while it connects closes its socket`() async throws {
        let server = try FullListener()
        defer { server.close() }
        let log = EventLog()
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(log)
        #expect(try await holds { sockets(to: server.port) == FullListener.clients + 1 })
        log.cancel()
        #expect(try await holds { sockets(to: server.port) == FullListener.clients })
        #expect(log.ends == 0 && session.runningExchanges == 0)
    }

    @Test func `Waiting for a free connection does not count toward the connect time limit`() async throws {
        let hasCome = Later<Void>()
        let mayEnd = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, connection, _ in
            hasCome.set()
            _ = mayEnd.wait(timeout: .now() + 120)
            try connection.write(reply(body: "answer"))
        }
        defer { server.stop() }
        var configuration = CurlSession.Configuration()
        configuration.connectionsPerHost = 1
        let session = CurlSession(configuration: configuration)
        let slow = EventLog()
        try session.events(for: ExchangeRequest(port: server.port)).subscribe(slow)
        try await hasCome.value()
        let waiting = EventLog()
        try session.events(for: ExchangeRequest(port: server.port, limits: limits)).subscribe(waiting)
        #expect(try await !holds(within: .milliseconds(200)) { waiting.ends > 0 })
        // Canceled, since the limit may be too short for a busy machine when its turn has come.
        waiting.cancel()
        mayEnd.signal()
        #expect(try await slow.end.value() == nil)
        #expect(server.connections == 1)
    }
}

/// A listening socket with as many connections as it takes, which accepts none: another one waits for ever.
private final class FullListener: Sendable {
    struct Failure: Error { let code = errno }

    /// Connections that are its own.
    static let clients = 4

    let port: UInt16
    private let descriptors: Locked<[Int32]>

    init() throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        func with(_ body: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
            }
        }
        let isBound = with { bind(listening, $0, length) } == 0 && listen(listening, 0) == 0
        let isNamed = isBound && with { getsockname(listening, $0, &length) } == 0
        port = UInt16(bigEndian: address.sin_port)
        guard isNamed else { throw Failure() }
        // One more than the backlog is taken (listen(2)): the last of these are on their way for ever.
        let clients = (0..<Self.clients).map { _ in
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = with { connect(client, $0, length) }
            return client
        }
        descriptors = Locked([listening] + clients)
    }

    func close() {
        for descriptor in descriptors.withLock({ $0 }) { Glibc.close(descriptor) }
    }
}
#endif
