@testable import APIBaseSockets
import Foundation
import HTTPTransport
import Testing

/// A case of the Autobahn test suite: what the server sends, and what is to come of it.
struct AutobahnCase: CustomTestStringConvertible, Sendable {
    let number: String
    let title: String
    let sent: [UInt8]
    let events: [SocketEvent]
    let violation: SocketCloseCode?

    var testDescription: String { "\(number) \(title)" }

    init(
        _ number: String,
        _ title: String,
        _ sent: [[UInt8]],
        _ events: [SocketEvent],
        _ violation: SocketCloseCode? = nil
    ) {
        (self.number, self.title, self.sent) = (number, title, sent.flatMap { $0 })
        (self.events, self.violation) = (events, violation)
    }

    static let all =
        payloads + pings + reserved + opcodes + fragments + texts + codePoints + invalidTexts + closes + closeCodes
        + large

    static func text(_ text: String) -> SocketEvent { .message(.text(text)) }
    static func data(_ bytes: [UInt8]) -> SocketEvent { .message(.data(Data(bytes))) }
    static func frame(_ opcode: UInt8, _ text: String = "", last: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        ServerFrames.frame(opcode, Array(text.utf8), last: last, reserved: reserved)
    }
    static let ping = frame(9)
    static let pinged = SocketEvent.ping(Data())

    private static let payloads: [AutobahnCase] = [0, 125, 126, 127, 128, 65535, 65536].enumerated()
        .flatMap { index, size in
            let (stars, bytes) = (String(repeating: "*", count: size), [UInt8](repeating: 0xFE, count: size))
            return [
                AutobahnCase("1.1.\(index + 1)", "text of \(size) bytes", [frame(1, stars)], [text(stars)]),
                AutobahnCase("1.2.\(index + 1)", "\(size) bytes", [ServerFrames.frame(2, bytes)], [data(bytes)]),
            ]
        }

    private static let pings: [AutobahnCase] = {
        let (binary, long) = (
            [0x00, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0x00, 0xFF] as [UInt8], [UInt8](repeating: 0xFE, count: 125)
        )
        return [
            AutobahnCase("2.1", "ping without payload", [ping], [pinged]),
            AutobahnCase("2.2", "ping with a text", [frame(9, "Hello, world!")], [.ping(Data("Hello, world!".utf8))]),
            AutobahnCase("2.3", "ping with bytes", [ServerFrames.frame(9, binary)], [.ping(Data(binary))]),
            AutobahnCase("2.4", "ping with 125 bytes", [ServerFrames.frame(9, long)], [.ping(Data(long))]),
            AutobahnCase("2.5", "ping with 126 bytes", [ServerFrames.frame(9, long + [0])], [], .protocolError),
            AutobahnCase("2.7", "pong that nobody asked for", [frame(10)], [.pong(Data())]),
            AutobahnCase("2.8", "such a pong with payload", [frame(10, "a")], [.pong(Data("a".utf8))]),
            AutobahnCase("2.9", "such a pong, and a ping", [frame(10, "a"), ping], [.pong(Data("a".utf8)), pinged]),
            AutobahnCase(
                "2.10",
                "10 pings",
                (0..<10).map { frame(9, "\($0)") },
                (0..<10).map { .ping(Data("\($0)".utf8)) }
            ),
        ]
    }()

    private static let reserved: [AutobahnCase] = [
        AutobahnCase("3.1", "text, reserved bits 1", [frame(1, "a", reserved: 1)], [], .protocolError),
        AutobahnCase(
            "3.2",
            "text, and one with reserved bits 2",
            [frame(1, "a"), frame(1, "b", reserved: 2), ping],
            [text("a")],
            .protocolError
        ),
        AutobahnCase(
            "3.3",
            "text, and one with reserved bits 3",
            [frame(1, "a"), frame(1, "b", reserved: 3), ping],
            [text("a")],
            .protocolError
        ),
        AutobahnCase(
            "3.4",
            "text, and one with reserved bits 4",
            [frame(1, "a"), frame(1, "b", reserved: 4), ping],
            [text("a")],
            .protocolError
        ),
        AutobahnCase("3.5", "bytes, reserved bits 5", [frame(2, "a", reserved: 5)], [], .protocolError),
        AutobahnCase("3.6", "ping, reserved bits 6", [frame(9, "a", reserved: 6)], [], .protocolError),
        AutobahnCase("3.7", "close, reserved bits 7", [frame(8, reserved: 7)], [], .protocolError),
    ]

    private static let opcodes: [AutobahnCase] = ([[3, 4, 5, 6, 7], [11, 12, 13, 14, 15]] as [[UInt8]]).enumerated()
        .flatMap { group, opcodes in
            opcodes.enumerated()
                .map { index, opcode in
                    let before = index < 2 ? [] : [frame(1, "a")]
                    return AutobahnCase(
                        "4.\(group + 1).\(index + 1)",
                        "opcode \(opcode)",
                        before + [frame(opcode, index % 2 == 0 ? "" : "b"), ping],
                        before.map { _ in text("a") },
                        .protocolError
                    )
                }
        }

    private static let fragments: [AutobahnCase] = {
        let (a, b) = (frame(1, "a", last: false), frame(0, "b"))
        let middle = frame(0, "m", last: false)
        return [
            AutobahnCase("5.1", "ping in 2 fragments", [frame(9, "a", last: false), b], [], .protocolError),
            AutobahnCase("5.2", "pong in 2 fragments", [frame(10, "a", last: false), b], [], .protocolError),
            AutobahnCase("5.3", "text in 2 fragments", [a, b], [text("ab")]),
            AutobahnCase(
                "5.6",
                "ping between 2 fragments",
                [a, frame(9, "p"), b],
                [.ping(Data("p".utf8)), text("ab")]
            ),
            AutobahnCase("5.9", "continuation of nothing, last, and text", [b, frame(1, "c")], [], .protocolError),
            AutobahnCase("5.12", "continuation of nothing, not last", [middle, frame(1, "c")], [], .protocolError),
            AutobahnCase(
                "5.15",
                "continuation after the last fragment",
                [a, b, middle, frame(1, "c")],
                [text("ab")],
                .protocolError
            ),
            AutobahnCase(
                "5.16",
                "continuation before a text, not last",
                [middle, frame(1, "c", last: false), b],
                [],
                .protocolError
            ),
            AutobahnCase(
                "5.17",
                "continuation before a text, last",
                [b, frame(1, "c", last: false), b],
                [],
                .protocolError
            ),
            AutobahnCase("5.18", "second fragment with opcode 1", [a, frame(1, "b")], [], .protocolError),
            AutobahnCase(
                "5.19",
                "5 fragments, 2 pings between",
                [a, middle, ping, middle, middle, frame(9, "p"), b],
                [pinged, .ping(Data("p".utf8)), text("ammmb")]
            ),
        ]
    }()
}
