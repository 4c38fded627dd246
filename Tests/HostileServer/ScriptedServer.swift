package import LoopbackServer
package import Foundation
import Basics

/// A server that records requests, and answers each with the bytes of a script.
package final class ScriptedServer: Sendable {
    /// Gets the request, the connection, and the number of earlier requests. If it throws, or closes the
    /// connection, the connection is closed.
    package typealias Script = @Sendable (RawRequest, SocketConnection, Int) throws -> Void

    private let listener: SocketListener
    private let seen: Locked<[RawRequest]>

    /// Gets the head, the connection, and the number of earlier requests, and may read the body.
    package typealias Reading = @Sendable (RawRequest, SocketConnection, Int) throws -> RawRequest

    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        maximumConnections: Int = 512,
        reading: @escaping Reading = { head, connection, _ in try connection.readBody(of: head) },
        _ script: @escaping Script
    ) throws {
        let seen = Locked<[RawRequest]>([])
        let count = Locked(0)
        self.seen = seen
        listener = try SocketListener(host: host, port: port, maximumConnections: maximumConnections) { connection in
            while let head = try? connection.readHead() {
                let index = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                guard let request = try? reading(head, connection, index) else { return }
                seen.withLock { $0.append(request) }
                guard (try? script(request, connection, index)) != nil, !connection.isClosed else { return }
            }
        }
    }

    /// Answers every request with the same bytes.
    package convenience init(host: String = "127.0.0.1", port: UInt16 = 0, always answer: String) throws {
        try self.init(host: host, port: port) { _, connection, _ in try connection.write(answer) }
    }

    /// Answers `/good` correctly, on persistent connections, and everything else by the script: then the connection is
    /// closed.
    package convenience init(hostile answer: @escaping @Sendable (SocketConnection) throws -> Void) throws {
        try self.init { request, connection, _ in
            if request.target == "/good" { return try connection.write(reply(body: "good")) }
            try answer(connection)
            connection.close()
        }
    }

    package var port: UInt16 { listener.port }
    package var requests: [RawRequest] { seen.withLock { $0 } }
    package var connections: Int { listener.acceptedConnections }
    package var openConnections: Int { listener.openConnections }

    package func url(_ path: String = "/", host: String = "127.0.0.1") -> URL {
        URL(string: "http://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    package func stop() { listener.stop() }
}

/// A response with a body and its length.
package func reply(_ status: String = "200 OK", _ headers: [String] = [], body: String = "") -> String {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.utf8.count)"]
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}
