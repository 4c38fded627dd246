import Basics

extension TokenSource {
    /// Tokens for a program by its client name and secret: client credentials (RFC 6749, section 4.4).
    ///
    /// For caches, sources with the same endpoint, client, scope and parameters are one user, also across processes.
    ///
    /// The token request always goes to `url`; ``APIBase/withBaseURL(_:isolation:_:)`` does not change it. For an
    /// endpoint that moves with the API, call a request class of that API in ``init(_:identity:servers:within:refresh:)``. The
    /// request follows no redirect (RFC 9700, section 4.12), and times out after 30 seconds.
    ///
    /// - Parameters:
    ///   - url: The token endpoint.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` with ``SecretPlace/assertion(_:)``.
    ///   - scope: The scope of the token; `nil` for the server's default.
    ///   - parameters: More fields of the form, such as `audience` or `resource` (RFC 8707). They replace other fields
    ///     of the same name.
    ///   - secretIn: How the client proves its name.
    ///   - store: A place for the token that outlives the process; `nil` for this process only.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for a token for each server.
    ///   - session: The session for token requests; `nil` for the default session.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses or redirects, otherwise like any call.
    public static func clientCredentials(
        at url: URL,
        id: String,
        secret: String? = nil,
        scope: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        store: (any TokenStore)? = nil,
        servers: [String]? = nil,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        let client = OAuthClient(url: url, id: id, secret: secret, place: secretIn, more: parameters, session: session)
        // JSON, so that no two clients have the same text.
        let more = parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let caller = try? JSONEncoder().encode(["client credentials", url.absoluteString, id, scope] + more)
        let identity = caller.map { String(decoding: $0, as: UTF8.self) }
        let fields = [("grant_type", "client_credentials")] + (scope.map { [("scope", $0)] } ?? [])
        if let store {
            return TokenSource(store: store, identity: identity, servers: servers) { _ in
                try await client.token(fields)
            }
        }
        return TokenSource(identity: identity, servers: servers) { _ in
            let token = try await client.token(fields)
            return Token(token.value, expiresAt: token.expiresAt)
        }
    }

    /// Tokens on behalf of a user, by a refresh token (RFC 6749, section 6).
    ///
    /// If the server returns a new refresh token, that one is used from then on, and is stored in `store` before it is
    /// used. One request at a time uses it, even if the source has tokens for several servers. The token request always
    /// goes to `url`, follows no redirect, and times out after 30 seconds, as with
    /// ``clientCredentials(at:id:secret:scope:parameters:secretIn:store:servers:session:)``.
    ///
    /// - Parameters:
    ///   - token: The first refresh token; empty if there is none but in `store`. It is not used if `store` has a token,
    ///     nor after ``removeAll()``.
    ///   - url: The token endpoint.
    ///   - revokeAt: The revocation endpoint for ``signOut()``; `nil` if the server has none.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` for a public client, whose name is sent in the form.
    ///   - parameters: More fields of the form, such as `scope`. They replace other fields of the same name.
    ///   - secretIn: How the client proves its name, if there is a secret or an assertion.
    ///   - identity: The owner of the tokens, for caches: see ``init(_:identity:servers:within:refresh:)``.
    ///   - store: A place for the tokens that outlives the process; `nil` for this process only.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for a token for each server.
    ///   - session: The session for token requests; `nil` for the default session.
    /// - Returns: A source that fails with ``OAuthError`` if the server refuses or redirects, ``SignInError/signedOut``
    ///   if there is no refresh token, otherwise like any call.
    public static func refreshToken(
        _ token: String,
        at url: URL,
        revokeAt: URL? = nil,
        id: String,
        secret: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        identity: String? = nil,
        store: (any TokenStore)? = nil,
        servers: [String]? = nil,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        let client = OAuthClient(url: url, id: id, secret: secret, place: secretIn, more: parameters, session: session)
        return TokenSource(
            identity: identity,
            servers: servers,
            within: .seconds(60),
            making: {
                StoredTokens(
                    store ?? MemoryTokenStore(),
                    needsOld: true,
                    revoke: client.revocation(at: revokeAt)
                ) { old, isFirst in
                    let current = old?.refreshToken ?? (isFirst ? token : "")
                    guard !current.isEmpty else { throw SignInError.signedOut }
                    return try await client.token(refreshing: current)
                }
            }
        )
    }

    /// The tokens of a user who has signed in before, as by a `login` command: they are renewed by the stored refresh
    /// token, and nobody is asked.
    ///
    /// - Parameters:
    ///   - store: The place of the tokens.
    ///   - tokenAt: The token endpoint. Its requests follow no redirect, and time out after 30 seconds.
    ///   - revokeAt: The revocation endpoint for ``signOut()``; `nil` if the server has none.
    ///   - id: The name of the client that has signed in.
    ///   - secret: Its secret; `nil` for a public client, whose name is sent in the form.
    ///   - parameters: More fields of the form, such as `scope`. They replace other fields of the same name.
    ///   - secretIn: How the client proves its name, if there is a secret or an assertion.
    ///   - identity: The owner of the tokens, for caches: see ``init(_:identity:servers:within:refresh:)``.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for the server for which the token was stored.
    ///   - session: The session for token requests; `nil` for the default session.
    /// - Returns: A source that fails with ``SignInError/signedOut`` if nothing is stored, or a token that has expired
    ///   and cannot be renewed, with ``OAuthError`` if the server refuses to renew it (`invalid_grant` if the user has
    ///   to sign in again), otherwise like any call.
    public static func stored(
        in store: any TokenStore,
        tokenAt: URL,
        revokeAt: URL? = nil,
        id: String,
        secret: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        identity: String? = nil,
        servers: [String]? = nil,
        session: (any HTTPSession)? = nil
    ) -> TokenSource {
        refreshToken(
            "",
            at: tokenAt,
            revokeAt: revokeAt,
            id: id,
            secret: secret,
            parameters: parameters,
            secretIn: secretIn,
            identity: identity,
            store: store,
            servers: servers,
            session: session
        )
    }
}
