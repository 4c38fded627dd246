#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// An exchange whose connection the server switches to another protocol.
@Suite(.tags(.concurrent), .limited) struct UpgradeTests {
    private let session = CurlSession()

    /// Answers each piece of bytes with the same, in brackets.
    private static func echo(_ connection: SocketConnection) throws {
        while case let bytes = try connection.read(), !bytes.isEmpty {
            try connection.write(Array("<".utf8) + bytes + Array(">".utf8))
        }
    }

    @Test func `After a 101 both sides send bytes as they like`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            try Self.echo(connection)
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url("/feed?a=b"), on: session)
        let head = try #require(try await client.head())
        #expect(head.statusCode == 101)
        #expect(head.headers["Upgrade"] == "x")
        for (number, text) in ["one", "two", "three"].enumerated() {
            client.send(text)
            try await client.wait(for: ["<one>", "<one><two>", "<one><two><three>"][number].count)
        }
        #expect(client.text == "<one><two><three>")
        #expect(!client.hasEnded)
        client.cancel()
        let request = try #require(server.requests.first)
        #expect(request.requestLine == "GET /feed?a=b HTTP/1.1")
        #expect(request.values("Connection") == ["Upgrade"])
        #expect(request.values("Upgrade") == ["x"])
        for name in ["Transfer-Encoding", "Content-Length", "Expect", "Content-Type", "HTTP2-Settings"] {
            #expect(request.values(name) == [], "\(name)")
        }
    }

    @Test func `Bytes that are sent before the 101 wait for it`() async throws {
        let maySwitch = DispatchSemaphore(value: 0)
        let early = Locked<[UInt8]>([])
        let server = try ScriptedServer { _, connection, _ in
            _ = maySwitch.wait(timeout: .now() + 120)
            // Nothing may have come before the switch.
            do {
                let bytes = try connection.read(before: .now + .milliseconds(50))
                early.withLock { $0 = bytes }
            } catch SocketError.timedOut {}
            try connection.write(switching)
            try Self.echo(connection)
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        client.send("ear")
        client.send("ly")
        #expect(try await holds { server.requests.count == 1 })
        maySwitch.signal()
        try await client.wait(for: 7)
        #expect(client.text == "<early>")
        #expect(early.withLock { $0 } == [])
        client.cancel()
    }

    @Test func `Bytes in one packet with the 101 are the first that arrive`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write("HTTP/1.1 103 Early Hints\r\n\r\n" + switching + "early")
            try Self.echo(connection)
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.status() == 101)
        try await client.wait(for: 5)
        client.send("late")
        try await client.wait(for: 11)
        #expect(client.text == "early<late>")
        client.cancel()
    }

    @Test func `A 101 and what follows may arrive byte by byte`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            for byte in (switching + "HTTP/1.1 200 OK\r\n\r\n").utf8 { try connection.write([byte]) }
            try Self.echo(connection)
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.status() == 101)
        try await client.wait(for: 19)
        client.send("x")
        try await client.wait(for: 22)
        #expect(client.text == "HTTP/1.1 200 OK\r\n\r\n<x>")
        client.cancel()
    }

    @Test func `Twenty million bytes go both ways at once, and arrive in order`() async throws {
        let (count, piece) = (200, 100_000)
        let pattern = (0..<(piece + count)).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            while case let bytes = try connection.read(), !bytes.isEmpty { try connection.write(bytes) }
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        var expected: [UInt8] = []
        for number in 0..<count {
            let bytes = Array(pattern[number..<(number + piece)])
            expected += bytes
            client.upgrade.send(bytes)
            try await client.room()
        }
        try await client.wait(for: count * piece)
        #expect(client.data == Data(expected))
        client.cancel()
    }
}
#endif
