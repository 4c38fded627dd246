import HTTPTransport
import LoopbackServer

extension Behavior {
    private static let tooLarge = Outcome.failure(.tooLarge(.headerBytes, limit: 262_144), .head)
    private static let tooLong = Outcome.failure(.tooLarge(.headerLine, limit: 102_400), .head)

    private static func field(_ line: String) -> String {
        Start.ok + line + "\r\nContent-Length: 4\r\n\r\nbody"
    }

    private static func asking(_ header: String) -> Question { Question { $0.header = header } }

    /// Invalid or too many header fields (RFC 9112, section 5).
    static let heads: [Behavior] = [
        Behavior(
            "bare-lf",
            answers: "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "RFC 9112, section 2.2 lets it be taken for a line's end",
            urlSession: []
        ),
        Behavior(
            "no-space-after-colon",
            answers: Start.ok + "Content-Length:4\r\nX-A:1\r\n\r\nbody",
            then: .keep,
            expecting: .value(200, "body"),
            urlSession: [.malformed(.head)]
        ),
        Behavior(
            "spaces-around-value",
            asking("X-A"),
            answers: field("X-A: \t one \t "),
            then: .keep,
            expecting: .value(200, "body (X-A: one)"),
            urlSession: [.value(200, "body (X-A: one \t )")]
        ),
        Behavior(
            "space-before-colon",
            answers: Start.ok + "Content-Length : 4\r\n\r\nbody",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "RFC 9112, section 5.1 tells servers to refuse it and proxies to mend it, and clients nothing"
        ),
        Behavior(
            "folded-field",
            asking("X-A"),
            answers: field("X-A: one\r\n  two"),
            then: .keep,
            expecting: .value(200, "body (X-A: one two)"),
            .malformed(.head),
            because: "RFC 9112, section 5.2 lets it be unfolded or refused"
        ),
        Behavior(
            "folded-first-line",
            answers: Start.ok + " X-A: one\r\nContent-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "RFC 9112, section 2.2 lets it be dropped or refused",
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior(
            "field-latin-1",
            asking("X-A"),
            expecting: .value(200, "body (X-A: caf\u{E9})"),
            .value(200, "body (X-A: caf\u{FFFD})"),
            because: "the bytes mean nothing by themselves (RFC 9110, section 5.5)",
            urlSession: [.malformed(.head)]
        ) { scene in
            try scene.write(Start.ok + "X-A: caf")
            try scene.connection.write([0xE9])
            try scene.write("\r\nContent-Length: 4\r\n\r\nbody")
            return .keep
        },
        Behavior(
            "field-utf-8",
            asking("X-A"),
            answers: field("X-A: caf\u{E9}"),
            then: .keep,
            expecting: .value(200, "body (X-A: caf\u{E9})"),
            .value(200, "body (X-A: caf\u{C3}\u{A9})"),
            because: "the bytes mean nothing by themselves (RFC 9110, section 5.5)"
        ),
        Behavior(
            "field-nul",
            asking("X-A"),
            answers: field("X-A: one\u{0}two"),
            then: .keep,
            expecting: .malformed(.head),
            .value(200, "body (X-A: one two)"),
            because: "RFC 9110, section 5.5 lets it be refused or become a space"
        ),
        Behavior(
            "field-bare-cr",
            asking("X-A"),
            answers: field("X-A: one\rX-Injected: two"),
            then: .keep,
            expecting: .malformed(.head),
            .value(200, "body (X-A: one X-Injected: two)"),
            because: "RFC 9112, section 2.2 lets it be refused or become a space"
        ),
        Behavior(
            "field-control-characters",
            asking("X-A"),
            answers: field("X-A: \u{1B}[31mred\u{7}"),
            then: .keep,
            expecting: .value(200, "body (X-A: \u{1B}[31mred\u{7})"),
            .malformed(.head),
            because: "RFC 9110, section 5.5 lets them be kept where it is safe"
        ),
        Behavior(
            "field-name-empty",
            answers: field(": one"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "it is no field and can be dropped"
        ),
        Behavior(
            "field-name-with-space",
            answers: field("X A: one"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "it is no field and can be dropped"
        ),
        Behavior(
            "field-without-colon",
            answers: field("nonsense"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "it is no field and can be dropped"
        ),
        Behavior(
            "field-repeated",
            asking("X-A"),
            answers: field("X-A: one\r\nX-A: two"),
            then: .keep,
            expecting: .value(200, "body (X-A: one)"),
            .value(200, "body (X-A: one, two)"),
            because: "a repeat may be joined or kept (RFC 9110, section 5.2)"
        ),
        Behavior(
            "field-of-a-megabyte",
            answers: field("X-A: " + String(repeating: "x", count: 1 << 20)),
            then: .keep,
            expecting: tooLong,
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior(
            "field-endless",
            expecting: tooLong,
            .malformed(.head),
            because: "no standard says how much of it there may be",
            urlSession: [.failure(.engine, .head)]
        ) { scene in
            try scene.write(Start.ok + "X-A: ")
            try scene.writeForever(String(repeating: "x", count: 16_384))
            return .close
        },
        Behavior(
            "fields-100000",
            answers: field(String(repeating: "X-A: one\r\n", count: 99_999) + "X-A: one"),
            then: .keep,
            expecting: tooLarge,
            urlSession: [.failure(.timedOut(which: .idle, after: .seconds(3)), .head), .malformed(.head), .stuck]
        ),
        Behavior(
            "fields-endless",
            expecting: tooLarge,
            urlSession: [.failure(.timedOut(which: .idle, after: .seconds(3)), .head), .malformed(.head), .stuck]
        ) { scene in
            try scene.write(Start.ok)
            try scene.writeForever(String(repeating: "X-A: one\r\n", count: 1_000))
            return .close
        },
    ]
}
