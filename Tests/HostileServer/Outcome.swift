package import HTTPTransport

/// How a run ended, in one line.
package enum Outcome: Sendable, Hashable {
    /// A response: its status and its body; where it is long, the number of its bytes.
    case value(Int, String)
    /// An error, in a phase.
    case failure(TransportError.Reason, TransportError.Phase)
    /// Neither, within the deadline.
    case hang
    /// The process ended.
    case crash
    /// What came, and then the next request on the same session did not get its own answer but this.
    case poisoned(String)

    /// Whether the engine cannot be used for anything else.
    package var isContagious: Bool {
        switch self {
        case .hang, .poisoned: true
        case .value, .failure, .crash: false
        }
    }

    init(_ result: Result<Reply, TransportError>?, header: String? = nil) {
        switch result {
        case .success(let reply):
            var text = reply.data.count > 60 ? "\(reply.data.count) bytes" : reply.text
            if let header { text += " (\(header): \(reply.headers[header] ?? "none"))" }
            self = .value(reply.status, text)
        case .failure(let error): self = .failure(error.reason, error.phase)
        case nil: self = .hang
        }
    }

    /// The outcome, and what it may be on a busy machine: a clock may run out before the server has done what it is to
    /// do.
    var variants: [Outcome] {
        guard case .failure(.timedOut(let clock, let time), let phase) = self else { return [self] }
        let phases: [TransportError.Phase] = [.connect, .send, .head, .body]
        return phases.prefix { $0 != phase }.map { .failure(.timedOut(which: clock, after: time), $0) } + [self]
    }

    /// Nothing else gets through: the next request is given up.
    static let stuck = Outcome.poisoned("head: The exchange was not done within 2.0 seconds")

    /// The connection was lost, in this phase.
    static func lost(_ phase: TransportError.Phase) -> Outcome { .failure(.connectionLost, phase) }

    /// The response is not HTTP, or not decoded.
    static func malformed(_ phase: TransportError.Phase) -> Outcome { .failure(.malformedResponse, phase) }
}

extension Outcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value(let status, let text): text.isEmpty ? "\(status)" : "\(status), \(Self.visible(text))"
        case .failure(let reason, let phase): "\(phase): \(reason)"
        case .hang: "hangs"
        case .crash: "the process ends"
        case .poisoned(let text): "the next request gets: \(text)"
        }
    }

    /// The text with what is not printed as escapes, so that it stays on its line.
    private static func visible(_ text: String) -> String {
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }
}
