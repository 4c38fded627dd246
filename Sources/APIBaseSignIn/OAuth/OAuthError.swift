extension TokenSource {
    /// The error of an authorization server that has refused a token, or to revoke one (RFC 6749, section 5.2).
    public struct OAuthError: Error, LocalizedError, Sendable, Hashable {
        /// The code of the standard, such as `invalid_grant`; `redirect` for a redirect, which is not followed.
        public let code: String
        /// The server's explanation for developers, up to 1,000 characters, without the secrets of the request; `nil` if there is none, or if it
        /// has eight bytes in a row of a secret, also percent-encoded, as base64 or in another spelling.
        public let explanation: String?
        /// The status of the response.
        public let statusCode: Int

        /// The `Retry-After` of the response.
        package let retryAfter: Duration?

        /// The code and the explanation, as a sentence.
        public var errorDescription: String? {
            "The authorization server refuses with “\(code)” and status \(statusCode)\(explanation.map { ": \($0)" } ?? ".")"
                .withoutControls
        }
    }
}

extension TokenSource.OAuthError: RefusedRefresh {}
