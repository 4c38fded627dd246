import Foundation
import HTTPTransport
import HostileServer
import LoopbackServer

extension HostileRow {
    private static let one = ServerFrames.text("one")

    private static func violation(_ name: String, _ bytes: [UInt8]) -> HostileRow { violation(name, 1002, bytes) }

    private static func violation(_ name: String, _ code: Int, _ bytes: [UInt8]) -> HostileRow {
        // What comes before a violation still counts.
        .bytes(name, .violation(code), values: ["one"], one + bytes + ServerFrames.text("late"))
    }

    /// A header with these eight bytes of length.
    private static func header(_ first: UInt8, _ length: UInt64) -> [UInt8] {
        [first, 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
    }

    /// Frames that a server must not send.
    static let frames: [HostileRow] = headers + controls + lengths + fragments + texts + closes

    private static let headers: [HostileRow] =
        (1...7).map { (bits: UInt8) -> HostileRow in
            violation("reserved bits \(bits)", ServerFrames.frame(1, [65], reserved: bits))
        }
        + ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).map { opcode -> HostileRow in
            violation("opcode \(opcode)", ServerFrames.frame(opcode, [65]))
        }
        + [
            violation("a mask", [0x81, 0x81, 1, 2, 3, 4, 64]), violation("a mask on a ping", [0x89, 0x80, 1, 2, 3, 4]),
        ]

    private static let controls: [HostileRow] = ([8, 9, 10] as [UInt8]).flatMap { opcode -> [HostileRow] in
        let long = [0x80 | opcode, 126, 0, 126] + [UInt8](repeating: 65, count: 126)
        return [
            violation("a control frame \(opcode) of 126 bytes", long),
            violation("a fragment of a control frame \(opcode)", ServerFrames.frame(opcode, [], last: false)),
            violation("a reserved bit in a control frame \(opcode)", ServerFrames.frame(opcode, [], reserved: 4)),
        ]
    }

    private static let lengths: [HostileRow] = [
        violation("a length of 2^63", header(0x82, 1 << 63)), violation("a length of 2^64 - 1", header(0x82, .max)),
        violation("a length of 2^63 - 1", 1009, header(0x82, .max >> 1)),
        violation("a length of 5 in two bytes", [0x81, 126, 0, 5] + Array("short".utf8)),
        violation("a length of 5 in eight bytes", header(0x81, 5) + Array("short".utf8)),
        violation("a length of 65535 in eight bytes", header(0x82, 65_535)),
        violation("a message over the limit", 1009, header(0x82, 1 << 20 + 1)),
        violation("a fragment over the limit", 1009, header(0x02, 1 << 20 + 1)),
        violation("fragments over the limit", 1009, Array(parts.joined())),
    ]

    private static let parts = ServerFrames.fragments(2, [UInt8](repeating: 7, count: 1 << 20 + 1), of: 100_000)

    private static let fragments: [HostileRow] = [
        violation("a continuation without a start", ServerFrames.frame(0, [65])),
        violation("a continuation that does not end, without a start", ServerFrames.frame(0, [65], last: false)),
        violation("a message within a message", ServerFrames.text("a", last: false) + ServerFrames.text("b")),
        violation("bytes within a text", ServerFrames.text("a", last: false) + ServerFrames.frame(2, [1], last: false)),
    ]

    private static let texts: [HostileRow] = [
        violation("no UTF-8", 1007, ServerFrames.frame(1, [0xC0, 0xAF])),
        violation("a surrogate", 1007, ServerFrames.frame(1, [0xED, 0xA0, 0x80])),
        violation("a character over the last", 1007, ServerFrames.frame(1, [0xF4, 0x90, 0x80, 0x80])),
        violation("no UTF-8 across fragments", 1007, [0x01, 2, 0xE2, 0x82, 0x80, 1, 0x41]),
        violation("a cut character at the end", 1007, ServerFrames.frame(1, [0x41, 0xE2, 0x82])),
        violation("no UTF-8 in a message that does not end", 1007, ServerFrames.frame(1, [0xFF], last: false)),
    ]

    private static let closes: [HostileRow] =
        [
            violation("a close of 1 byte", ServerFrames.frame(8, [3])),
            violation("a close with a reason that is not UTF-8", 1007, ServerFrames.close(1000, [0xFF])),
        ]
        + [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { (code: Int) -> HostileRow in
            violation("a close with code \(code)", ServerFrames.close(code))
        }

    /// Ends of the connection in each state.
    static let ends: [HostileRow] = [
        .bytes("half a header", .lost, [0x81]), .bytes("half a length", .lost, [0x82, 127, 0, 0]),
        .bytes("half a message", .lost, values: ["one"], one + [0x81, 5, 65]),
        .bytes("half a fragmented message", .lost, values: ["one"], one + ServerFrames.text("a", last: false)),
        .bytes("half a close", .lost, [0x88, 2, 3]),
        .bytes("an empty close", .done, values: ["one"], one + ServerFrames.close()),
        .bytes("bytes after a close", .done, values: ["one"], one + ServerFrames.close(1000) + one + [0xFF, 0xFF]),
        .bytes("two closes", .closed(1001), ServerFrames.close(1001) + ServerFrames.close(1000)),
        HostileRow("a close, and the connection stays", .done) { peer in
            try peer.accept([], ServerFrames.close(1000))
            peer.connection.waitForTheEnd()
        },
        HostileRow("a reset after a message", .connectionLost, values: ["one"]) { peer in
            try peer.accept([], one)
            // The answer shows that the message has been read.
            try peer.send(ServerFrames.frame(9))
            _ = try peer.next()
            peer.connection.reset()
        },
        HostileRow("a reset in a message", .connectionLost, values: ["one"]) { peer in
            try peer.accept([], one)
            try peer.send(ServerFrames.frame(9) + [0x81, 5, 65])
            _ = try peer.next()
            peer.connection.reset()
        },
        HostileRow("a reset after a close", .done) { peer in
            try peer.accept([], ServerFrames.close(1000))
            _ = try peer.next()
            peer.connection.reset()
        },
        HostileRow("silence after a message", .silent, values: ["one"]) { peer in
            try peer.accept([], one)
            peer.connection.waitForTheEnd()
        },
        HostileRow("pongs that answer nothing", .silent) { peer in
            try peer.accept()
            while (try? peer.send(ServerFrames.frame(10, [7]))) != nil { usleep(20_000) }
        },
    ]
}
