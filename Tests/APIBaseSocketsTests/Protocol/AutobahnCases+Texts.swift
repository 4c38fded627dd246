@testable import APIBaseSockets
import Foundation
import HTTPTransport

/// Group 6: texts, and what is not UTF-8.
extension AutobahnCase {
    private static let greek = "Hello-µ@ßöäüàá-UTF-8!!"

    static let texts: [AutobahnCase] = {
        let (bytes, start) = (Array(greek.utf8), Array("κόσμε".utf8))
        let surrogate = start + [0xED, 0xA0, 0x80] + Array("edited".utf8)
        let tooHigh: [UInt8] = [0xF4, 0x90, 0x80, 0x80]
        func parts(_ parts: [UInt8]...) -> [[UInt8]] {
            parts.enumerated().map { ServerFrames.frame($0 == 0 ? 1 : 0, $1, last: $0 == parts.count - 1) }
        }
        return [
            AutobahnCase("6.1.1", "empty text", [frame(1)], [text("")]),
            AutobahnCase("6.1.2", "3 empty fragments", parts([], [], []), [text("")]),
            AutobahnCase("6.1.3", "only the second of 3 fragments is not empty", parts([], bytes, []), [text(greek)]),
            AutobahnCase("6.2.1", "text that is not ASCII", [frame(1, greek)], [text(greek)]),
            AutobahnCase("6.2.2", "in 2 fragments", ServerFrames.fragments(1, bytes, of: 14), [text(greek)]),
            AutobahnCase("6.2.3", "each byte a fragment", ServerFrames.fragments(1, bytes, of: 1), [text(greek)]),
            AutobahnCase(
                "6.2.4",
                "Greek, each byte a fragment",
                ServerFrames.fragments(1, start, of: 1),
                [text("κόσμε")]
            ),
            AutobahnCase("6.3.1", "surrogate", [ServerFrames.frame(1, surrogate)], [], .invalidPayload),
            AutobahnCase(
                "6.3.2",
                "surrogate, each byte a fragment",
                ServerFrames.fragments(1, surrogate, of: 1),
                [],
                .invalidPayload
            ),
            // The last frame never comes.
            AutobahnCase(
                "6.4.1",
                "invalid second fragment",
                Array(parts(start, tooHigh, Array("edited".utf8)).prefix(2)),
                [],
                .invalidPayload
            ),
            AutobahnCase(
                "6.4.2",
                "invalid at the border of fragments",
                Array(parts(start + [0xF4], [0x90], [0x80]).prefix(2)),
                [],
                .invalidPayload
            ),
            AutobahnCase(
                "6.4.3",
                "invalid within a frame that is not whole",
                [Array(ServerFrames.frame(1, start + tooHigh + [0x65, 0x65]).dropLast(4))],
                [],
                .invalidPayload
            ),
            AutobahnCase(
                "6.4.4",
                "the same after a single byte",
                [Array(ServerFrames.frame(1, start + tooHigh + [0x65, 0x65]).dropLast(4))],
                [],
                .invalidPayload
            ),
        ]
    }()

    static let codePoints: [AutobahnCase] = [
        ("6.5.1", "CE BA E1 BD B9 CF 83 CE BC CE B5"), ("6.7.1", "00"), ("6.7.2", "C2 80"), ("6.7.3", "E0 A0 80"),
        ("6.7.4", "F0 90 80 80"), ("6.9.1", "7F"), ("6.9.2", "DF BF"), ("6.9.3", "EF BF BF"), ("6.9.4", "F4 8F BF BF"),
        ("6.11.1", "ED 9F BF"), ("6.11.2", "EE 80 80"), ("6.11.3", "EF BF BD"), ("6.11.4", "F4 8F BF BF"),
        ("6.22.1", "EF BF BE"), ("6.22.2", "EF BF BF"), ("6.22.3", "F0 9F BF BE"), ("6.22.34", "F4 8F BF BF"),
        ("6.23.1", "EF BF BD"),
    ].map { number, hex in
        let bytes = [UInt8](hex: hex)
        return AutobahnCase(number, hex, [ServerFrames.frame(1, bytes)], [text(String(decoding: bytes, as: UTF8.self))])
    }

    static let invalidTexts: [AutobahnCase] = [
        ("6.6.1", "CE"), ("6.6.3", "CE BA E1"), ("6.6.4", "CE BA E1 BD"), ("6.6.6", "CE BA E1 BD B9 CF"),
        ("6.8.1", "F8 88 80 80 80"), ("6.8.2", "FC 84 80 80 80 80"), ("6.10.1", "F7 BF BF BF"),
        ("6.10.2", "FB BF BF BF BF"),
        ("6.10.3", "FD BF BF BF BF BF"), ("6.11.5", "F4 90 80 80"), ("6.12.1", "80"), ("6.12.2", "BF"),
        ("6.12.3", "80 BF"),
        ("6.12.8", "80 81 82 83 84"), ("6.13.1", "C0 20 C1 20"), ("6.13.2", "E0 20 E1 20"), ("6.13.3", "F0 20 F1 20"),
        ("6.13.4", "F8 20 F9 20"), ("6.13.5", "FC 20"), ("6.14.1", "C0"), ("6.14.2", "E0 80"), ("6.14.3", "F0 80 80"),
        ("6.14.6", "DF"), ("6.14.7", "EF BF"), ("6.14.8", "F7 BF BF"), ("6.15.1", "C0 E0 80 F0 80 80"),
        ("6.16.1", "FE"),
        ("6.16.2", "FF"), ("6.16.3", "FE FE FF FF"), ("6.17.1", "C0 AF"), ("6.17.2", "E0 80 AF"),
        ("6.17.3", "F0 80 80 AF"),
        ("6.18.1", "C1 BF"), ("6.18.2", "E0 9F BF"), ("6.18.3", "F0 8F BF BF"), ("6.19.1", "C0 80"),
        ("6.19.2", "E0 80 80"),
        ("6.19.3", "F0 80 80 80"), ("6.20.1", "ED A0 80"), ("6.20.2", "ED AD BF"), ("6.20.7", "ED BF BF"),
        ("6.21.1", "ED A0 80 ED B0 80"), ("6.21.8", "ED AF BF ED BF BF"),
    ].map { AutobahnCase($0, $1, [ServerFrames.frame(1, [UInt8](hex: $1))], [], .invalidPayload) }
}
