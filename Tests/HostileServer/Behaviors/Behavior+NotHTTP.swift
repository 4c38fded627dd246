import HTTPTransport
import LoopbackServer

extension Behavior {
    /// Servers of other protocols.
    static let notHTTP: [Behavior] = [
        Behavior("garbage", answers: "garbage\r\n\r\n", then: .keep, expecting: .malformed(.head)),
        Behavior(
            "zeros",
            answers: "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\r\n\r\n",
            then: .keep,
            expecting: .malformed(.head)
        ),
        Behavior("http-0.9", answers: "<html>body</html>", expecting: .malformed(.head)),
        Behavior("smtp-banner", answers: "220 mail.example ESMTP\r\n", then: .keep, expecting: .malformed(.head)),
        Behavior("ssh-banner", answers: "SSH-2.0-OpenSSH_9.2\r\n", then: .keep, expecting: .malformed(.head)),
        Behavior("tls-alert", expecting: .malformed(.head)) { scene in
            // A record of type alert: fatal, unexpected message (RFC 8446, section 6).
            try scene.connection.write([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x0A])
            return .close
        },
        Behavior("tls-hello", expecting: .malformed(.head)) { scene in
            try scene.connection.write([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00, 0x0D, 0x0A])
            return .keep
        },
        Behavior("http-2-settings", expecting: .malformed(.head)) { scene in
            // An empty SETTINGS frame, and a GOAWAY frame (RFC 9113, sections 6.5 and 6.8).
            try scene.connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
            try scene.connection.write([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0A])
            return .close
        },
        Behavior("plain-for-https", Question { $0.scheme = "https" }, expecting: .failure(.tls, .connect)) { _ in
            .close
        },
        Behavior(
            "garbage-endless",
            .total(),
            expecting: .malformed(.head),
            garbageLimit,
            ofTime(.head),
            because: "no standard says how much of it there may be"
        ) { scene in
            try scene.writeForever(String(repeating: "\u{1}x", count: 8_192))
            return .close
        },
        Behavior(
            "newlines-endless",
            .total(),
            expecting: .malformed(.head),
            garbageLimit,
            ofTime(.head),
            because: "no standard says how much of it there may be"
        ) { scene in
            try scene.writeForever(String(repeating: "\r\n", count: 8_192))
            return .close
        },
    ]

    private static let garbageLimit = Outcome.failure(.tooLarge(.headerBytes, limit: 262_144), .head)
}
