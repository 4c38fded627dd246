import APIBaseSockets
import Foundation
import HTTPTransport
import LoopbackServer
import Testing

/// What a server does, and how the socket ends for the program.
struct HostileRow: CustomTestStringConvertible, Sendable {
    enum Ending: Equatable, Sendable {
        /// The loop ends without an error.
        case done
        case closed(Int)
        case lost
        case connectionLost
        case silent
        /// A violation with this close code, which the server gets.
        case violation(Int)
        /// `connect()` throws a wrong handshake.
        case handshake
        case refused(Int)
        /// `connect()` throws an error of the transport.
        case noConnection
    }

    let testDescription: String
    let ending: Ending
    /// The values that arrive before.
    var values: [String] = []
    let act: @Sendable (SocketServer.Peer) throws -> Void

    init(
        _ name: String,
        _ ending: Ending,
        values: [String] = [],
        _ act: @escaping @Sendable (SocketServer.Peer) throws -> Void
    ) {
        (testDescription, self.ending, self.values, self.act) = (name, ending, values, act)
    }

    /// A row whose server sends these bytes after a proper handshake.
    static func bytes(_ name: String, _ ending: Ending, values: [String] = [], _ bytes: [UInt8]) -> HostileRow {
        HostileRow(name, ending, values: values) { try $0.accept([], bytes) }
    }

    /// A row whose server answers the handshake with these lines. `KEY` stands for the value that is expected.
    static func answer(_ name: String, _ ending: Ending, _ lines: [String], body: String = "") -> HostileRow {
        HostileRow(name, ending) { peer in
            let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
            try peer.connection.write(head.replacingOccurrences(of: "KEY", with: peer.key) + body)
        }
    }

    static let all = handshakes + frames + ends

    static func ending(of error: (any Error)?) -> Ending? {
        guard let error else { return .done }
        switch error {
        case SocketFailure.closed(let close): return .closed(Int(close.code.rawValue))
        case SocketFailure.lost: return .lost
        case SocketFailure.silent: return .silent
        case SocketFailure.violation(let violation): return .violation(Int(violation.closeCode.rawValue))
        case SocketFailure.handshake: return .handshake
        case RequestError.httpFailure(let failure): return .refused(failure.statusCode)
        case let error as TransportError:
            if case .connect = error.phase { return .noConnection }
            return error.phase == .body ? .connectionLost : .noConnection
        default: return nil
        }
    }
}

/// The lines of a proper handshake, with one left out or replaced, and some added.
func handshake(without name: String? = nil, _ more: String...) -> [String] {
    let lines = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: KEY",
    ]
    return lines.filter { line in name.map { !line.hasPrefix($0) } ?? true } + more
}
