import HTTPTransport

extension Behavior {
    private static func denied(
        _ name: String,
        _ challenge: String,
        with credentials: String? = nil,
        urlSession: [Outcome] = []
    ) -> Behavior {
        Behavior(
            name,
            Question { $0.headers = credentials.map { ["Authorization": $0] } ?? [:] },
            answers: "HTTP/1.1 401 No\r\n\(challenge)Content-Length: 6\r\n\r\ndenied",
            then: .keep,
            expecting: .value(401, "denied"),
            urlSession: urlSession
        )
    }

    /// Demands for credentials that there are none of: the response is the answer.
    static let challenges: [Behavior] = [
        denied("challenge-missing", ""),
        denied(
            "challenge-empty",
            "WWW-Authenticate:  \r\n",
            urlSession: [.malformed(.head)]
        ),
        denied("challenge-basic", "WWW-Authenticate: Basic realm=\"x\"\r\n"),
        denied("challenge-basic-refused", "WWW-Authenticate: Basic realm=\"x\"\r\n", with: "Basic dTpw"),
        denied("challenge-bearer", "WWW-Authenticate: Bearer\r\n"),
        denied("challenge-digest", "WWW-Authenticate: Digest realm=\"x\", nonce=\"1\"\r\n"),
        denied("challenge-negotiate", "WWW-Authenticate: Negotiate\r\n"),
        denied("challenge-ntlm", "WWW-Authenticate: NTLM\r\n"),
        denied("challenge-nonsense", "WWW-Authenticate: ,,,=\"\r\n"),
        denied("challenge-list", "WWW-Authenticate: Negotiate, Basic realm=\"x\", Digest realm=\"y\"\r\n"),
        Behavior(
            "challenge-of-proxy",
            answers: "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 6\r\n\r\ndenied",
            then: .keep,
            expecting: .value(407, "denied")
        ),
        Behavior(
            "challenge-broken-off",
            answers: "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 9\r\n\r\nhalf",
            expecting: .lost(.body)
        ),
        Behavior(
            "challenge-without-body",
            answers: "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
            then: .keep,
            expecting: .value(401, "")
        ),
    ]
}
