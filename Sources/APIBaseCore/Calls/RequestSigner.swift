import HTTPTransport

/// A scheme that adds credentials to the attempts of a call, each for its own request.
package protocol RequestSigner: AuthenticationScheme {
    /// The response to an attempt that carries the credentials.
    func reply(to attempt: Attempt, in call: Call, next: NextStep) throws -> PendingResponse

    /// The request with the credentials for what it has become: another in place of it, or the next after a redirect.
    ///
    /// - Parameter body: The body; `nil` for that of the request object.
    func signedAnew(_ request: URLRequest, with body: HTTPBody?, in call: Call) -> URLRequest
}

extension Authorization {
    /// The scheme whose credentials depend on the request; `nil` for other credentials.
    var signer: (any RequestSigner)? {
        guard case .scheme(let identity) = kind else { return nil }
        return identity.scheme as? any RequestSigner
    }
}

extension Call {
    /// A request that follows another, such as a redirect, with credentials of its own if they depend on the request.
    func signedAnew(_ request: URLRequest, with body: HTTPBody) -> URLRequest {
        authorization?.signer?.signedAnew(request, with: body, in: self) ?? request
    }
}
