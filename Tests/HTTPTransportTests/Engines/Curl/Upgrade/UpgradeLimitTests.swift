#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// The limits of an exchange and of its session, before and after a switch.
@Suite(.tags(.concurrent), .limited) struct UpgradeLimitTests {
    private func session(_ change: (inout CurlSession.Configuration) -> Void = { _ in }) -> CurlSession {
        var configuration = CurlSession.Configuration()
        change(&configuration)
        return CurlSession(configuration: configuration)
    }

    @Test func `The limits of time and of bytes end with the 101`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            while case let bytes = try connection.read(), !bytes.isEmpty { try connection.write(bytes) }
        }
        defer { server.stop() }
        let limits = ExchangeRequest.Limits.with {
            ($0.idle, $0.total, $0.responseBytes) = (.seconds(1), .seconds(1), 3)
        }
        let client = SwitchingClient(to: server.url(), on: session(), limits: limits)
        #expect(try await client.status() == 101)
        // Silence over the limits is what is tested.
        try await Task.sleep(for: .seconds(1.5))
        client.send("123456")
        try await client.wait(for: 6)
        #expect(!client.hasEnded)
        client.cancel()
    }

    @Test func `The limits of time hold until the 101`() async throws {
        let server = try ScriptedServer { _, connection, _ in connection.waitForTheEnd() }
        defer { server.stop() }
        let limits = ExchangeRequest.Limits.with { $0.idle = .milliseconds(200) }
        let client = SwitchingClient(to: server.url(), on: session(), limits: limits)
        client.send("nobody takes this")
        #expect(try await client.end()?.reason == .timedOut(which: .idle, after: .milliseconds(200)))
        #expect(client.data.isEmpty)
    }

    @Test func `The limit of header bytes holds for a 101`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 101 S\r\nUpgrade: x\r\nA: \(String(repeating: "a", count: 2_000))\r\n\r\n")
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let limits = ExchangeRequest.Limits.with { $0.headerBytes = 1_000 }
        let client = SwitchingClient(to: server.url(), on: session(), limits: limits)
        #expect(try await client.end()?.reason == .tooLarge(.headerBytes, limit: 1_000))
    }

    // MARK: Connections

    /// Until the 101, it does.
    @Test func `A switched connection does not count for connectionsPerHost`() async throws {
        let maySwitch = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { request, connection, _ in
            guard request.target == "/feed" else { return try connection.write(reply(body: "ok")) }
            _ = maySwitch.wait(timeout: .now() + 120)
            try connection.write(switching)
            connection.waitForTheEnd()
        }
        defer { server.stop() }
        let session = session { ($0.connectionsPerHost, $0.threads) = (1, 1) }
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        var clients: [SwitchingClient] = []
        for number in 1...4 {
            let client = SwitchingClient(to: server.url("/feed"), on: session)
            #expect(try await holds { server.requests.last?.target == "/feed" })
            async let waiting = session.reply(to: ExchangeRequest(port: server.port))
            #expect(try await holds { session.runningExchanges == number + 1 })
            #expect(server.requests.count == 2 * number)
            maySwitch.signal()
            #expect(try await client.status() == 101)
            #expect(try await waiting.text == "ok")
            // A switch takes a connection of its own, and the ordinary one is used again.
            #expect(server.connections == 1 + number)
            clients.append(client)
        }
        for client in clients { client.cancel() }
        #expect(try await holds { server.openConnections == 1 })
        #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        #expect(server.connections == 5)
    }

    @Test func `A refused switch leaves its place to the next exchange`() async throws {
        let server = try ScriptedServer { request, connection, _ in
            try connection.write(request.target == "/feed" ? reply("403 No", body: "no") : reply(body: "ok"))
        }
        defer { server.stop() }
        let session = session { $0.connectionsPerHost = 1 }
        for _ in 0..<3 {
            let client = SwitchingClient(to: server.url("/feed"), on: session)
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
            #expect(try await client.end() == nil)
            #expect(client.text == "no")
        }
        #expect(try await holds { session.runningExchanges == 0 })
    }

    // MARK: Back-pressure

    @Test func `A reader without demand holds the server`() async throws {
        let (size, written) = (64 << 20, Locked(0))
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            let piece = [UInt8](repeating: 7, count: 64 << 10)
            for _ in 0..<(size / piece.count) {
                try connection.write(piece)
                written.withLock { $0 += piece.count }
            }
            connection.close()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session(), demand: .max(1))
        #expect(try await client.status() == 101)
        var last = -1
        while case let before = last, try await holds(within: .milliseconds(100), { written.withLock { $0 } > before })
        {
            last = written.withLock { $0 }
        }
        #expect(last < size / 4, "\(last)")
        client.request(.unlimited)
        #expect(try await client.end() == nil)
        #expect(client.data.count == size)
    }

    @Test func `A server that does not read holds room, and the other direction goes on`() async throws {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            for _ in 0..<100 { try connection.write("tick") }
            _ = mayRead.wait(timeout: .now() + 120)
            var count = 0
            while count < 64 << 20 { count += try connection.read().count }
            try connection.write("all")
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session())
        try await client.wait(for: 400)
        let (piece, sent) = ([UInt8](repeating: 7, count: 1 << 20), Locked(0))
        let sending = Task {
            for _ in 0..<64 {
                client.upgrade.send(piece)
                try await client.room()
                sent.withLock { $0 += 1 }
            }
        }
        var last = -1
        while case let before = last, try await holds(within: .milliseconds(100), { sent.withLock { $0 } > before }) {
            last = sent.withLock { $0 }
        }
        #expect(last < 32, "\(last) MiB")
        mayRead.signal()
        try await sending.value
        try await client.wait(for: 403)
        #expect(client.text.hasSuffix("all"))
        client.cancel()
    }
}
#endif
