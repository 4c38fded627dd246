import HTTPTransport

extension Behavior {
    private static func line(_ line: String) -> String { line + "\r\nContent-Length: 4\r\n\r\nbody" }

    private static let version = "what follows is HTTP/1.1 in all but name"
    private static let lenient = "what is meant is clear, and the grammar does not allow it"

    /// Unusual, invalid or missing status lines (RFC 9112, section 4).
    static let statusLines: [Behavior] = [
        Behavior(
            "no-reason-phrase",
            answers: line("HTTP/1.1 200"),
            then: .keep,
            expecting: .value(200, "body"),
            urlSession: [.malformed(.head)]
        ),
        Behavior("empty-reason-phrase", answers: line("HTTP/1.1 200 "), then: .keep, expecting: .value(200, "body")),
        Behavior(
            "reason-phrase-of-a-megabyte",
            answers: line("HTTP/1.1 200 " + String(repeating: "x", count: 1 << 20)),
            then: .keep,
            expecting: .failure(.tooLarge(.headerLine, limit: 102_400), .head),
            .malformed(.head),
            .value(200, "body"),
            because: "the phrase is no field, and means nothing",
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior(
            "status-line-missing",
            answers: "Content-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .malformed(.head)
        ),
        Behavior(
            "status-99",
            answers: line("HTTP/1.1 99 Low"),
            then: .keep,
            expecting: .malformed(.head),
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior(
            "status-000",
            answers: line("HTTP/1.1 000 Zero"),
            then: .keep,
            expecting: .malformed(.head),
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior(
            "status-1000",
            answers: line("HTTP/1.1 1000 High"),
            then: .keep,
            expecting: .malformed(.head),
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior("status-word", answers: line("HTTP/1.1 abc OK"), then: .keep, expecting: .malformed(.head)),
        Behavior(
            "status-negative",
            answers: line("HTTP/1.1 -200 OK"),
            then: .keep,
            expecting: .malformed(.head),
            urlSession: [.failure(.engine, .head)]
        ),
        Behavior("status-missing", answers: line("HTTP/1.1 OK"), then: .keep, expecting: .malformed(.head)),
        Behavior(
            "status-999",
            answers: line("HTTP/1.1 999 Own"),
            then: .keep,
            expecting: .value(999, "body"),
            .malformed(.head),
            because: "RFC 9110, section 15 lets it count as 500, and it is in use"
        ),
        Behavior(
            "two-spaces-before-status",
            answers: line("HTTP/1.1  200 OK"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "RFC 9112, section 4 lets lines be parsed by words"
        ),
        Behavior(
            "version-2.0",
            answers: line("HTTP/2.0 200 OK"),
            then: .keep,
            expecting: .malformed(.head),
            .value(200, "body"),
            because: version
        ),
        Behavior("version-3.7", answers: line("HTTP/3.7 200 OK"), then: .keep, expecting: .malformed(.head)),
        Behavior("version-9.9", answers: line("HTTP/9.9 200 OK"), then: .keep, expecting: .malformed(.head)),
        Behavior(
            "version-1.2",
            answers: line("HTTP/1.2 200 OK"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "RFC 9110, section 2.5 lets it count as HTTP/1.1, but no such version exists"
        ),
        Behavior(
            "version-lower-case",
            answers: line("http/1.1 200 OK"),
            then: .keep,
            expecting: .malformed(.head),
            .value(200, "body"),
            because: lenient
        ),
        Behavior("protocol-icy", answers: line("ICY 200 OK"), then: .keep, expecting: .malformed(.head)),
        Behavior(
            "blank-line-first",
            answers: "\r\n" + line("HTTP/1.1 200 OK"),
            then: .keep,
            expecting: .malformed(.head),
            .value(200, "body"),
            because: lenient
        ),
    ]
}
