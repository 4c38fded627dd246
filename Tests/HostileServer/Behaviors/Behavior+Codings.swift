import HTTPTransport
import LoopbackServer

extension Behavior {
    private static let tooLarge = Outcome.failure(.tooLarge(.responseBytes, limit: 1_000_000), .body)
    private static let plain = Array("hello".utf8)
    private static let packed = Gzip.stored(plain)
    private static let raw = "a client may refuse what it cannot decode, or hand it on as it is"

    /// A behavior that answers with these bytes and this `Content-Encoding`.
    private static func coded(
        _ name: String,
        _ coding: String,
        _ bytes: [UInt8],
        then ending: Ending = .keep,
        _ expected: Outcome...,
        because reason: String? = nil,
        urlSession: [Outcome] = []
    ) -> Behavior {
        Behavior(name, answering: expected, because: reason, urlSession: urlSession) { scene in
            try scene.write(Start.ok + "Content-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n")
            try scene.connection.write(bytes)
            return ending
        }
    }

    private static func bomb(_ scene: Scene) throws -> Ending {
        try scene.write(Start.ok + "Content-Encoding: gzip\r\n\r\n")
        try scene.connection.write(Gzip.endlessZeros.start)
        let more = (0..<1_000).flatMap { _ in Gzip.endlessZeros.more }
        for _ in 0..<10_000 { try scene.connection.write(more) }
        return .close
    }

    /// Decompression bombs, and wrong or incomplete content codings (RFC 9110, section 8.4).
    static let codings: [Behavior] = [
        Behavior(
            "gzip-bomb",
            expecting: tooLarge,
            urlSession: [tooLarge, .stuck]
        ) { try bomb($0) },
        coded("gzip", "gzip", packed, .value(200, "hello")),
        coded("gzip-in-capitals", "GZIP", packed, .value(200, "hello")),
        coded("gzip-old-name", "x-gzip", packed, .value(200, "hello")),
        coded(
            "gzip-twice",
            "gzip, gzip",
            Gzip.stored(packed),
            .value(200, "hello"),
            .malformed(.head),
            .value(200, String(decoding: Gzip.stored(packed), as: UTF8.self)),
            because: "a client may refuse what it has not asked for, or hand it on as it is"
        ),
        coded(
            "gzip-twenty-times",
            Array(repeating: "gzip", count: 20).joined(separator: ", "),
            (0..<20).reduce(plain) { bytes, _ in Gzip.stored(bytes) },
            .malformed(.head),
            .malformed(.body),
            .value(200, "hello"),
            .value(200, "465 bytes"),
            because: "no standard says how many there may be"
        ),
        coded(
            "gzip-truncated",
            "gzip",
            packed.dropLast(10),
            .malformed(.body),
            urlSession: [.value(200, "hel")]
        ),
        coded(
            "gzip-without-checksum",
            "gzip",
            packed.dropLast(8),
            .malformed(.body),
            urlSession: [.value(200, "hello")]
        ),
        coded(
            "gzip-header-only",
            "gzip",
            Array(packed.prefix(10)),
            .malformed(.body),
            urlSession: [.value(200, "")]
        ),
        coded(
            "gzip-truncated-and-closed",
            "gzip",
            packed.dropLast(10),
            then: .close,
            .malformed(.body),
            urlSession: [.value(200, "hel")]
        ),
        coded("gzip-wrong-checksum", "gzip", packed.dropLast(8) + [0, 0, 0, 0, 5, 0, 0, 0], .malformed(.body)),
        coded("gzip-wrong-size", "gzip", packed.dropLast(4) + [6, 0, 0, 0], .malformed(.body)),
        coded(
            "gzip-then-garbage",
            "gzip",
            packed + Array("garbage".utf8),
            .malformed(.body),
            .value(200, "hello"),
            because: "RFC 1952 lets more members follow, and says nothing of other bytes",
            urlSession: [.failure(.engine, .body)]
        ),
        coded(
            "gzip-two-members",
            "gzip",
            packed + packed,
            .value(200, "hellohello"),
            .malformed(.body),
            because: "RFC 1952, section 2.2 allows it, and decoders without it refuse the rest",
            urlSession: [.failure(.engine, .body)]
        ),
        coded("gzip-that-is-none", "gzip", plain, .malformed(.body)),
        coded(
            "gzip-empty",
            "gzip",
            [],
            .value(200, ""),
            .malformed(.body),
            because: "no body needs no coding"
        ),
        Behavior(
            "gzip-unframed-truncated",
            expecting: .malformed(.body),
            urlSession: [.value(200, "hel")]
        ) { scene in
            try scene.write(Start.ok + "Content-Encoding: gzip\r\n\r\n")
            try scene.connection.write(Array(packed.dropLast(10)))
            return .close
        },
        Behavior(
            "gzip-chunked-truncated",
            expecting: .malformed(.body),
            urlSession: [.value(200, "hel")]
        ) { scene in
            try scene.write(Start.ok + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
            let bytes = packed.dropLast(10)
            try scene.write(String(bytes.count, radix: 16) + "\r\n")
            try scene.connection.write(Array(bytes))
            try scene.write("\r\n0\r\n\r\n")
            return .keep
        },
        coded(
            "gzip-of-nothing-for-head",
            "gzip",
            Gzip.stored([]),
            .value(200, "")
        ),
        coded(
            "deflate-without-zlib",
            "deflate",
            Gzip.deflateStored(plain),
            .value(200, "hello"),
            .malformed(.body),
            because: "RFC 9110, section 8.4.1.2 asks for the zlib format, and not all servers send it"
        ),
        coded("deflate-garbage", "deflate", Array("garbage, not deflated".utf8), .malformed(.body)),
        coded(
            "brotli-garbage",
            "br",
            Array("garbage, not brotli".utf8),
            .malformed(.body),
            .value(200, "garbage, not brotli"),
            because: raw,
            urlSession: [.failure(.engine, .body)]
        ),
        coded(
            "zstd-garbage",
            "zstd",
            Array("garbage, not zstd".utf8),
            .malformed(.body),
            .value(200, "garbage, not zstd"),
            because: raw,
            urlSession: [.failure(.engine, .body)]
        ),
        coded("coding-identity", "identity", plain, .value(200, "hello")),
        coded(
            "coding-unknown",
            "nonsense",
            plain,
            .value(200, "hello"),
            urlSession: [.failure(.engine, .body), .malformed(.head), .malformed(.body)]
        ),
        coded(
            "coding-unknown-over-gzip",
            "gzip, nonsense",
            packed,
            .value(200, String(decoding: packed, as: UTF8.self)),
            urlSession: [.failure(.engine, .body), .malformed(.head), .malformed(.body)]
        ),
    ]
}
