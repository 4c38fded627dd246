import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The signs of life that a socket asks for.
@Suite(.tags(.concurrent), .limited) struct SocketPingTests {
    @Test func `A socket whose pings are answered goes on`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            var payloads: Set<[UInt8]> = []
            for _ in 0..<5 {
                guard let ping = try peer.next(), ping.opcode == 9 else { return }
                payloads.insert(ping.payload)
                try peer.send(ServerFrames.frame(10, ping.payload))
            }
            try peer.send("\(payloads.count)")
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) {
            $0.pings = SocketPings(every: .milliseconds(50), within: .seconds(5))
        }.connect()
        for try await text in socket.messages {
            #expect(text == "5")
            break
        }
    }

    @Test(arguments: [[], Array("0".utf8), [255], Array("99999999999999999999".utf8)])
    func `A pong with the payload of no ping is no answer`(payload: [UInt8]) async throws {
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("one"))
            while let frame = try peer.next() {
                if frame.opcode == 9 { try peer.send(ServerFrames.frame(10, payload)) }
            }
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) {
            $0.pings = SocketPings(every: .milliseconds(50), within: .milliseconds(200))
        }.connect()
        let (values, error) = try await within { await socket.readAll() }
        #expect(values == ["one"])
        #expect(error as? SocketFailure == .silent(.milliseconds(200)))
        await #expect(throws: SocketFailure.silent(.milliseconds(200))) { try await socket.send("late") }
    }

    /// The answer waits behind what the program does not read.
    @Test func `A program that does not read is no silence of the server`() async throws {
        let (hasFlooded, pings) = (Later<Void>(), Locked(0))
        let server = try SocketServer { peer in
            try peer.accept()
            let reading = Thread {
                while let frame = (try? peer.next()) ?? nil {
                    if frame.opcode == 9 { pings.withLock { $0 += 1 } }
                    // Behind all that is written.
                    if frame.opcode == 9 { try? peer.send(ServerFrames.frame(10, frame.payload)) }
                }
                peer.connection.close()
            }
            for _ in 0..<10 { try peer.send(ServerFrames.frame(2, [UInt8](repeating: 7, count: 100_000))) }
            hasFlooded.set()
            reading.start()
            while !peer.connection.isClosed { usleep(10_000) }
        }
        defer { server.stop() }
        let socket = try await TestSocket<Data, Data>(server) {
            $0.pings = SocketPings(every: .milliseconds(100), within: .milliseconds(100))
        }.connect()
        try await hasFlooded.value()
        #expect(try await holds { pings.withLock { $0 } >= 5 })
        var count = 0
        for try await data in socket.messages {
            #expect(data.count == 100_000)
            count += 1
            if count == 10 { break }
        }
        #expect(count == 10)
    }

    @Test func `A socket without pings sends no ping`() async throws {
        let frames = Later<[ServerFrames.Received]>()
        let server = try SocketServer { peer in
            try peer.accept()
            frames.set(try peer.finish())
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) { $0.pings = nil }.connect()
        try await socket.send("a")
        socket.close()
        #expect(try await frames.value().map(\.opcode) == [1, 8])
    }

    /// Its answer to a ping comes after the message.
    @Test(.heavy) func `A message that takes longer than the deadline of a ping is a sign of life`() async throws {
        let (parts, part) = (65, Array(repeating: UInt8(ascii: "-"), count: 1_000))
        let server = try SocketServer { peer in
            try peer.accept()
            let size = parts * part.count
            try peer.send([0x81, 126, UInt8(size >> 8), UInt8(size & 0xFF)])
            for _ in 0..<parts {
                try peer.send(part)
                usleep(200_000)
            }
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) {
            $0.pings = SocketPings(every: .milliseconds(50), within: .seconds(10))
        }.connect()
        for try await text in socket.messages {
            #expect(text.count == parts * part.count)
            break
        }
    }
}
