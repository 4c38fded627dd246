extension TokenSource {
    /// Tokens on behalf of a user who signs in with a browser: the authorization code (RFC 6749, section 4.1) with a
    /// proof key (RFC 7636).
    ///
    /// The kit opens no browser: `open` is given the URL for the user, and returns the URL to which the server has sent
    /// the user back. Later tokens come by the refresh token. If there is none, or the server answers it with
    /// `invalid_grant`, the user is asked again. One `open` runs at a time, also among processes that share a
    /// ``FileTokenStore``. When no call waits any more, its task is canceled; otherwise it may take an hour.
    ///
    /// - Parameters:
    ///   - authorizeAt: The authorization endpoint.
    ///   - tokenAt: The token endpoint. Its requests follow no redirect, and time out after 30 seconds.
    ///   - revokeAt: The revocation endpoint for ``signOut()``; `nil` if the server has none.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` for a public client, such as an app, whose name is sent in the form.
    ///   - redirect: The redirect URL. The callback must have its scheme, host, port and path.
    ///   - scope: The scope of the token; `nil` for the server's default.
    ///   - issuer: The identifier of the server, which the callback must name in `iss` (RFC 9207). Set it if the server
    ///     sends `iss`, above all if the program signs in at several servers. `nil` compares nothing.
    ///   - parameters: More parameters of the authorization request, such as `prompt` or `audience`. `resource` (RFC
    ///     8707) is sent to the token endpoint as well. Those that the kit sets itself are ignored.
    ///   - secretIn: How the client proves its name, if there is a secret or an assertion.
    ///   - store: A place for the tokens that outlives the process; `nil` for this process only.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for a token for each server.
    ///   - session: The session for token requests; `nil` for the default session.
    ///   - open: Shows the URL to the user, and returns the URL of the callback. It should end when its task is
    ///     canceled. See ``LoopbackReceiver`` for commands.
    /// - Returns: A source that fails with ``SignInError`` if the callback has no code, with ``OAuthError`` if the token
    ///   endpoint refuses or redirects, with the error of `open`, otherwise like any call.
    public static func authorizationCode(
        authorizeAt: URL,
        tokenAt: URL,
        revokeAt: URL? = nil,
        id: String,
        secret: String? = nil,
        redirect: URL,
        scope: String? = nil,
        issuer: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        store: (any TokenStore)? = nil,
        servers: [String]? = nil,
        session: (any HTTPSession)? = nil,
        open: @escaping @Sendable (URL) async throws -> URL
    ) -> TokenSource {
        let client = OAuthClient.signIn(at: tokenAt, id, secret, secretIn, parameters, session)
        return signIn(with: client, revokeAt, store, servers) {
            let request = AuthorizationRequest(redirect: redirect, issuer: issuer, clientSecret: secret)
            let url = try request.url(at: authorizeAt, id: id, scope: scope, parameters: parameters)
            let code = try request.code(in: try await open(url))
            return try await uncanceled {
                try await client.token([
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect.absoluteString),
                    ("code_verifier", request.secrets.verifier),
                ])
            }
        }
    }

    /// A source that uses refresh tokens as long as the server accepts them, and otherwise lets the user sign in.
    static func signIn(
        with client: OAuthClient,
        _ revokeAt: URL?,
        _ store: (any TokenStore)?,
        _ servers: [String]?,
        _ signIn: @escaping @Sendable () async throws -> StoredToken
    ) -> TokenSource {
        // A user may take long.
        TokenSource(
            servers: servers,
            within: .seconds(3_600),
            making: {
                StoredTokens(store ?? MemoryTokenStore(), revoke: client.revocation(at: revokeAt)) { old, _ in
                    try await client.token(replacing: old, orBy: signIn)
                }
            }
        )
    }
}
