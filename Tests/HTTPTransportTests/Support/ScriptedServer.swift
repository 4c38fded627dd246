import DemoServer
import Foundation
import Locking

/// A request as it came over the wire.
struct RawRequest: Sendable {
    let head: String
    var body: [UInt8] = []

    var requestLine: String { head.prefix { $0 != "\r\n" }.description }
    var method: String { requestLine.split(separator: " ").first.map(String.init) ?? "" }
    var target: String { requestLine.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    /// The values of all fields with this name, compared without case.
    func values(_ name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    subscript(name: String) -> String? { values(name).first }
}

/// A server that reads requests as they come, keeps them, and answers each with the bytes a script says.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (RawRequest, SocketConnection, Int) throws -> Void
    typealias Reading = @Sendable (RawRequest, SocketConnection, Int) throws -> RawRequest

    private let listener: SocketListener
    private let seen: Locked<[RawRequest]>

    /// - reading: Gets the head, the connection and how many requests came before; adds as much of the body as it likes.
    /// - script: Gets the request, the connection, and how many requests came before. When it throws, or has
    ///   closed the connection, the connection is closed.
    init(
        host: String = "127.0.0.1",
        reading: @escaping Reading = { head, connection, _ in try ScriptedServer.readBody(head, connection) },
        _ script: @escaping Script
    ) throws {
        let seen = Locked<[RawRequest]>([])
        let count = Locked(0)
        self.seen = seen
        listener = try SocketListener(host: host) { connection in
            while let head = try? Self.readHead(connection) {
                let index = count.withLock { count in
                    count += 1
                    return count - 1
                }
                guard let request = try? reading(head, connection, index) else { return }
                seen.withLock { $0.append(request) }
                guard (try? script(request, connection, index)) != nil, !connection.isClosed else { return }
            }
        }
    }

    /// Answers every request with these bytes.
    convenience init(always answer: String) throws {
        try self.init { _, connection, _ in try connection.write(answer) }
    }

    var port: UInt16 { listener.port }
    var requests: [RawRequest] { seen.withLock { $0 } }
    var connections: Int { listener.acceptedConnections }
    var openConnections: Int { listener.openConnections }

    func url(_ path: String = "/", host: String = "127.0.0.1") -> URL {
        URL(string: "http://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    func stop() { listener.stop() }

    private static var patience: ContinuousClock.Instant { .now + .seconds(30) }

    private static func readHead(_ connection: SocketConnection) throws -> RawRequest {
        let head = try connection.read(until: Array("\r\n\r\n".utf8), atMost: 65_536, before: patience)
        return RawRequest(head: String(decoding: head, as: UTF8.self))
    }

    /// The request with its whole body.
    static func readBody(_ head: RawRequest, _ connection: SocketConnection) throws -> RawRequest {
        var request = head
        if let length = request["Content-Length"].flatMap({ Int($0) }), length > 0 {
            if request["Expect"] != nil { try connection.write("HTTP/1.1 100 Continue\r\n\r\n") }
            request.body = try connection.read(exactly: length, before: patience)
        } else if request["Transfer-Encoding"] == "chunked" {
            while case let chunk = try readChunk(connection), !chunk.isEmpty { request.body += chunk }
        }
        return request
    }

    /// The next chunk (RFC 9112, section 7.1); empty at the end.
    static func readChunk(_ connection: SocketConnection) throws -> [UInt8] {
        let line = try connection.read(until: Array("\r\n".utf8), before: patience)
        let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
        return try Array(connection.read(exactly: count + 2, before: patience).dropLast(2))
    }
}

/// A response with a body and its length.
func reply(_ status: String = "200 OK", _ headers: [String] = [], body: String = "") -> String {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)"]
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}
