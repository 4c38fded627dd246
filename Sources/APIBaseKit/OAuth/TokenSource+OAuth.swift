import Basics

extension TokenSource {
    /// Where a token request carries the secret of the client (RFC 6749, section 2.3.1).
    public enum SecretPlace: Sendable, Hashable {
        /// An `Authorization: Basic` header, which every server accepts.
        case header
        /// The fields `client_id` and `client_secret` of the form, for servers that accept only these.
        case form
    }

    /// Tokens for a program by its client name and secret: client credentials (RFC 6749, section 4.4).
    ///
    /// For caches, sources with the same endpoint, client, scope and parameters are one user, also across processes.
    ///
    /// The token request always goes to `url`; ``APIBase/withBaseURL(_:isolation:_:)`` does not change it. For an
    /// endpoint that moves with the API, call a request class of that API in ``init(_:identity:within:refresh:)``. The
    /// request follows no redirect (RFC 9700, section 4.12), and times out after 30 seconds.
    ///
    /// - Parameters:
    ///   - url: The token endpoint.
    ///   - id: The name of the client.
    ///   - secret: Its secret.
    ///   - scope: The scope of the token; `nil` for the server's default.
    ///   - parameters: More fields of the form, such as `audience` or `resource` (RFC 8707). They replace other fields
    ///     of the same name.
    ///   - secretIn: Where the name and the secret are sent.
    ///   - session: The session for token requests; `nil` for the default session.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses or redirects, otherwise like any call.
    public static func clientCredentials(
        at url: URL,
        id: String,
        secret: String,
        scope: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        let client = OAuthClient(url: url, id: id, secret: secret, place: secretIn, more: parameters, session: session)
        // JSON, so that no two clients have the same text.
        let more = parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let caller = try? JSONEncoder().encode(["client credentials", url.absoluteString, id, scope] + more)
        return TokenSource(identity: caller.map { String(decoding: $0, as: UTF8.self) }) { _ in
            let fields = [("grant_type", "client_credentials")] + (scope.map { [("scope", $0)] } ?? [])
            return try await OAuthRequest(fields, of: client).value().token
        }
    }

    /// Tokens on behalf of a user, by a refresh token (RFC 6749, section 6).
    ///
    /// If the server returns a new refresh token, that one is used from then on; it is not stored. One request at a
    /// time uses it, even if the source has tokens for several servers. The token request always goes to `url`, follows
    /// no redirect, and times out after 30 seconds, as with
    /// ``clientCredentials(at:id:secret:scope:parameters:secretIn:session:)``.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - url: The token endpoint.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` for a public client, whose name is sent in the form.
    ///   - parameters: More fields of the form, such as `scope`. They replace other fields of the same name.
    ///   - secretIn: Where the name and the secret are sent, if there is a secret.
    ///   - session: The session for token requests; `nil` for the default session.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses or redirects, otherwise like any call.
    public static func refreshToken(
        _ token: String,
        at url: URL,
        id: String,
        secret: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        let client = OAuthClient(url: url, id: id, secret: secret, place: secretIn, more: parameters, session: session)
        return TokenSource(nil, within: .seconds(60)) {
            let current = RefreshToken(token)
            return { _ in try await current.use(by: client).token }
        }
    }
}

extension TokenSource {
    /// The error of a token endpoint that has refused a token (RFC 6749, section 5.2).
    public struct OAuthError: Error, LocalizedError, Sendable, Hashable {
        /// The code of the standard, such as `invalid_grant`; `redirect` for a redirect, which is not followed.
        public let code: String
        /// The server's explanation for developers.
        public let explanation: String?
        /// The status of the response.
        public let statusCode: Int

        /// The `Retry-After` of the response.
        let retryAfter: Duration?

        /// The code and the explanation, as a sentence.
        public var errorDescription: String? {
            "The token endpoint refuses with “\(code)” and status \(statusCode)\(explanation.map { ": \($0)" } ?? ".")"
                .withoutControls
        }
    }
}

extension TokenSource.OAuthError: RefusedRefresh {}

/// A refresh token, which the server may replace with each use.
private final class RefreshToken: Sendable {
    private struct State {
        var value: String
        /// The last request that uses it, running or ended.
        var last: Task<OAuthResponse, any Error>?
    }

    private let state: Locked<State>

    init(_ value: String) { state = Locked(State(value: value)) }

