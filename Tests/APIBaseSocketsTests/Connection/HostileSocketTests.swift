import APIBaseSockets
import Basics
import Foundation
import HostileServer
import HTTPTransport
import LoopbackServer
import TestTiers
import Testing

/// Servers that break the protocol, or end it early: each has one ending for the program, soon.
@Suite(.tags(.concurrent), .limited) struct HostileSocketTests {
    private func ending(of row: HostileRow, on server: SocketServer) async -> (HostileRow.Ending?, [String], String) {
        do {
            let socket = try await TextSocket(server) {
                $0.subprotocols = ["v1"]
                $0.limits.idle = .seconds(1)
                $0.pings = SocketPings(every: .milliseconds(500), within: .milliseconds(500))
            }.connect()
            let (values, error) = await socket.readAll()
            return (HostileRow.ending(of: error), values, "\(String(describing: error))")
        } catch {
            return (HostileRow.ending(of: error), [], "\(error)")
        }
    }

    @Test(arguments: HostileRow.all)
    func `Each server leads to its ending`(_ row: HostileRow) async throws {
        let sent = Later<[ServerFrames.Received]>()
        let server = try SocketServer { peer in
            try row.act(peer)
            if case .violation = row.ending {} else { peer.connection.finishWriting() }
            var frames: [ServerFrames.Received] = []
            while frames.last?.opcode != 8, let frame = (try? peer.next()) ?? nil { frames.append(frame) }
            sent.set(frames)
        }
        defer { server.stop() }
        let (ending, values, text) = try await within { await self.ending(of: row, on: server) }
        #expect(ending == row.ending, "\(text)")
        #expect(values == row.values)
        // The server has been told, and the connection is given up.
        if case .violation(let code) = row.ending {
            let close = try await sent.value().last
            #expect(close?.payload == [UInt8(code >> 8), UInt8(code & 255)])
        }
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test func `A refused handshake has the body of the answer`() async throws {
        let server = try SocketServer { peer in
            try peer.connection.write(reply("403 No", ["A: b"], body: "forbidden"))
        }
        defer { server.stop() }
        do {
            _ = try await TextSocket(server).connect()
            Issue.record("It has connected.")
        } catch RequestError.httpFailure(let failure) {
            #expect(failure.statusCode == 403)
            #expect(failure.body == Data("forbidden".utf8))
            #expect(failure.headers["A"] == "b")
        }
    }
}
