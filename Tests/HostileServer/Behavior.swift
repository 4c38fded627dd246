package import HTTPTransport

/// One way in which a server can misbehave, and what a good client must conclude.
package struct Behavior: Sendable {
    package typealias Script = @Sendable (Scene) throws -> Ending

    /// What the behavior is called, in one word with hyphens; unique.
    package let name: String

    /// What a good client may conclude. More than one where the standards leave the choice, or time decides.
    package let expected: [Outcome]

    /// Why there is a choice; nil where there is none.
    package let reason: String?

    /// What `URLSession` below this package's hardening was measured to conclude, where it is not among `expected`.
    package let urlSession: [Outcome]

    let question: Question
    let script: Script

    package init(
        _ name: String,
        _ question: Question = Question(),
        expecting expected: Outcome...,
        because reason: String? = nil,
        urlSession: [Outcome] = [],
        _ script: @escaping Script
    ) {
        self.name = name
        self.question = question
        self.expected = expected
        self.reason = reason
        self.urlSession = urlSession
        self.script = script
    }

    /// The same with what is expected in one array.
    init(
        _ name: String,
        _ question: Question = Question(),
        answering expected: [Outcome],
        because reason: String? = nil,
        urlSession: [Outcome] = [],
        _ script: @escaping Script
    ) {
        self.name = name
        self.question = question
        self.expected = expected
        self.reason = reason
        self.urlSession = urlSession
        self.script = script
    }

    /// A server that has these bytes for every request.
    package init(
        _ name: String,
        _ question: Question = Question(),
        answers bytes: String,
        then ending: Ending = .close,
        expecting expected: Outcome...,
        because reason: String? = nil,
        urlSession: [Outcome] = []
    ) {
        self.name = name
        self.question = question
        self.expected = expected
        self.reason = reason
        self.urlSession = urlSession
        script = { scene in
            try scene.write(bytes)
            return ending
        }
    }
}

/// What the client asks for in a behavior.
package struct Question: Sendable {
    var method = HTTPMethod.get
    var scheme = "http"
    var headers: [String: String] = [:]
    var bodyBytes = 0
    var limits = ExchangeLimits.with { limits in
        limits.idle = .seconds(3)
        limits.responseBytes = 1_000_000
    }

    /// The header whose value belongs to the outcome.
    var header: String?

    /// Whether the server reads the body before the script runs.
    var isRead = true

    /// Whether what the server does behind the response has to be waited for, before the next request.
    var hasAftermath = false

    package init(_ method: HTTPMethod = .get, _ change: (inout Question) -> Void = { _ in }) {
        self.method = method
        change(&self)
    }

    /// A question that is given up after so long without a byte.
    static func idle(_ time: Duration = .milliseconds(500), _ change: (inout Question) -> Void = { _ in }) -> Question {
        Question { question in
            question.limits.idle = time
            change(&question)
        }
    }

    /// A question that is given up after so long.
    static func total(_ time: Duration = .seconds(1), _ change: (inout Question) -> Void = { _ in }) -> Question {
        Question { question in
            question.limits.total = time
            change(&question)
        }
    }
}
