import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// Much on a socket, in order and in little memory.
@Suite(.tags(.concurrent), .limited) struct SocketFlowTests {
    @Test func `Ten thousand messages of one task arrive in their order, and come back so`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.echo()
        }
        defer { server.stop() }
        let (socket, count) = (try await TextSocket(server).connect(), 10_000)
        let sending = Task { for number in 0..<count { try await socket.send("\(number)") } }
        var next = 0
        for try await text in socket.messages {
            #expect(text == "\(next)")
            next += 1
            if next == count { break }
        }
        try await sending.value
        #expect(next == count)
    }

    @Test func `Each of eight tasks has its messages in order`() async throws {
        let received = Later<[String]>()
        let server = try SocketServer { peer in
            try peer.accept()
            received.set(try peer.finish().map { String(decoding: $0.payload, as: UTF8.self) })
        }
        defer { server.stop() }
        let (socket, count) = (try await TextSocket(server).connect(), load(5_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<count { try await socket.send("\(task) \(number)") } }
            }
            try await group.waitForAll()
        }
        socket.close()
        let texts = try await received.value(within: 60).dropLast()
        #expect(texts.count == 8 * count)
        for task in 0..<8 {
            #expect(texts.filter { $0.hasPrefix("\(task) ") } == (0..<count).map { "\(task) \($0)" })
        }
    }

    @Test func `A close among the sends of eight tasks loses nothing that was sent before`() async throws {
        for _ in 0..<load(100) {
            let (received, mayClose) = (Later<Int>(), Later<Void>())
            let server = try SocketServer { peer in
                try peer.accept()
                for _ in 0..<50 { _ = try peer.next() }
                mayClose.set()
                received.set(try peer.finish().count + 49)
            }
            let socket = try await TextSocket(server).connect()
            let sent = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        var count = 0
                        while count < 100_000, (try? await socket.send("x")) != nil {
                            count += 1
                            await Task.yield()
                        }
                        return count
                    }
                }
                group.addTask {
                    try? await mayClose.value()
                    socket.close()
                    return 0
                }
                return await group.reduce(0, +)
            }
            #expect(try await received.value() == sent)
            server.stop()
        }
    }

    /// Counts what a server gets rid of until it is held.
    private func stalled(_ count: Locked<Int>) async throws -> Int {
        var last = -1
        while case let before = last, try await holds(within: .milliseconds(200), { count.withLock { $0 } > before }) {
            last = count.withLock { $0 }
        }
        return last
    }

    @Test(arguments: [1_000, 100_000])
    func `A program that does not read holds the server, and loses nothing`(size: Int) async throws {
        let (written, total) = (Locked(0), (48 << 20) / size)
        let server = try SocketServer { peer in
            try peer.accept()
            let frame = ServerFrames.frame(2, [UInt8](repeating: 7, count: size))
            for _ in 0..<total {
                try peer.send(frame)
                written.withLock { $0 += 1 }
            }
            try peer.send(ServerFrames.close(1000))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TestSocket<Data, Data>(server).connect()
        let held = try await stalled(written)
        #expect(held < total / 2, "\(held) of \(total)")
        var count = 0
        for try await data in socket.messages {
            #expect(data.count == size)
            count += 1
        }
        #expect(count == total)
    }

    /// It also answers pings meanwhile, as little waits.
    @Test func `Pings are answered while the program does not read`() async throws {
        let pong = Later<ServerFrames.Received?>()
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("waits") + ServerFrames.frame(9, [7]))
            pong.set(try peer.next())
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        #expect(try await pong.value()?.payload == [7])
        socket.close()
    }

    @Test func `A server that does not read holds send(), which can be canceled`() async throws {
        let (mayRead, sent) = (DispatchSemaphore(value: 0), Locked(0))
        let server = try SocketServer { peer in
            try peer.accept()
            _ = mayRead.wait(timeout: .now() + 60)
            // Frame by frame, megabytes would take longer than the client waits for the answer.
            var end: [UInt8] = []
            while !end.isClose, case let bytes = try peer.connection.read(), !bytes.isEmpty {
                end = Array((end + bytes).suffix(8))
            }
            #expect(end.isClose)
            try peer.send(ServerFrames.close(1000))
        }
        defer { server.stop() }
        let socket = try await TestSocket<Data, Data>(server).connect()
        let sending = Task {
            for _ in 0..<640 {
                try await socket.send(Data(count: 100_000))
                sent.withLock { $0 += 1 }
            }
        }
        #expect(try await stalled(sent) < 320)
        sending.cancel()
        let result = try await within { await sending.result }
        #expect(throws: CancellationError.self) { try result.get() }
        mayRead.signal()
        socket.close()
        let (_, error) = try await within { await socket.readAll() }
        #expect(error == nil)
    }
}

extension [UInt8] {
    /// Whether this is the frame of a close with code 1000, masked.
    fileprivate var isClose: Bool {
        count == 8 && self[0] == 0x88 && self[1] == 0x82 && self[6] ^ self[2] == 3 && self[7] ^ self[3] == 0xE8
    }
}
