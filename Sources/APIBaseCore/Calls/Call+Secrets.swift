import Basics
import HTTPTransport

extension Call {
    /// The secrets of all requests that the call has sent, and of the call whose response has named its URL. They are
    /// made for the first error.
    package var secrets: RequestSecrets {
        ownSecrets.and(context.locals[HeadRecorder.self]?.secretsOfNamer ?? .none)
    }

    /// The secrets of the requests that the call has sent.
    var ownSecrets: RequestSecrets { state.withLock { [secretHeaders] in $0.secrets(secretHeaders) } }
}

extension APIBase {
    /// The secrets of the call whose response is being delivered. If an operator has delivered it later, as on a queue:
    /// those of the request that this object has sent last.
    var deliveredSecrets: RequestSecrets {
        if let call = Delivery.runningCall { return call.secrets }
        let account = account(in: CallScope.current?.accounts ?? Accounts())
        let request = shared.withLock { $0.request }
        return RequestSecrets(of: request.map { [$0] } ?? [], secretHeaders: allSecretHeaders(of: account))
    }
}
