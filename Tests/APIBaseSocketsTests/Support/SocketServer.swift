@testable import APIBaseSockets
import Basics
import Foundation
import HostileServer
import LoopbackServer

/// A server that does with each connection what a script says, after the head of the request.
final class SocketServer: Sendable {
    /// One connection of a client.
    struct Peer: Sendable {
        let connection: SocketConnection
        let request: RawRequest
        /// The number of connections before it.
        let number: Int

        /// The value that belongs to the key of the request (RFC 6455, section 4.2.2).
        var key: String {
            let text = (request["Sec-WebSocket-Key"] ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            return Data(sha1(text.utf8)).base64EncodedString()
        }

        /// Switches, with these bytes in the same packet.
        func accept(_ fields: [String] = [], _ bytes: [UInt8] = []) throws {
            let own = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(key)"]
            let lines = ["HTTP/1.1 101 Switching Protocols"] + own + fields
            try connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
        }

        func send(_ frames: [UInt8]) throws { try connection.write(frames) }

        func send(_ text: String) throws { try send(ServerFrames.text(text)) }

        /// The next frame of the client; nil at the end of the connection.
        func next(within time: Duration = .seconds(120)) throws -> ServerFrames.Received? {
            let deadline = ContinuousClock.now + time
            guard let first = try connection.read(atMost: 1, before: deadline).first else { return nil }
            var bytes = try [first] + connection.read(exactly: 1, before: deadline)
            let size = Int(bytes[1] & 0x7F)
            let more = size == 126 ? 2 : size == 127 ? 8 : 0
            let digits = try connection.read(exactly: more, before: deadline)
            let length = more == 0 ? size : digits.reduce(0) { $0 << 8 | Int($1) }
            bytes += digits
            bytes += try connection.read(exactly: 4 + length, before: deadline)
            guard let frames = ServerFrames.read(bytes), frames.count == 1 else { throw NotAFrame(bytes: bytes) }
            return frames[0].withoutMask()
        }

        /// The text of the next frame.
        func text() throws -> String? { try next().map { String(decoding: $0.payload, as: UTF8.self) } }

        /// Answers messages with the same, and a close with its code, until the end.
        func echo() throws {
            while let frame = try next() {
                switch frame.opcode {
                case 9: try send(ServerFrames.frame(10, frame.payload))
                case 8:
                    try send(ServerFrames.frame(8, frame.payload))
                    return connection.close()
                default: try send(ServerFrames.frame(frame.opcode, frame.payload))
                }
            }
        }

        /// The frames of the client up to its close, which is answered, or to the end.
        func finish() throws -> [ServerFrames.Received] {
            var frames: [ServerFrames.Received] = []
            while let frame = try next() {
                frames.append(frame)
                if frame.opcode == 9 { try send(ServerFrames.frame(10, frame.payload)) }
                guard frame.opcode == 8 else { continue }
                try send(ServerFrames.frame(8, frame.payload))
                break
            }
            connection.close()
            return frames
        }
    }

    struct NotAFrame: Error { let bytes: [UInt8] }

    private let server: ScriptedServer
    let problems = Locked<[String]>([])

    init(port: UInt16 = 0, _ script: @escaping @Sendable (Peer) throws -> Void) throws {
        let problems = problems
        server = try ScriptedServer(port: port) { request, connection, number in
            do {
                try script(Peer(connection: connection, request: request, number: number))
            } catch SocketError.closed {
                // The test is over.
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
            connection.close()
        }
    }

    var port: UInt16 { server.port }
    var url: URL { server.url("/") }
    var requests: [RawRequest] { server.requests }
    var connections: Int { server.connections }
    var openConnections: Int { server.openConnections }
    func stop() { server.stop() }
}
