import DemoServer
import Foundation
import Locking

/// Answers `/good` well, on connections that are kept, and everything else as it is told.
final class HostileServer: Sendable {
    typealias Answer = @Sendable (SocketConnection) throws -> Void

    private let listener: SocketListener
    var port: UInt16 { listener.port }
    var acceptedConnections: Int { listener.acceptedConnections }

    /// `answer` is called when head and body have been read. The connection is closed behind it.
    init(_ answer: @escaping Answer) throws {
        listener = try SocketListener { connection in
            while let head = try? connection.readHead(), (try? connection.read(exactly: head.bodyBytes)) != nil {
                guard head.text.contains(" /good ") else {
                    try? answer(connection)
                    return
                }
                try? connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
            }
        }
    }

    func stop() { listener.stop() }
}

/// The head of a request, as a server reads it.
struct RawHead: Sendable {
    let text: String

    var method: String { String(text.prefix { $0 != " " }) }

    /// What `Content-Length` says.
    var bodyBytes: Int {
        let line = text.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        return line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    }
}

extension SocketConnection {
    func readHead() throws -> RawHead {
        // Longer than a busy machine keeps a client from its next request.
        let bytes = try read(until: Array("\r\n\r\n".utf8), before: .now + .seconds(60))
        return RawHead(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Waits until the other side has gone.
    func waitForTheEnd() {
        while let bytes = try? read(before: .now + .seconds(10)), !bytes.isEmpty {}
    }
}
