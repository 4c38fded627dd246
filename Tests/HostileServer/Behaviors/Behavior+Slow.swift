import Dispatch
import HTTPTransport
import LoopbackServer

extension Behavior {
    private static func idle(_ phase: TransportError.Phase) -> Outcome {
        .failure(.timedOut(which: .idle, after: .milliseconds(500)), phase)
    }

    /// Slow servers, and servers that never end.
    static let slow: [Behavior] = [
        Behavior("never-answers", .idle(), expecting: idle(.head)) { _ in .keep },
        Behavior("silence-in-head", .idle(), answers: Start.ok + "X-A: ", then: .keep, expecting: idle(.head)),
        Behavior(
            "silence-after-interim",
            .idle(),
            answers: "HTTP/1.1 100 Continue\r\n\r\n",
            then: .keep,
            expecting: idle(.head),
            urlSession: [.failure(.timedOut(which: .idle, after: .milliseconds(500)), .body)]
        ),
        Behavior(
            "silence-in-body",
            .idle(),
            answers: Start.ok + "Content-Length: 9\r\n\r\nhalf",
            then: .keep,
            expecting: idle(.body)
        ),
        Behavior(
            "silence-in-chunks",
            .idle(),
            answers: Start.chunked + "4\r\nbody\r\n",
            then: .keep,
            expecting: idle(.body)
        ),
        Behavior("drip-of-head", .total(), expecting: ofTime(.head)) { scene in
            try scene.drip(Start.ok + "X-A: " + String(repeating: "x", count: 1_000), every: .milliseconds(50))
            return .close
        },
        Behavior("drip-of-body", .total(), expecting: ofTime(.body)) { scene in
            try scene.write(Start.ok + "Content-Length: 1000\r\n\r\n")
            try scene.drip(String(repeating: "x", count: 1_000), every: .milliseconds(50))
            return .close
        },
        Behavior("drip-within-idle-time", .idle(.seconds(3)), expecting: .value(200, "drip")) { scene in
            try scene.write(Start.ok + "Content-Length: 4\r\n\r\n")
            try scene.drip("drip", every: .milliseconds(50))
            return .keep
        },
        Behavior("head-in-single-bytes", expecting: .value(200, "body")) { scene in
            try scene.drip(Start.body, every: .milliseconds(1))
            return .keep
        },
        Behavior(
            "request-never-read",
            Question(.post) { question in
                question.bodyBytes = 16 << 20
                question.isRead = false
                question.limits.idle = .milliseconds(500)
            },
            expecting: idle(.send),
            idle(.head),
            because: "an engine may count as sent what it has only taken over"
        ) { scene in
            scene.waitForOutcome()
            return .close
        },
        Behavior(
            "request-read-slowly",
            Question(.post) { question in
                question.bodyBytes = 16 << 20
                question.isRead = false
                question.limits.total = .milliseconds(1_000)
            },
            expecting: ofTime(.send),
            ofTime(.head),
            because: "an engine may count as sent what it has only taken over"
        ) { scene in
            while !scene.waitForOutcome(atMost: .milliseconds(50)) {
                _ = try scene.connection.read(exactly: 4_096)
            }
            return .close
        },
    ]
}
