package import HTTPTransport

/// One way in which a server can misbehave, and the correct outcome.
package struct Behavior: Sendable {
    package typealias Script = @Sendable (Scene) throws -> Ending

    /// A unique name of one word with hyphens.
    package let name: String

    /// The correct outcomes. There are several if the standards allow it, or if timing decides.
    package let expected: [Outcome]

    /// The reason why there are several; `nil` for one.
    package let reason: String?

    /// The measured outcome of a plain `URLSession`, if it is not in `expected`.
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
        self.init(name, question, answering: expected, because: reason, urlSession: urlSession, script)
    }

    /// With the expected outcomes as an array.
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

    /// A server that answers every request with these bytes.
    package init(
        _ name: String,
        _ question: Question = Question(),
        answers bytes: String,
        then ending: Ending = .close,
        expecting expected: Outcome...,
        because reason: String? = nil,
        urlSession: [Outcome] = []
    ) {
        self.init(name, question, answering: expected, because: reason, urlSession: urlSession) { scene in
            try scene.write(bytes)
            return ending
        }
    }
}

/// The request of the client.
package struct Question: Sendable {
    var method = HTTPMethod.get
    var scheme = "http"
    var headers: [String: String] = [:]
    var bodyBytes = 0
    var limits = ExchangeRequest.Limits.with { limits in
        limits.idle = .seconds(3)
        limits.responseBytes = 1_000_000
    }

    /// The header whose value is part of the outcome.
    var header: String?

    /// Whether the server reads the body before the script runs.
    var isRead = true

    /// Whether to wait for the end of the script before the next request.
    var hasAftermath = false

    package init(_ method: HTTPMethod = .get, _ change: (inout Question) -> Void = { _ in }) {
        self.method = method
        change(&self)
    }

    /// A question with an idle timeout.
    static func idle(_ time: Duration = .milliseconds(500), _ change: (inout Question) -> Void = { _ in }) -> Question {
        Question { question in
            question.limits.idle = time
            change(&question)
        }
    }

    /// A question with a total timeout.
    static func total(_ time: Duration = .seconds(1), _ change: (inout Question) -> Void = { _ in }) -> Question {
        Question { question in
            question.limits.total = time
            change(&question)
        }
    }
}

extension Behavior {
    /// The whole table.
    package static let all: [Behavior] = [
        brokenOff, lengths, chunks, heads, statusLines, interim, withoutBody, notHTTP, slow, challenges, redirects,
        codings, uploads, leftovers,
    ].flatMap { $0 }
}

/// The start of many behaviors.
enum Start {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// A complete response, which may be followed by others.
    static let body = ok + "Content-Length: 4\r\n\r\nbody"

    /// A response that must never be accepted.
    static let forged = ok + "Content-Length: 6\r\n\r\nforged"
}
