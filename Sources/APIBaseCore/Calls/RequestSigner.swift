import HTTPTransport

/// A scheme of the kit that adds credentials to the attempts of a call, each for its own request.
package protocol RequestSigner: AnyObject, Sendable {
    /// The response to an attempt that carries the credentials.
    func reply(to attempt: Attempt, in call: Call, next: NextStep) throws -> PendingResponse

    /// The request with the credentials for what it has become: another in place of it, or the next after a redirect.
    /// Without a body, it has that of the request object.
    func signedAnew(_ request: URLRequest, with body: HTTPBody?, in call: Call) -> URLRequest
}

extension Call {
    /// A request that follows another, such as a redirect, with credentials of its own if they depend on the request.
    func signedAnew(_ request: URLRequest, with body: HTTPBody) -> URLRequest {
        guard let signer = settings.authorization?.owner as? any RequestSigner else { return request }
        return signer.signedAnew(request, with: body, in: self)
    }
}