    /// Gets a new access token, after the earlier requests have ended.
    func use(by client: OAuthClient) async throws -> OAuthResponse {
        let isUnwanted = Locked(false)
        let use = state.withLock { state in
            let before = state.last
            // Canceling does not reach this task: once the server has seen the token, its replacement must not be lost.
            let use = Task {
                _ = await before?.result
                if isUnwanted.withLock({ $0 }) { throw CancellationError() }
                return try await self.request(by: client)
            }
            state.last = use
            return use
        }
        return try await withTaskCancellationHandler {
            try await use.value
        } onCancel: {
            isUnwanted.withLock { $0 = true }
        }
    }

    private func request(by client: OAuthClient) async throws -> OAuthResponse {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", state.withLock { $0.value })]
        let response = try await OAuthRequest(fields, of: client).value()
        if let next = response.refreshToken { state.withLock { $0.value = next } }
        return response
    }
}

/// The client of a token endpoint.
private struct OAuthClient: Sendable {
    let url: URL
    let id: String
    let secret: String?
    let place: TokenSource.SecretPlace
    /// Additional fields of the form. They replace other fields of the same name.
    let more: [String: String]
    let session: (any HTTPSession)?

    /// The header that identifies the client; `nil` if the form does.
    var authorization: Authorization? {
        guard let secret, place == .header else { return nil }
        return .basic(user: id.escapedForForm, password: secret.escapedForForm)
    }

    /// The form of a request: its fields, the client's name and secret, and ``more``.
    func form(_ fields: [(String, String)]) -> [(String, String)] {
        var fields = fields
        if authorization == nil { fields.append(("client_id", id)) }
        if place == .form, let secret { fields.append(("client_secret", secret)) }
        return fields.filter { more[$0.0] == nil } + more.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// A request to a token endpoint (RFC 6749, section 3.2).
private final class OAuthRequest: JSONAPI, Request {
    typealias ModelType = OAuthResponse

    private let secrets: [String]

    init(_ fields: [(String, String)], of client: OAuthClient) {
        secrets = fields.filter { $0.0 == "refresh_token" }.map(\.1) + [client.secret].compactMap(\.self)
        super.init(.post(client.url.absoluteString))
        if let session = client.session { self.session = session }
        authorization = client.authorization
        content = .form(client.form(fields))
        // A redirect would send the credentials in the body to another server.
        limits.redirects = 0
        timeout = .seconds(30)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    override func error(for failure: HTTPFailure) -> any Error {
        if 300..<400 ~= failure.statusCode {
            let explanation = "A token request follows no redirect. Use the URL that the endpoint itself has."
            return TokenSource.OAuthError(
                code: "redirect",
                explanation: explanation,
                statusCode: failure.statusCode,
                retryAfter: nil
            )
        }
        return refusal(in: failure.body, statusCode: failure.statusCode, RetryAfter.wait(asked: failure))
            ?? super.error(for: failure)
    }

    /// Some servers refuse with status 200.
    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        if let refusal = refusal(in: data, statusCode: 200) { throw refusal }
        return try super.decode(type, from: data)
    }

    /// The text without the request's secrets and values of secret names.
    private func withoutSecrets(_ text: String) -> String {
        let own = secrets.filter { !$0.isEmpty }
        return HTTPFailure.withoutSecrets(
            own.reduce(text) { $0.replacingOccurrences(of: $1, with: RedactionRules.marker) }
        )
    }

    /// The error in a response; `nil` if it holds none.
    private func refusal(in data: Data, statusCode: Int, _ retryAfter: Duration? = nil) -> TokenSource.OAuthError? {
        struct Refusal: Decodable {
            var error: String
            var errorDescription: String?
        }
        guard let refusal = try? decoder.decode(Refusal.self, from: data) else { return nil }
        return TokenSource.OAuthError(
            code: refusal.error,
            explanation: refusal.errorDescription.map(withoutSecrets),
            statusCode: statusCode,
            retryAfter: retryAfter
        )
    }
}

/// The response of a token endpoint (RFC 6749, section 5.1).
private struct OAuthResponse: Decodable {
    var accessToken: String
    var expiresIn: Seconds?
    var refreshToken: String?

    var token: Token { Token(accessToken, expiresAt: expiresIn?.value.map { Date(timeIntervalSinceNow: $0) }) }

    /// A number. Some servers write it as text.
    struct Seconds: Decodable {
        var value: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Double.self)) ?? Double(container.decode(String.self))
        }
    }
}

/// The former name of ``TokenSource/OAuthError``.
@available(*, deprecated, renamed: "TokenSource.OAuthError")
public typealias OAuthError = TokenSource.OAuthError
