import Dispatch
import HTTPTransport

extension Behavior {
    private static let doubtful = "RFC 9110, section 8.6 lets equal lengths count as one, or be refused"

    private static func length(_ value: String, then body: String = "body") -> String {
        Start.ok + "Content-Length: \(value)\r\n\r\n" + body
    }

    /// Lengths that say nothing, too much or different things.
    static let lengths: [Behavior] = [
        Behavior(
            "length-too-long",
            .idle(),
            answers: length("9"),
            then: .keep,
            expecting: .failure(.timedOut(which: .idle, after: .milliseconds(500)), .body)
        ),
        Behavior("length-negative", answers: length("-5"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-plus-sign", answers: length("+4"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-word", answers: length("four"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-hexadecimal", answers: length("0x4"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-fraction", answers: length("4.0"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-two-numbers", answers: length("4 4"), then: .keep, expecting: .malformed(.head)),
        Behavior("length-empty", answers: length(""), then: .keep, expecting: .malformed(.head)),
        Behavior(
            "length-overflowing",
            answers: length("99999999999999999999"),
            then: .keep,
            expecting: .malformed(.head),
            .failure(.tooLarge(.responseBytes, limit: 1_000_000), .head),
            because: "it is no number, or a very big one"
        ),
        Behavior(
            "length-huge",
            answers: length("9223372036854775807"),
            then: .keep,
            expecting: .failure(.tooLarge(.responseBytes, limit: 1_000_000), .head),
            urlSession: [.crash]
        ),
        Behavior(
            "length-leading-zeros",
            answers: length("0000000000000000000000004"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: "the grammar allows it, and it is never needed"
        ),
        Behavior(
            "lengths-equal",
            answers: Start.ok + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: doubtful
        ),
        Behavior(
            "lengths-different",
            answers: Start.ok + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody!",
            then: .keep,
            expecting: .malformed(.head)
        ),
        Behavior(
            "lengths-different-reversed",
            answers: Start.ok + "Content-Length: 5\r\nContent-Length: 4\r\n\r\nbody!",
            then: .keep,
            expecting: .malformed(.head)
        ),
        Behavior(
            "length-list-equal",
            answers: length("4, 4"),
            then: .keep,
            expecting: .value(200, "body"),
            .malformed(.head),
            because: doubtful
        ),
        Behavior(
            "length-list-different",
            answers: length("4, 5", then: "body!"),
            then: .keep,
            expecting: .malformed(.head)
        ),
        Behavior(
            "length-and-chunks",
            answers: Start.ok + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
            then: .keep,
            expecting: .value(200, "whole"),
            .malformed(.head),
            because: "RFC 9112, section 6.3 lets the chunks count, or the response be refused"
        ),
        Behavior(
            "chunks-and-length-hide-a-response",
            Question { $0.hasAftermath = true },
            answers: Start.ok + "Transfer-Encoding: chunked\r\nContent-Length: 500\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"
                + Start.forged,
            then: .keep,
            expecting: .value(200, "whole"),
            .malformed(.head),
            because: "RFC 9112, section 6.3 lets the chunks count, or the response be refused"
        ),
        Behavior(
            "transfer-coding-unknown",
            answers: Start.ok + "Transfer-Encoding: xchunked\r\n\r\nbody",
            expecting: .malformed(.head),
            .malformed(.body),
            because: "nothing says when an unknown coding is seen"
        ),
        Behavior(
            "transfer-coding-unknown-and-length",
            answers: Start.ok + "Transfer-Encoding: nonsense\r\nContent-Length: 4\r\n\r\nbody",
            then: .keep,
            expecting: .malformed(.head),
            .malformed(.body),
            because: "nothing says when an unknown coding is seen"
        ),
        Behavior(
            "transfer-coding-chunked-twice",
            answers: Start.ok + "Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
            expecting: .malformed(.head),
            .malformed(.body),
            .value(200, "whole"),
            because: "RFC 9112, section 6.1 forbids it to senders and tells clients nothing"
        ),
        Behavior(
            "transfer-coding-in-http-1.0",
            answers: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
            expecting: .value(200, "whole"),
            .malformed(.head),
            because: "RFC 9112, section 6.1 calls the framing faulty; clients decode it or refuse it"
        ),
    ]
}
