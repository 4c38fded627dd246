@testable import APIBaseSockets
import Foundation
import HTTPTransport

/// Group 7: the closing handshake. Groups 9 and 10: large messages, in small sizes.
extension AutobahnCase {
    static let closes: [AutobahnCase] = {
        let normal = SocketEvent.close(SocketClose(code: .normal))
        let (end, none) = (ServerFrames.close(1000), SocketEvent.close(SocketClose(code: .noStatus)))
        let (long, reason) = ([UInt8](repeating: 0x2A, count: 123), "Goodbye, µ")
        return [
            AutobahnCase("7.1.1", "text and close", [frame(1, "a"), end], [text("a"), normal]),
            AutobahnCase("7.1.2", "2 closes", [end, end], [normal]),
            AutobahnCase("7.1.3", "ping after close", [end, ping], [normal]),
            AutobahnCase("7.1.4", "text after close", [end, frame(1, "a")], [normal]),
            AutobahnCase(
                "7.1.5",
                "close between fragments",
                [frame(1, "a", last: false), end, frame(0, "b")],
                [normal]
            ),
            AutobahnCase(
                "7.1.6",
                "256 KiB, close and ping",
                [frame(1, String(repeating: "a", count: 256 << 10)), end, ping],
                [text(String(repeating: "a", count: 256 << 10)), normal]
            ),
            AutobahnCase("7.3.1", "close without payload", [ServerFrames.close()], [none]),
            AutobahnCase("7.3.2", "close with 1 byte", [frame(8, "a")], [], .protocolError),
            AutobahnCase("7.3.3", "close with a code", [end], [normal]),
            AutobahnCase(
                "7.3.4",
                "close with a code and a reason",
                [ServerFrames.close(1000, Array(reason.utf8))],
                [.close(SocketClose(code: .normal, reason: reason))]
            ),
            AutobahnCase(
                "7.3.5",
                "close with a reason of 123 bytes",
                [ServerFrames.close(1000, long)],
                [.close(SocketClose(code: .normal, reason: String(repeating: "*", count: 123)))]
            ),
            AutobahnCase(
                "7.3.6",
                "close with a reason of 124 bytes",
                [ServerFrames.close(1000, long + [0x2A])],
                [],
                .protocolError
            ),
            AutobahnCase(
                "7.5.1",
                "close with a reason that is not UTF-8",
                [ServerFrames.close(1000, [0xCE, 0xBA, 0xED, 0xA0, 0x80])],
                [],
                .invalidPayload
            ),
        ]
    }()

    static let closeCodes: [AutobahnCase] = {
        let valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
        let invalid = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999]
        return valid.enumerated()
            .map { index, code in
                AutobahnCase(
                    "7.7.\(index + 1)",
                    "code \(code)",
                    [ServerFrames.close(code)],
                    [.close(SocketClose(code: SocketCloseCode(rawValue: UInt16(code))))]
                )
            }
            + invalid.enumerated()
            .map { index, code in
                AutobahnCase("7.9.\(index + 1)", "code \(code)", [ServerFrames.close(code)], [], .protocolError)
            }
            + ([5000, 65535] as [Int]).enumerated()
            .map { index, code in
                AutobahnCase("7.13.\(index + 1)", "code \(code)", [ServerFrames.close(code)], [], .protocolError)
            }
    }()

    static let large: [AutobahnCase] = {
        let (stars, bytes) = ([UInt8](repeating: 0x2A, count: 64 << 10), (0..<64 << 10).map { UInt8($0 & 0xFF) })
        let event = text(String(repeating: "*", count: 64 << 10))
        return [
            AutobahnCase("9.1.1", "text of 64 KiB", [ServerFrames.frame(1, stars)], [event]),
            AutobahnCase("9.2.1", "bytes of 64 KiB", [ServerFrames.frame(2, bytes)], [data(bytes)]),
            AutobahnCase("9.3.1", "text in fragments of 64 bytes", ServerFrames.fragments(1, stars, of: 64), [event]),
            AutobahnCase("9.4.1", "bytes in fragments of 64", ServerFrames.fragments(2, bytes, of: 64), [data(bytes)]),
            AutobahnCase(
                "10.1.1",
                "text in fragments of 1300 bytes",
                ServerFrames.fragments(1, stars, of: 1300),
                [event]
            ),
        ]
    }()
}
