import Dispatch
import HTTPTransport

extension Behavior {
    private static func leftover(_ name: String, _ bytes: String, _ expected: Outcome) -> Behavior {
        Behavior(name, Question { $0.hasAftermath = true }, answers: bytes, then: .keep, expecting: expected)
    }

    private static func late(_ name: String, _ bytes: String, then ending: Ending, urlSession: [Outcome] = [])
        -> Behavior
    {
        Behavior(name, Question { $0.hasAftermath = true }, expecting: .value(200, "body"), urlSession: urlSession) {
            scene in
            try scene.write(Start.body)
            scene.waitForOutcome()
            try scene.write(bytes)
            return ending
        }
    }

    /// Bytes after a response, which must not be taken for the response to another request.
    static let leftovers: [Behavior] = [
        leftover("second-response", Start.body + Start.forged, .value(200, "body")),
        leftover("second-and-third-response", Start.body + Start.forged + Start.forged, .value(200, "body")),
        leftover("bytes-after-body", Start.ok + "Content-Length: 4\r\n\r\nbody and more", .value(200, "body")),
        leftover("newline-after-body", Start.body + "\r\n", .value(200, "body")),
        leftover(
            "response-after-empty-body",
            Start.ok + "Content-Length: 0\r\n\r\n" + Start.forged,
            .value(200, "")
        ),
        leftover(
            "response-after-chunks",
            Start.chunked + "4\r\nbody\r\n0\r\n\r\n" + Start.forged,
            .value(200, "body")
        ),
        leftover("interim-after-body", Start.body + "HTTP/1.1 100 Continue\r\n\r\n", .value(200, "body")),
        late(
            "late-second-response",
            Start.forged,
            then: .keep,
            urlSession: [.poisoned("200, forged")]
        ),
        late(
            "late-bytes",
            "more",
            then: .keep,
            urlSession: [.poisoned("head: The server's answer is not proper HTTP")]
        ),
        late(
            "late-farewell",
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
            then: .close,
            urlSession: [.poisoned("408")]
        ),
        late("late-reset", "", then: .reset),
        Behavior(
            "connection-said-closed-and-kept",
            Question { $0.hasAftermath = true },
            answers: Start.ok + "Connection: close\r\nContent-Length: 4\r\n\r\nbody" + Start.forged,
            then: .keep,
            expecting: .value(200, "body")
        ),
        Behavior(
            "http-1.0-said-kept",
            Question { $0.hasAftermath = true },
            answers: "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody" + Start.forged,
            then: .keep,
            expecting: .value(200, "body")
        ),
    ]
}
