import Dispatch
import HTTPTransport
import LoopbackServer

extension Behavior {
    private static let big = 4 << 20

    private static func post(_ bytes: Int, _ change: (inout Question) -> Void = { _ in }) -> Question {
        Question(.post) { question in
            question.bodyBytes = bytes
            change(&question)
        }
    }

    private static let unread: Question = post(big) { $0.isRead = false }

    private static let denied = "HTTP/1.1 413 Too Big\r\nConnection: close\r\nContent-Length: 6\r\n\r\ndenied"

    /// `URLSession` fails on the write if the reset arrives before it has read the response.
    private static let early: [Outcome] = [.value(413, "denied"), .lost(.send), .lost(.head), .lost(.body)]

    /// Servers that do not wait for the body of a request, or lose it.
    static let uploads: [Behavior] = [
        Behavior(
            "kept-connection-closed-after-post",
            post(1_000),
            expecting: .lost(.head),
            .lost(.send),
            .value(200, "1000"),
            because: "the request may be sent once more, if all of it is; the loss may be known before the sending is"
        ) { scene in
            guard scene.number > 0 else { return .close }
            try scene.write(reply(body: "\(scene.request.declaredLength)"))
            return .keep
        },
        Behavior(
            "kept-connection-reset-after-post",
            post(1_000),
            expecting: .lost(.head),
            .lost(.send),
            .value(200, "1000"),
            because: "the request may be sent once more, if all of it is; the loss may be known before the sending is"
        ) { scene in
            guard scene.number > 0 else { return .reset }
            try scene.write(reply(body: "\(scene.request.declaredLength)"))
            return .keep
        },
        Behavior("answer-before-body-then-reads", unread, expecting: .value(413, "denied")) { scene in
            try scene.write(denied)
            _ = try? scene.readBody()
            return .close
        },
        Behavior("answer-in-body-then-reads", unread, expecting: .value(413, "denied")) { scene in
            _ = try scene.connection.read(exactly: 100_000)
            try scene.write(denied)
            _ = try? scene.readBody()
            return .close
        },
        Behavior(
            "answer-before-body-then-silence",
            unread,
            expecting: .value(413, "denied")
        ) { scene in
            try scene.write(denied)
            scene.waitForOutcome()
            return .close
        },
        Behavior(
            "answer-before-body-then-close",
            unread,
            expecting: .value(413, "denied"),
            urlSession: early
        ) { scene in
            try scene.write(denied)
            return .close
        },
        Behavior(
            "answer-before-body-then-reset",
            unread,
            expecting: .value(413, "denied"),
            urlSession: early
        ) { scene in
            try scene.write(denied)
            return .reset
        },
        Behavior("success-before-body", unread, expecting: .value(200, "early")) { scene in
            try scene.write(reply(body: "early"))
            _ = try? scene.readBody()
            return .keep
        },
        Behavior(
            "close-in-upload",
            unread,
            expecting: .lost(.send),
            .lost(.head),
            because: "an engine may count as sent what it has only taken over"
        ) { scene in
            _ = try scene.connection.read(exactly: 100_000)
            return .close
        },
        Behavior(
            "reset-in-upload",
            unread,
            expecting: .lost(.send),
            .lost(.head),
            because: "an engine may count as sent what it has only taken over"
        ) { scene in
            _ = try scene.connection.read(exactly: 100_000)
            return .reset
        },
        Behavior("expect-never-answered", unread, expecting: .value(200, "\(big)")) { scene in
            try scene.write(reply(body: "\(scene.readBody())"))
            return .keep
        },
        Behavior("continue-unasked", post(1_000) { $0.isRead = false }, expecting: .value(200, "1000")) { scene in
            try scene.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            try scene.write(reply(body: "\(scene.readBody())"))
            return .keep
        },
        Behavior(
            "expectation-failed",
            unread,
            expecting: .value(417, "denied"),
            .value(200, "\(big)"),
            because: "a client that was told so may leave the expectation out and try again"
        ) { scene in
            guard scene.number == 0 else {
                try scene.write(reply(body: "\(scene.readBody())"))
                return .keep
            }
            try scene.write(reply("417 Expectation Failed", body: "denied"))
            if scene.request["Expect"] == nil { _ = try? scene.readBody() }
            return .keep
        },
        Behavior("answer-to-post-without-body", post(0), expecting: .value(200, "0")) { scene in
            try scene.write(reply(body: scene.request["Content-Length"] ?? "none"))
            return .keep
        },
    ]
}
