#if os(Linux)
import Basics
import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// The ends of a switched connection.
@Suite(.tags(.concurrent), .limited) struct UpgradeEndTests {
    private let session = CurlSession()

    @Test func `An exchange ends when the server ends the connection at once`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching + "bye")
            connection.close()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.end() == nil)
        #expect(client.text == "bye")
        // There is nobody to send to.
        client.send("late")
        try await client.room()
    }

    @Test(arguments: [false, true])
    func `An exchange ends when the server ends its stream and still reads`(sends: Bool) async throws {
        let hasEnded = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            if sends { _ = try connection.read(exactly: 3) }
            try connection.write("bye")
            connection.finishWriting()
            connection.waitForTheEnd()
            hasEnded.set()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.status() == 101)
        if sends { client.send("one") }
        #expect(try await client.end() == nil)
        #expect(client.text == "bye")
        try await hasEnded.value()
    }

    @Test func `An exchange with no demand ends with its last bytes once there is demand`() async throws {
        let size = 300_000
        let hasClosed = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            try connection.write([UInt8](repeating: 7, count: size))
            connection.close()
            hasClosed.set()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session, demand: .max(1))
        #expect(try await client.status() == 101)
        try await hasClosed.value()
        client.send("nobody reads this")
        client.request(.unlimited)
        // The answer to what was sent is a reset, which may overtake the last bytes.
        if try await client.end() == nil { #expect(client.data.count == size) }
    }

    @Test func `An exchange without demand, to which nothing is sent, loses nothing at the end`() async throws {
        let size = 300_000
        let hasClosed = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            try connection.write([UInt8](repeating: 7, count: size))
            connection.close()
            hasClosed.set()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session, demand: .max(1))
        #expect(try await client.status() == 101)
        try await hasClosed.value()
        client.request(.unlimited)
        #expect(try await client.end() == nil)
        #expect(client.data.count == size)
    }

    @Test(arguments: [false, true])
    func `A reset of the server ends the exchange with connectionLost`(sends: Bool) async throws {
        let mayReset = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching + "bye")
            if sends { _ = try connection.read(exactly: 3) }
            _ = mayReset.wait(timeout: .now() + 120)
            connection.reset()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session)
        try await client.wait(for: 3)
        if sends { client.send("one") }
        mayReset.signal()
        let error = try #require(try await client.end())
        #expect(error.reason == .connectionLost)
        #expect(error.phase == .body)
        try await client.room()
    }

    // MARK: Cancel

    private enum Moment: CaseIterable { case waiting, switched, paused, sending }

    /// The server notices, in each of the states.
    @Test(arguments: Moment.allCases)
    private func `A canceled exchange ends its connection at once`(moment: Moment) async throws {
        let hasEnded = Later<Void>()
        let server = try ScriptedServer { _, connection, _ in
            if moment != .waiting { try connection.write(switching + "hello") }
            if moment == .sending {
                // Reads nothing for now: the client has more to send than it gets rid of.
                while !hasEnded.isSet, (try? connection.write("x")) != nil { usleep(2_000) }
            } else {
                connection.waitForTheEnd()
            }
            hasEnded.set()
        }
        defer { server.stop() }
        let client = SwitchingClient(to: server.url(), on: session, demand: moment == .paused ? .max(1) : .unlimited)
        if moment == .waiting {
            #expect(try await holds { server.requests.count == 1 })
        } else {
            #expect(try await client.status() == 101)
        }
        let room = Later<Void>()
        if moment == .sending {
            for _ in 0..<200 { client.upgrade.send([UInt8](repeating: 7, count: 100_000)) }
            client.upgrade.room { room.set() }
        }
        client.cancel()
        try await hasEnded.value()
        #expect(try await holds { session.runningExchanges == 0 })
        if moment == .sending { try await room.value() }
    }

    @Test func `Releasing the session does not end a switched exchange`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            try connection.write(connection.read())
            connection.close()
        }
        defer { server.stop() }
        var session: CurlSession? = CurlSession()
        let client = SwitchingClient(to: server.url(), on: try #require(session))
        #expect(try await client.status() == 101)
        session = nil
        client.send("still here")
        try await client.wait(for: 10)
        #expect(try await client.end() == nil)
        _ = session
    }

    @Test func `shutdown() waits for a switched exchange, which goes on`() async throws {
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(switching)
            try connection.write(connection.read())
            connection.close()
        }
        defer { server.stop() }
        let session = CurlSession()
        let client = SwitchingClient(to: server.url(), on: session)
        #expect(try await client.status() == 101)
        async let shutdown: Void = session.shutdown()
        client.send("still here")
        #expect(try await client.end() == nil)
        #expect(client.text == "still here")
        await shutdown
        #expect(sockets(to: server.port) == 0)
    }
}
#endif
