import Foundation
package import HTTPTransport

/// The outcome of a run.
package enum Outcome: Sendable, Hashable {
    /// A response: its status and its body, or the size of a long body.
    case value(Int, String)
    /// An error in a phase.
    case failure(TransportError.Reason, TransportError.Phase)
    /// No result within the time limit.
    case hang
    /// The process crashed.
    case crash
    /// An outcome after which the next request on the session got a wrong response.
    case poisoned(String)

    /// Whether the engine is unusable afterwards.
    package var isContagious: Bool {
        switch self {
        case .hang, .poisoned: true
        case .value, .failure, .crash: false
        }
    }

    var isTimeout: Bool { if case .failure(.timedOut, _) = self { true } else { false } }

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

    /// The outcome, and the timeouts that are possible on a busy machine.
    var variants: [Outcome] {
        guard case .failure(.timedOut(let clock, let time), let phase) = self else { return [self] }
        let phases: [TransportError.Phase] = [.connect, .send, .head, .body]
        return phases.prefix { $0 != phase }.map { .failure(.timedOut(which: clock, after: time), $0) } + [self]
    }

    /// The next request times out.
    static let stuck = Outcome.poisoned("head: The exchange was not done within 2.0 seconds")

    /// The connection was lost, in this phase.
    static func lost(_ phase: TransportError.Phase) -> Outcome { .failure(.connectionLost, phase) }

    /// The response is not HTTP, or cannot be decoded.
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

    /// The text with non-printable characters escaped.
    private static func visible(_ text: String) -> String {
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }
}
