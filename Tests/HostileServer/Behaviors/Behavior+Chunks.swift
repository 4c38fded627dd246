import Dispatch
import HTTPTransport

extension Behavior {
    private static let tooLarge = Outcome.failure(.tooLarge(.responseBytes, limit: 1_000_000), .body)
    private static let lenient = "what is meant is clear, and the grammar does not allow it"

    /// Invalid and unusual chunked bodies (RFC 9112, section 7.1).
    static let chunks: [Behavior] = [
        Behavior(
            "chunk-size-word",
            answers: Start.chunked + "size\r\nbody\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior(
            "chunk-size-missing",
            answers: Start.chunked + "\r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior(
            "chunk-size-negative",
            answers: Start.chunked + "-4\r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior(
            "chunk-size-overflowing",
            answers: Start.chunked + "fffffffffffffffffff\r\nbody",
            then: .keep,
            expecting: .malformed(.body),
            tooLarge,
            because: "it is no number, or a very big one"
        ),
        Behavior(
            "chunk-size-with-prefix",
            answers: Start.chunked + "0x4\r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior(
            "chunk-size-leading-zeros",
            answers: Start.chunked + "000000000000000000000004\r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.body),
            because: "the grammar allows it, and it is never needed"
        ),
        Behavior(
            "chunk-size-then-space",
            answers: Start.chunked + "4  \r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.body),
            because: lenient
        ),
        Behavior(
            "chunk-huge",
            expecting: tooLarge,
            urlSession: [tooLarge, .stuck]
        ) { scene in
            try scene.write(Start.chunked + "7fffffffffffffff\r\n")
            try scene.writeForever(String(repeating: "x", count: 16_384))
            return .close
        },
        Behavior(
            "chunks-endless",
            expecting: tooLarge,
            urlSession: [tooLarge, .stuck]
        ) { scene in
            try scene.write(Start.chunked)
            try scene.writeForever("1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n")
            return .close
        },
        Behavior(
            "chunks-of-one-byte",
            answers: Start.chunked + String(repeating: "1\r\nx\r\n", count: 5_000) + "0\r\n\r\n",
            then: .keep,
            expecting: .value(200, "5000 bytes")
        ),
        Behavior(
            "chunk-longer-than-said",
            answers: Start.chunked + "3\r\nlonger\r\n0\r\n\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior(
            "chunk-without-its-end",
            answers: Start.chunked + "4\r\nbody0\r\n\r\n",
            then: .keep,
            expecting: .malformed(.body)
        ),
        Behavior("close-before-last-chunk", answers: Start.chunked + "4\r\nbody\r\n", expecting: .lost(.body)),
        Behavior("close-in-chunk", answers: Start.chunked + "9\r\nhalf", expecting: .lost(.body)),
        Behavior("close-in-chunk-size", answers: Start.chunked + "4\r\nbody\r\n1", expecting: .lost(.body)),
        Behavior("close-before-first-chunk", answers: Start.chunked, expecting: .lost(.body)),
        Behavior(
            "close-after-last-chunk-line",
            answers: Start.chunked + "4\r\nbody\r\n0\r\n",
            expecting: .lost(.body),
            .value(200, "body"),
            because: "the last chunk has come, and only the blank line after it is missing"
        ),
        Behavior(
            "silence-after-last-chunk-line",
            .idle(),
            answers: Start.chunked + "4\r\nbody\r\n0\r\n",
            then: .keep,
            expecting: .failure(.timedOut(which: .idle, after: .milliseconds(500)), .body)
        ),
        Behavior(
            "chunk-lines-end-in-lf",
            answers: Start.chunked + "4\nbody\n0\n\n",
            then: .keep,
            expecting: .malformed(.body),
            .value(200, "body"),
            because: lenient
        ),
        Behavior(
            "chunk-extensions",
            answers: Start.chunked + "4;a=b;c=\"d;e\";f\r\nbody\r\n0;g\r\n\r\n",
            then: .keep,
            expecting: .value(200, "body")
        ),
        Behavior(
            "chunk-extension-endless",
            .total(),
            expecting: .malformed(.body),
            ofTime(.body),
            because: "no standard says how much of it there may be",
            urlSession: [.malformed(.body), ofTime(.body), .stuck]
        ) { scene in
            try scene.write(Start.chunked + "4;")
            try scene.writeForever(String(repeating: "x", count: 16_384))
            return .close
        },
        Behavior(
            "trailers",
            Question { $0.header = "X-Trailer" },
            answers: Start.ok + "Transfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\n4\r\nbody\r\n0\r\n"
                + "X-Trailer: late\r\nContent-Length: 1\r\n\r\n",
            then: .keep,
            expecting: .value(200, "body (X-Trailer: none)"),
            urlSession: [.crash]
        ),
        Behavior(
            "trailers-malformed",
            answers: Start.chunked + "4\r\nbody\r\n0\r\nno field at all\r\n\r\n",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.body),
            because: "the body is whole, and what follows it is of no use"
        ),
        Behavior(
            "trailers-endless",
            .total(),
            expecting: .malformed(.body),
            .failure(.tooLarge(.headerBytes, limit: 262_144), .body),
            ofTime(.body),
            because: "no standard says how many there may be",
            urlSession: [.stuck]
        ) { scene in
            try scene.write(Start.chunked + "4\r\nbody\r\n0\r\n")
            try scene.writeForever(String(repeating: "X-Trailer: late\r\n", count: 500))
            return .close
        },
    ]

    /// The total time of ``Question/total(_:_:)`` is over.
    static func ofTime(_ phase: TransportError.Phase) -> Outcome {
        .failure(.timedOut(which: .total, after: .milliseconds(1_000)), phase)
    }
}
