import Basics
import HTTPTransport

extension Error {
    /// The error, whose texts leave out the secrets of its request: a server may repeat them in any part of its answer.
    ///
    /// Every error of the kit with a text of a server passes here on its way out of a call.
    package func without(_ secrets: @autoclosure () -> RequestSecrets) -> any Error {
        switch self {
        case let error as RequestError: error.removing(secrets())
        case let error as any ErrorWithSecrets: error.removing(secrets())
        case let error as TransportError: error.without(secrets())
        default: self
        }
    }
}

/// An error with texts of a server, other than the core's own.
package protocol ErrorWithSecrets: Error {
    /// The error, whose texts leave out these secrets.
    func removing(_ secrets: RequestSecrets) -> Self
}

extension RequestError {
    /// The error of an operator, which knows its request only while the response is delivered.
    var withoutDeliveredSecrets: RequestError { Delivery.runningCall.map { removing($0.sentSecrets) } ?? self }

    fileprivate func removing(_ secrets: RequestSecrets) -> RequestError {
        switch self {
        case .httpFailure(var failure):
            failure.secrets = failure.secrets.orElse(secrets)
            return .httpFailure(failure)
        case .contentTypeMismatch(let expected, let received, var reply):
            reply.secrets = reply.secrets.orElse(secrets)
            let clean = received.map { HTTPFailure.presentable($0, without: secrets) }
            return .contentTypeMismatch(expected: expected, received: clean, reply: reply)
        case .undecodable(let undecodable): return .undecodable(undecodable.without(secrets))
        case .undecodableLine(let line): return .undecodableLine(line.without(secrets))
        case .undecodableEvent(let line): return .undecodableEvent(line.without(secrets))
        case .failureEvent(var event):
            event.secrets = event.secrets.orElse(secrets)
            return .failureEvent(event)
        case .foreignPage(let url): return .foreignPage(secrets.removed(from: url))
        default: return self
        }
    }
}

extension TransportError {
    /// A server may have chosen the URL, by a redirect.
    fileprivate func without(_ secrets: RequestSecrets) -> TransportError {
        let clean = secrets.removed(from: url)
        guard clean != url else { return self }
        return TransportError(phase: phase, reason: reason, url: clean, underlying: underlying)
    }
}

extension APIBase {
    /// The secrets of the request that this object has sent last.
    package var sentSecrets: RequestSecrets {
        let account = account(in: CallScope.current?.accounts ?? Accounts())
        return RequestSecrets(
            of: lastAttempt.withLock { $0.request },
            secretHeaders: allSecretHeaders(of: account)
        )
    }
}

extension Call {
    /// The secrets of the request that was sent last.
    var sentSecrets: RequestSecrets { RequestSecrets(of: sentRequest, secretHeaders: secretHeaders) }
}
