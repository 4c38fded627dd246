import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer

extension HostileRow {
    /// Answers to the handshake that are not proper, or that are cut.
    static let handshakes: [HostileRow] = [
        answer("no accept key", .handshake, handshake(without: "Sec")),
        answer("a wrong accept key", .handshake, handshake(without: "Sec", "Sec-WebSocket-Accept: x")),
        answer("an empty accept key", .handshake, handshake(without: "Sec", "Sec-WebSocket-Accept:")),
        answer("two accept keys", .handshake, handshake("Sec-WebSocket-Accept: KEY")),
        HostileRow("the accept key in lower case", .handshake) { peer in
            let lines = handshake(without: "Sec", "Sec-WebSocket-Accept: \(peer.key.lowercased())")
            try peer.connection.write(lines.joined(separator: "\r\n") + "\r\n\r\n")
        },
        HostileRow("the key of the client", .handshake) { peer in
            let key = peer.request["Sec-WebSocket-Key"] ?? ""
            let lines = handshake(without: "Sec", "Sec-WebSocket-Accept: \(key)")
            try peer.connection.write(lines.joined(separator: "\r\n") + "\r\n\r\n")
        },
        answer("no Upgrade", .handshake, handshake(without: "Upgrade")),
        answer("two Upgrades", .handshake, handshake("Upgrade: websocket")),
        answer("an Upgrade to another protocol", .handshake, handshake(without: "Upgrade", "Upgrade: h2c")),
        answer("an Upgrade to two protocols", .handshake, handshake(without: "Upgrade", "Upgrade: websocket, h2c")),
        answer("no Connection", .handshake, handshake(without: "Connection")),
        answer("Connection: close", .handshake, handshake(without: "Connection", "Connection: close")),
        answer("a subprotocol that was not offered", .handshake, handshake("Sec-WebSocket-Protocol: v9")),
        answer("an empty subprotocol", .handshake, handshake("Sec-WebSocket-Protocol:")),
        answer("an extension that was not offered", .handshake, handshake("Sec-WebSocket-Extensions: x-mux")),
        answer("compression", .handshake, handshake("Sec-WebSocket-Extensions: permessage-deflate")),
        answer("200 with a body", .refused(200), ["HTTP/1.1 200 OK", "Content-Length: 2"], body: "no"),
        answer("200 with all fields", .refused(200), ["HTTP/1.1 200 OK"] + handshake().dropFirst()),
        answer("404", .refused(404), ["HTTP/1.1 404 No", "Content-Length: 2"], body: "no"),
        answer("426 in chunks", .refused(426), ["HTTP/1.1 426 No", "Transfer-Encoding: chunked"], body: "0\r\n\r\n"),
        answer("a redirect to nowhere", .refused(302), ["HTTP/1.1 302 Go", "Content-Length: 0"]),
        answer("101 with a length", .noConnection, handshake("Content-Length: 5"), body: "hello"),
        answer("101 with an empty body", .noConnection, handshake("Content-Length: 0")),
        answer("101 in chunks", .noConnection, handshake("Transfer-Encoding: chunked"), body: "0\r\n\r\n"),
        answer("a head of 2 MB", .noConnection, handshake("X: " + String(repeating: "x", count: 2_000_000))),
        answer("a status line that is none", .noConnection, ["HTTP/1.1 1x1 No"]),
        answer("no HTTP", .noConnection, ["hello"]),
        HostileRow("nothing, and the end", .noConnection) { _ in },
        HostileRow("nothing, and a reset", .noConnection) { $0.connection.reset() },
        HostileRow("half a status line, and the end", .noConnection) { try $0.connection.write("HTTP/1.1 10") },
        HostileRow("half a head, and the end", .noConnection) { peer in
            try peer.connection.write(handshake().joined(separator: "\r\n"))
        },
        HostileRow("half a head, and a reset", .noConnection) { peer in
            try peer.connection.write(handshake().joined(separator: "\r\n"))
            peer.connection.reset()
        },
        HostileRow("half a head, and silence", .noConnection) { peer in
            try peer.connection.write(handshake().joined(separator: "\r\n"))
            peer.connection.waitForTheEnd()
        },
        HostileRow("silence", .noConnection) { $0.connection.waitForTheEnd() },
        // It cannot switch, but has done so in all that matters.
        answer("HTTP/1.0", .lost, ["HTTP/1.0 101 Switching Protocols"] + handshake().dropFirst()),
        answer("an end without a close", .lost, handshake()),
        answer("Connection in a list", .lost, handshake(without: "Connection", "Connection: keep-alive, UPGRADE")),
    ]
}
