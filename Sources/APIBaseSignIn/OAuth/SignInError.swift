extension TokenSource {
    /// The reason why a user is not signed in. Calls that fail with it are not tried again by ``APIBase/retry``.
    public enum SignInError: Error, Sendable, Hashable {
        /// The user or the server refuses: `access_denied` and other codes (RFC 6749, section 4.1.2.1; RFC 8628,
        /// section 3.5), with the server's explanation for developers.
        case denied(code: String, explanation: String?)
        /// The user has not confirmed the device before its code expired (RFC 8628, section 3.5).
        case expired
        /// A ``LoopbackReceiver`` has got no callback within this time: the user has not finished in the browser, or
        /// has not seen the URL. `refusal` is the code of the last request that came with an `error` and without the
        /// `state`: the server may have refused so, or any page may have sent it. It is `nil` if there was none.
        case noCallback(within: Duration, refusal: String? = nil)
        /// The callback is not at the redirect URL.
        case notAtRedirect
        /// The callback has this parameter more than once (RFC 6749, section 3.1).
        case repeatedParameter(String)
        /// The callback does not belong to this sign-in: its `state` is missing or another (RFC 6749, section 10.12).
        case stateMismatch
        /// The callback or the metadata is of another server than expected (RFC 9207, section 2.4; RFC 8414, section
        /// 3.3); `found` is `nil` if none is named.
        case issuerMismatch(expected: String, found: String?)
        /// The callback has no `code`.
        case missingCode
        /// The server sends the user to a URL that is not one of a web page.
        case invalidVerificationURL
        /// The metadata of the server name an endpoint that is not one of `https`, or has a user name or a fragment, see
        /// ``TokenSource/authorizationServer(at:session:)``.
        case invalidEndpoint(URL)
        /// There is no refresh token, as after ``TokenSource/signOut()`` or with nothing stored, and no way to get one.
        case signedOut
    }
}

extension TokenSource.SignInError: LocalizedError {
    /// The reason as a sentence.
    public var errorDescription: String? {
        switch self {
        case .denied(let code, let explanation):
            "The sign-in is refused with “\(code)”\(explanation.map { ": \($0)" } ?? ".")".withoutControls
        case .expired: "The code of the device has expired before the user has confirmed it."
        case .noCallback(let limit, let refusal):
            "No callback has come within \(limit): the sign-in in the browser was not finished, or not begun."
                + (refusal.map { " A request without its state says “\($0)”." } ?? "")
        case .notAtRedirect: "The callback is not at the redirect URL."
        case .repeatedParameter(let name): "The callback has the parameter “\(name)” more than once."
        case .stateMismatch: "The callback does not belong to this sign-in: its state differs."
        case .issuerMismatch(let expected, let found?):
            "The server “\(found)” has answered in place of “\(expected)”.".withoutControls
        case .issuerMismatch(let expected, nil): "The answer does not name its server, which should be “\(expected)”."
        case .missingCode: "The callback has no code."
        case .invalidVerificationURL: "The server names no web page at which the user can confirm the device."
        case .invalidEndpoint(let url):
            "The server names an endpoint that is not safe: \(url.redacted?.absoluteString ?? "")".withoutControls
        case .signedOut: "There is no refresh token: the user has to sign in again."
        }
    }
}
