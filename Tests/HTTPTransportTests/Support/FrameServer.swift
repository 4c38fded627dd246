#if os(Linux)
import Basics
import LoopbackServer

/// A server that speaks HTTP/2 without TLS, by prior knowledge (RFC 9113, section 3.3), and answers each request with
/// the frames of a script. It never lets a client send more than the first 64 KiB of a body.
final class FrameServer: Sendable {
    /// Gets the connection and the number of the stream: called for the head of a request, and for each later piece of
    /// its body.
    typealias Script = @Sendable (SocketConnection, UInt32, Arrival) throws -> Void

    enum Arrival { case head, body }

    private let listener: SocketListener

    init(_ script: @escaping Script) throws {
        listener = try SocketListener { connection in
            _ = try? Self.serve(connection, script)
            connection.close()
        }
    }

    var port: UInt16 { listener.port }

    func stop() { listener.stop() }

    /// Reads frames until the client is gone.
    private static func serve(_ connection: SocketConnection, _ script: Script) throws {
        _ = try connection.read(exactly: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        try connection.write(Frame.settings.bytes)
        while true {
            let head = try connection.read(exactly: 9)
            let length = Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2])
            let stream = head[5...].reduce(UInt32(0)) { $0 << 8 + UInt32($1) }
            if length > 0 { _ = try connection.read(exactly: length) }
            switch (head[3], head[4] & Frame.acknowledges) {
            case (Frame.dataType, _): try script(connection, stream, .body)
            case (Frame.headersType, _): try script(connection, stream, .head)
            case (Frame.settingsType, 0): try connection.write(Frame.settingsAcknowledged.bytes)
            default: break
            }
        }
    }
}

/// A frame of HTTP/2 (RFC 9113, section 4.1).
struct Frame {
    static let (dataType, headersType, resetType, settingsType): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 3, 4)
    static let acknowledges: UInt8 = 1

    let type: UInt8
    let flags: UInt8
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let settings = Frame(type: settingsType, flags: 0)
    static let settingsAcknowledged = Frame(type: settingsType, flags: acknowledges)

    /// A head whose fields are sent as they are (RFC 7541, section 6.2.2), in one piece.
    static func headers(_ fields: [(String, String)], on stream: UInt32, isLast: Bool) -> Frame {
        var block: [UInt8] = []
        for (name, value) in fields {
            block += [0, UInt8(name.utf8.count)] + Array(name.utf8)
            block += [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        return Frame(type: headersType, flags: isLast ? 5 : 4, stream: stream, payload: block)
    }

    static func data(_ text: String, on stream: UInt32, isLast: Bool) -> Frame {
        Frame(type: dataType, flags: isLast ? 1 : 0, stream: stream, payload: Array(text.utf8))
    }

    static func reset(_ code: UInt8, on stream: UInt32) -> Frame {
        Frame(type: resetType, flags: 0, stream: stream, payload: [0, 0, 0, code])
    }

    var bytes: [UInt8] {
        let length = payload.count
        let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) }
        return [UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8)]
            + [UInt8(truncatingIfNeeded: length), type, flags] + number + payload
    }
}
#endif
