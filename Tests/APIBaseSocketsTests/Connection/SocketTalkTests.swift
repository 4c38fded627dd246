import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer
import PortableCombine
import TestTiers
import Testing

/// What a program says and hears on a socket.
@Suite(.tags(.concurrent), .limited) struct SocketTalkTests {
    @Test func `Texts go both ways, masked only from the client`() async throws {
        let seen = Locked<[ServerFrames.Received]>([])
        let server = try SocketServer { peer in
            try peer.accept([], ServerFrames.text("hello"))
            while let frame = try peer.next(), frame.opcode == 1 {
                seen.withLock { $0.append(frame) }
                try peer.send(ServerFrames.frame(1, frame.payload))
            }
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for text in ["", "ä", String(repeating: "x", count: 126), String(repeating: "é", count: 40_000)] {
            try await socket.send(text)
        }
        var texts: [String] = []
        for try await text in socket.messages {
            texts.append(text)
            if texts.count == 5 { break }
        }
        #expect(texts == ["hello", "", "ä", String(repeating: "x", count: 126), String(repeating: "é", count: 40_000)])
        #expect(seen.withLock { $0.allSatisfy { $0.isLast && $0.reserved == 0 } })
        let request = try #require(server.requests.first)
        #expect(request.requestLine == "GET /feed HTTP/1.1")
        #expect(request["Sec-WebSocket-Version"] == "13")
        #expect(Data(base64Encoded: request["Sec-WebSocket-Key"] ?? "")?.count == 16)
        #expect(request["Sec-WebSocket-Extensions"] == nil)
    }

    @Test func `Bytes go as binary messages`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            let frame = try peer.next()
            try peer.send(ServerFrames.frame(2, [frame?.opcode ?? 0] + (frame?.payload ?? [])))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TestSocket<Data, Data>(server).connect()
        try await socket.send(Data([0, 255, 128]))
        for try await data in socket.messages {
            #expect(data == Data([2, 0, 255, 128]))
            break
        }
    }

    struct Order: Codable, Equatable, Sendable { var id: Int, name: String }

    @Test func `Other values go as JSON`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.send(peer.text() ?? "")
            try peer.send(ServerFrames.frame(2, Array(#"{"id": 2, "name": "b"}"#.utf8)))
            try peer.send(#"{"id": "no"}"#)
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TestSocket<Order, Order>(server).connect()
        try await socket.send(Order(id: 1, name: "a"))
        let (values, error) = await socket.readAll()
        #expect(values == [Order(id: 1, name: "a"), Order(id: 2, name: "b")])
        #expect(error is RequestError || error is DecodingError, "\(String(describing: error))")
        await #expect(throws: (any Error).self) { try await socket.send(Order(id: 3, name: "c")) }
    }

    @Test func `A message in fragments, with a ping among them, is one message`() async throws {
        let pong = Later<ServerFrames.Received?>()
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.send(ServerFrames.text("one ", last: false))
            try peer.send(ServerFrames.frame(9, [1, 2]))
            pong.set(try peer.next())
            try peer.send(ServerFrames.frame(0, Array("message".utf8)))
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        for try await text in socket.messages {
            #expect(text == "one message")
            break
        }
        #expect(try await pong.value() == ServerFrames.Received(opcode: 10, payload: [1, 2]))
    }

    @Test func `The server chooses one of the subprotocols that are offered`() async throws {
        let server = try SocketServer { peer in
            try peer.accept(["Sec-WebSocket-Protocol: v1"])
            try peer.echo()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server) { $0.subprotocols = ["v2", "v1"] }.connect()
        #expect(socket.subprotocol == "v1")
        #expect(server.requests.first?["Sec-WebSocket-Protocol"] == "v2, v1")
    }

    @Test func `A second loop throws bodyAlreadyConsumed, and does not disturb the first`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.echo()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        try await socket.send("a")
        var iterator = socket.messages.makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        let (values, error) = await socket.readAll()
        #expect(values.isEmpty)
        guard case .bodyAlreadyConsumed? = error as? RequestError else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await socket.send("b")
        #expect(try await iterator.next() == "b")
    }

    @Test func `The publisher gives as many values as are demanded`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            for number in 0..<10 { try peer.send("\(number)") }
            _ = try peer.finish()
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        let log = DemandingSubscriber<String>(first: 2)
        socket.publisher.subscribe(log)
        try await log.wait(for: 2)
        log.request(.max(3))
        try await log.wait(for: 5)
        #expect(log.values == ["0", "1", "2", "3", "4"])
        log.cancel()
        #expect(try await holds { server.openConnections == 0 })
        #expect(log.values.count == 5)
        #expect(!log.end.isSet)
    }

    @Test func `The publisher ends with the socket`() async throws {
        let server = try SocketServer { peer in
            try peer.accept()
            try peer.send("last")
            try peer.send(ServerFrames.close(1000))
        }
        defer { server.stop() }
        let socket = try await TextSocket(server).connect()
        let log = DemandingSubscriber<String>(first: 9)
        socket.publisher.subscribe(log)
        #expect(try await log.end.value() == nil)
        #expect(log.values == ["last"])
    }
}
