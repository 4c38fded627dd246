import Dispatch
import HTTPTransport

extension Behavior {
    /// Interim responses (RFC 9110, section 15.2).
    static let interim: [Behavior] = [
        Behavior(
            "interim-100",
            answers: "HTTP/1.1 100 Continue\r\n\r\n" + Start.body,
            then: .keep,
            expecting: .value(200, "body")
        ),
        Behavior(
            "interim-103",
            Question { $0.header = "Link" },
            answers: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 2\r\n\r\n" + Start.body,
            then: .keep,
            expecting: .value(200, "body (Link: none)")
        ),
        Behavior(
            "interim-199",
            answers: "HTTP/1.1 199 Own\r\n\r\n" + Start.body,
            then: .keep,
            expecting: .value(200, "body")
        ),
        Behavior(
            "interim-ten",
            answers: String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 10) + Start.body,
            then: .keep,
            expecting: .value(200, "body")
        ),
        Behavior(
            "interim-endless",
            .total(),
            expecting: .malformed(.head),
            .failure(.tooLarge(.headerBytes, limit: 262_144), .head),
            ofTime(.head),
            because: "no standard says how many there may be",
            urlSession: [.malformed(.body), ofTime(.body), .stuck]
        ) { scene in
            try scene.writeForever(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 500))
            return .close
        },
        Behavior(
            "interim-101-unasked",
            .idle(),
            answers: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n",
            then: .keep,
            expecting: .malformed(.head),
            .value(101, ""),
            .failure(.timedOut(which: .idle, after: .milliseconds(500)), .head),
            because: "it was not asked for, so it is refused, handed on, or taken for an interim response",
            urlSession: [.failure(.timedOut(which: .idle, after: .milliseconds(500)), .body)]
        ),
        Behavior(
            "interim-101-hides-a-response",
            answers: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: own\r\nConnection: Upgrade\r\n\r\n" + Start.body
                + Start.forged,
            then: .keep,
            expecting: .malformed(.head),
            .value(101, ""),
            .value(200, "body"),
            because:
                "it was not asked for, so it is refused, handed on, or passed over like any other interim response",
            urlSession: [.failure(.timedOut(which: .idle, after: .seconds(3)), .body)]
        ),
    ]

    private static func bodiless(_ line: String) -> String {
        "HTTP/1.1 \(line)\r\nContent-Length: 4\r\n\r\nbody" + Start.forged
    }

    /// Bodies where none is allowed (RFC 9112, section 6.3).
    static let withoutBody: [Behavior] = [
        Behavior(
            "body-of-204",
            Question { $0.hasAftermath = true },
            answers: bodiless("204 No Content"),
            then: .keep,
            expecting: .value(204, "")
        ),
        Behavior(
            "body-of-304",
            Question { $0.hasAftermath = true },
            answers: bodiless("304 Not Modified"),
            then: .keep,
            expecting: .value(304, "")
        ),
        Behavior(
            "body-of-head",
            Question(.head) { $0.hasAftermath = true },
            answers: bodiless("200 OK"),
            then: .keep,
            expecting: .value(200, "")
        ),
        Behavior(
            "chunks-of-204",
            Question { $0.hasAftermath = true },
            answers: "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
            then: .keep,
            expecting: .value(204, ""),
            .malformed(.head),
            because: "RFC 9112, section 6.1 forbids it to senders"
        ),
        Behavior(
            "length-of-head-over-limit",
            Question(.head),
            answers: Start.ok + "Content-Length: 99999999999\r\n\r\n",
            then: .keep,
            expecting: .value(200, "")
        ),
        Behavior(
            "body-of-205",
            answers: "HTTP/1.1 205 Reset Content\r\nContent-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .value(205, "body"),
            .value(205, ""),
            because: "it is framed like any other, and means nothing"
        ),
    ]
}
