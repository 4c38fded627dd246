import Basics
import HTTPTransport

extension Error {
    /// The error, whose texts leave out the secrets of its call: a server may repeat them in any part of its answer.
    ///
    /// Every error of the kit with a text of a server passes here on its way out: of a failed attempt, of a call, of
    /// the body of its response and what reads that, and of calls that follow one another.
    package func without(_ secrets: @autoclosure () -> RequestSecrets) -> any Error {
        (self as? any ErrorWithSecrets)?.removing(secrets()) ?? self
    }
}

/// An error with texts of a server.
package protocol ErrorWithSecrets: Error {
    /// The error, whose texts leave out these secrets too.
    func removing(_ secrets: RequestSecrets) -> Self
}

extension RequestError: ErrorWithSecrets {
    package func removing(_ secrets: RequestSecrets) -> RequestError {
        switch self {
        case .httpFailure(let failure): return .httpFailure(failure.removing(secrets))
        case .contentTypeMismatch(let expected, let received, let reply):
            let clean = received.map { HTTPFailure.presentable($0, without: secrets) }
            return .contentTypeMismatch(expected: expected, received: clean, reply: reply.removing(secrets))
        case .undecodable(let undecodable): return .undecodable(undecodable.removing(secrets))
        case .undecodableLine(let line): return .undecodableLine(line.removing(secrets))
        case .undecodableEvent(let line): return .undecodableEvent(line.removing(secrets))
        case .failureEvent(var event):
            event.secrets = event.secrets.and(secrets)
            event.detail = event.detail.removing(secrets)
            return .failureEvent(event)
        case .foreignPage(let url): return .foreignPage(secrets.removed(from: url))
        case .notDone(let limit, let polls): return .notDone(within: limit, polls: polls.removing(secrets))
        default: return self
        }
    }
}

extension ProblemDetails: ErrorWithSecrets {
    package func removing(_ secrets: RequestSecrets) -> ProblemDetails {
        var problem = self
        problem.secrets = problem.secrets.and(secrets)
        return problem
    }
}

extension TransportError: ErrorWithSecrets {
    /// A server may have chosen the URL, by a redirect or for a page. The engine's message names the host.
    package func removing(_ secrets: RequestSecrets) -> TransportError {
        let underlying = underlying.map { error in
            (error as? any ErrorWithSecrets)?.removing(secrets) ?? error.replacingMessage { secrets.removed(from: $0) }
        }
        return TransportError(phase: phase, reason: reason, url: secrets.removed(from: url), underlying: underlying)
    }
}
