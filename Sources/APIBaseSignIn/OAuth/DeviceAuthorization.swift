import Basics

/// The response of a device authorization endpoint (RFC 8628, section 3.2).
struct DeviceAuthorization: Decodable, Sendable {
    private let deviceCode: String
    let userCode: String
    private let verificationUri: String?
    /// The name that some servers use.
    private let verificationUrl: String?
    private let expiresIn: Seconds
    private let interval: Seconds?

    /// The page for the user.
    ///
    /// - Throws: ``TokenSource/SignInError/invalidVerificationURL`` for another scheme, which would do something else.
    func page() throws -> URL {
        guard let url = (verificationUri ?? verificationUrl).flatMap({ URL(string: $0) }), url.host != nil,
            ["https", "http"].contains(url.scheme?.lowercasedASCII())
        else { throw TokenSource.SignInError.invalidVerificationURL }
        return url
    }

    /// Asks for the token until the user has decided (RFC 8628, section 3.4 and 3.5).
    func token(by client: OAuthClient) async throws -> StoredToken {
        var interval = Duration.seconds(max(1, self.interval?.value ?? 5))
        var rest = Duration.seconds(expiresIn.value ?? 0)
        while interval <= rest {
            try await CallScope.sleep(for: interval)
            rest -= interval
            let start = ContinuousClock.now
            do {
                return try await uncanceled {
                    try await client.token([
                        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", deviceCode),
                    ])
                }
            } catch let error as TokenSource.OAuthError {
                switch error.code {
                case "authorization_pending": break
                case "slow_down": interval += .seconds(5)
                case "temporarily_unavailable", "server_error": interval = max(interval * 2, error.retryAfter ?? .zero)
                case "expired_token": throw TokenSource.SignInError.expired
                case "access_denied":
                    throw TokenSource.SignInError.denied(code: error.code, explanation: error.explanation)
                default: throw error
                }
            } catch RequestError.httpFailure(let failure) where failure.statusCode == 429 || failure.statusCode >= 500 {
                interval = max(interval * 2, failure.retryAfter ?? .zero)
            } catch  where error.isTransient {
                interval *= 2
            }
            rest -= start.duration(to: .now)
        }
        throw TokenSource.SignInError.expired
    }
}
