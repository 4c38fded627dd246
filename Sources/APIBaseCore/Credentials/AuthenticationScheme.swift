import HTTPTransport

/// A way to authenticate whose credentials depend on the request, such as signatures.
package protocol AuthenticationScheme: AnyObject, Sendable {
    /// The response to an attempt that carries the credentials.
    func reply(to attempt: Attempt, in call: Call, next: NextStep) throws -> PendingResponse

    /// The request with the credentials for what it has become: another in place of it, or the next after a redirect.
    ///
    /// - Parameter body: The body; `nil` for that of the request object.
    func signedAnew(_ request: URLRequest, with body: HTTPBody?, in call: Call) -> URLRequest
}

/// A scheme that is compared by identity.
package struct SchemeIdentity: Hashable, Sendable {
    let scheme: any AuthenticationScheme

    package static func == (left: SchemeIdentity, right: SchemeIdentity) -> Bool { left.scheme === right.scheme }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(scheme)) }
}

extension Call {
    /// A request that follows another, such as a redirect, with credentials of its own if they depend on the request.
    func signedAnew(_ request: URLRequest, with body: HTTPBody) -> URLRequest {
        guard case .scheme(let identity) = authorization?.kind else { return request }
        return identity.scheme.signedAnew(request, with: body, in: self)
    }
}

extension Authorization {
    package init(_ scheme: any AuthenticationScheme) { self.init(kind: .scheme(SchemeIdentity(scheme: scheme))) }

    package init(_ problem: TransportError.InvalidRequest) { self.init(kind: .invalid(problem)) }
}
