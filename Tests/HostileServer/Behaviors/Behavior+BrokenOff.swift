import HTTPTransport
import LoopbackServer

extension Behavior {
    /// Connections that end within a response.
    static let brokenOff: [Behavior] = [
        Behavior("close-before-head", expecting: .lost(.head)) { _ in .close },
        Behavior("reset-before-head", expecting: .lost(.head)) { _ in .reset },
        Behavior("half-close-before-head", expecting: .lost(.head)) { scene in
            scene.connection.finishWriting()
            return .keep
        },
        Behavior(
            "close-in-status-line",
            answers: "HTTP/1.1 20",
            expecting: .lost(.head),
            .malformed(.head),
            because: "what has come is no status line either"
        ),
        Behavior(
            "close-after-status-line",
            answers: Start.ok,
            expecting: .lost(.head),
            urlSession: [.crash]
        ),
        Behavior(
            "close-in-field",
            answers: Start.ok + "Content-Len",
            expecting: .lost(.head),
            .malformed(.head),
            because: "what has come is no field either",
            urlSession: [.crash]
        ),
        Behavior(
            "close-before-blank-line",
            answers: Start.ok + "Content-Length: 0\r\n",
            expecting: .lost(.head),
            urlSession: [.crash]
        ),
        Behavior(
            "reset-in-head",
            answers: Start.ok + "Content-Length: 0\r\n",
            then: .reset,
            expecting: .lost(.head)
        ),
        Behavior(
            "close-after-interim",
            answers: "HTTP/1.1 103 Early Hints\r\n\r\n",
            expecting: .lost(.head),
            urlSession: [.lost(.body)]
        ),
        Behavior("close-after-head", answers: Start.ok + "Content-Length: 9\r\n\r\n", expecting: .lost(.body)),
        Behavior(
            "reset-after-head",
            answers: Start.ok + "Content-Length: 9\r\n\r\n",
            then: .reset,
            expecting: .lost(.body),
            .lost(.head),
            because: "a reset may take the head with it"
        ),
        Behavior("close-in-body", answers: Start.ok + "Content-Length: 9\r\n\r\nhalf", expecting: .lost(.body)),
        Behavior(
            "reset-in-body",
            answers: Start.ok + "Content-Length: 9\r\n\r\nhalf",
            then: .reset,
            expecting: .lost(.body),
            .lost(.head),
            because: "a reset may take the head with it"
        ),
        Behavior(
            "close-in-error-body",
            answers: "HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf",
            expecting: .lost(.body)
        ),
        Behavior(
            "reset-of-unframed-body",
            answers: Start.ok + "\r\nhalf",
            then: .reset,
            expecting: .lost(.body),
            .lost(.head),
            because: "a reset may take the head with it"
        ),
        Behavior("close-ends-unframed-body", answers: Start.ok + "\r\nwhole", expecting: .value(200, "whole")),
        Behavior("half-close-after-response", expecting: .value(200, "body")) { scene in
            try scene.write(Start.body)
            scene.connection.finishWriting()
            return .keep
        },
        Behavior(
            "close-of-kept-connection",
            answers: Start.ok + "Connection: keep-alive\r\nContent-Length: 4\r\n\r\nbody",
            expecting: .value(200, "body")
        ),
        Behavior(
            "reset-of-kept-connection",
            answers: Start.ok + "Connection: keep-alive\r\nContent-Length: 4\r\n\r\nbody",
            then: .reset,
            expecting: .value(200, "body"),
            .lost(.body),
            .lost(.head),
            because: "a reset may take the response with it"
        ),
    ]
}
