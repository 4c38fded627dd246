import Basics

/// The response of a device authorization endpoint (RFC 8628, section 3.2).
struct DeviceAuthorization: Decodable, Sendable {
    private let deviceCode: String
    private let userCode: String
    private let verificationUri: String?
    /// The name that some servers use.
    private let verificationUrl: String?
    private let verificationUriComplete: JSONValue?
    private let expiresIn: Seconds
    private let interval: Seconds?

    /// The facts that the user has to know.
    ///
    /// - Throws: ``TokenSource/SignInError/invalidVerificationURL`` without a page of the web.
    func code() throws -> TokenSource.DeviceCode {
        guard let page = Self.page(verificationUri ?? verificationUrl) else {
            throw TokenSource.SignInError.invalidVerificationURL
        }
        return TokenSource.DeviceCode(
            userCode: userCode.withoutControls,
            page: page,
            completePage: Self.page(verificationUriComplete?.string),
            lifetime: expiresIn.lifetime.map { .seconds($0) }
        )
    }

    /// The URL of a page; `nil` for another scheme, which would do something else.
    private static func page(_ text: String?) -> URL? {
        guard let url = text.flatMap({ URL(string: $0) }), url.host != nil,
            ["https", "http"].contains(url.scheme?.lowercasedASCII())
        else { return nil }
        return url
    }

    /// Asks for the token until the user has decided (RFC 8628, section 3.4 and 3.5), the last time just before the
    /// code ends. If it is not known when, the server says so, within the hour of a sign-in.
    func token(by client: OAuthClient) async throws -> StoredToken {
        var interval = Duration.seconds(max(1, self.interval?.value ?? 5))
        var rest = Duration.seconds(expiresIn.lifetime ?? 3_600)
        let clock = CallScope.current?.makeClock() ?? WallClock.shared
        var isLast = false
        while !isLast {
            let margin = min(.seconds(1), interval / 2, rest / 2)
            // After another wait of the interval, there would be no room for a whole one.
            isLast = rest < interval * 2 + margin
            let wait = isLast ? rest - margin : interval
            try await CallScope.sleep(for: wait)
            rest -= wait
            let start = clock.now
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
            } catch let error where error.isTransient {
                interval *= 2
            }
            rest -= clock.now - start
        }
        throw TokenSource.SignInError.expired
    }
}
