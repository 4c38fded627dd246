import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Servers that send without end. None takes memory without bound, or keeps the socket from its end.
@Suite(.limited, .serialized) struct HostileFloodTests {
    /// Counts what a server gets rid of until it is held.
    private func stalled(_ count: Locked<Int>) async throws -> Int {
        var last = -1
        while case let before = last, try await holds(within: .milliseconds(300), { count.withLock { $0 } > before }) {
            last = count.withLock { $0 }
        }
        return last
    }

    private func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
        Array(Array(repeating: frame, count: count).joined())
    }

    /// Counts the messages that it has read ahead.
    private final class CountingSocket: JSONAPI, SocketRequest {
        typealias Incoming = String
        typealias Outgoing = String
        let compressesMessages = false
        let pings: SocketPings? = nil
        let count = Locked(0)

        func decode(_ message: SocketMessage) throws -> String? {
            count.withLock { $0 += 1 }
            return message.text
        }
    }

    /// Messages of no byte count too.
    @Test(arguments: [0, 1])
    func `A flood of tiny messages that nobody reads is held`(size: Int) async throws {
        let piece = repeated(ServerFrames.frame(1, [UInt8](repeating: 65, count: size)), (64 << 10) / (2 + size))
        let server = try SocketServer { peer in
            try peer.accept()
            while (try? peer.send(piece)) != nil {}
        }
        defer { server.stop() }
        let api = CountingSocket(.get("/"))
        api.baseURL = server.url
        let count = api.count
        let socket = try await api.connect()
        #expect(try await holds { count.withLock { $0 } >= 4_096 })
        let held = try await stalled(count)
        // What holds the server, and what came with it in one piece.
        #expect(held < 200_000, "\(held)")
        for try await text in socket.messages {
            #expect(text.utf8.count == size)
            break
        }
    }

    /// The last is answered in any case (RFC 6455, section 5.5.3).
    @Test func `A flood of pings by a server that reads nothing leads to few pongs`() async throws {
        let pongs = Later<[Int]>()
        let total = 100_000
        let server = try SocketServer { peer in
            try peer.accept()
            let fill = [UInt8](repeating: 7, count: 100)
            for start in stride(from: 0, to: total, by: 1_000) {
                let frames = (start..<(start + 1_000)).map { ServerFrames.frame(9, Array("\($0) ".utf8) + fill) }
                try peer.send(Array(frames.joined()))
            }
            var (numbers, last): ([Int], Int) = ([], 0)
            while last < total - 1, let frame = try peer.next() {
                last = Int(String(decoding: frame.payload.prefix { $0 != 32 }, as: UTF8.self)) ?? -1
                numbers.append(last)
            }
            pongs.set(numbers)
            try peer.send("end")
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for try await text in socket.messages {
            #expect(text == "end")
            break
        }
        let numbers = try await pongs.value(within: 60)
        #expect(numbers.count < total / 2, "\(numbers.count)")
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(numbers.last == total - 1)
    }

    @Test func `A flood of pongs means nothing`() async throws {
        let piece = repeated(ServerFrames.frame(10, Array("1".utf8)), 20_000)
        let server = try SocketServer { peer in
            try peer.accept()
            for _ in 0..<20 { try peer.send(piece) }
            try peer.send("end")
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for try await text in socket.messages {
            #expect(text == "end")
            break
        }
    }

    /// The frames to send without end, though the server answers no ping.
    @Test(arguments: [
        ServerFrames.frame(0, [], last: false), ServerFrames.frame(9, [1]), ServerFrames.frame(10, [1]),
    ])
    func `A flood of frames without a message does not hide that no ping is answered`(frame: [UInt8]) async throws {
        let piece = repeated(frame, 1_000)
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("", last: false))
            while (try? peer.send(piece)) != nil {}
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) {
            $0.pings = SocketPings(every: .milliseconds(300), within: .milliseconds(300))
        }.connect()
        let (values, error) = try await within { await socket.readAll() }
        #expect(values == [])
        #expect(error as? SocketFailure == .silent(.milliseconds(300)))
        #expect(try await holds { server.openConnections == 0 })
    }
}
