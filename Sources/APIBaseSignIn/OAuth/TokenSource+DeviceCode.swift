extension TokenSource {
    /// Tokens on behalf of a user who signs in on another device: the device code (RFC 8628), for commands, televisions
    /// and machines without a browser.
    ///
    /// `show` is given a code and the URL of a page. The user enters the code there, while the kit asks the server at
    /// the interval that it names, 5 seconds by default, until the user has decided or the code expires; for the last
    /// time a second before that, or less if the interval is below two seconds. The waits are on the clock of the scope
    /// (``CallScope/sleep(for:)``), so they take no time with stubs. After a network failure the interval is doubled.
    /// Later tokens come by the refresh token, as with
    /// ``authorizationCode(authorizeAt:tokenAt:revokeAt:id:secret:redirect:scope:issuer:parameters:secretIn:store:servers:session:open:)``.
    ///
    /// - Parameters:
    ///   - authorizeAt: The device authorization endpoint.
    ///   - tokenAt: The token endpoint. Requests follow no redirect, and time out after 30 seconds.
    ///   - revokeAt: The revocation endpoint for ``signOut()``; `nil` if the server has none.
    ///   - id: The name of the client.
    ///   - secret: Its secret; `nil` for a public client, whose name is sent in the form.
    ///   - scope: The scope of the token; `nil` for the server's default.
    ///   - parameters: More fields for the device authorization endpoint. `resource` (RFC 8707) is sent to the token
    ///     endpoint as well. They replace other fields of the same name.
    ///   - secretIn: How the client proves its name, if there is a secret or an assertion.
    ///   - store: A place for the tokens that outlives the process; `nil` for this process only.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for a token for each server.
    ///   - session: The session for requests; `nil` for the default session.
    ///   - show: Shows the code to the user. The kit asks the server when it has returned.
    /// - Returns: A source that fails with ``SignInError/denied(code:explanation:)`` if the user refuses,
    ///   ``SignInError/expired`` if the code expires, ``OAuthError`` if an endpoint refuses or redirects, the error of
    ///   `show`, otherwise like any call.
    public static func deviceCode(
        authorizeAt: URL,
        tokenAt: URL,
        revokeAt: URL? = nil,
        id: String,
        secret: String? = nil,
        scope: String? = nil,
        parameters: [String: String] = [:],
        secretIn: SecretPlace = .header,
        store: (any TokenStore)? = nil,
        servers: [String]? = nil,
        session: (any HTTPSession)? = nil,
        show: @escaping @Sendable (DeviceCode) async throws -> Void
    ) -> TokenSource {
        let client = OAuthClient.signIn(at: tokenAt, id, secret, secretIn, parameters, session)
        var first = client
        first.more = parameters
        return signIn(with: client, revokeAt, store, servers) { [first] in
            let fields = scope.map { [("scope", $0)] } ?? []
            let device = try await first.post(fields, to: authorizeAt, DeviceAuthorization.self)
            try await show(device.code())
            return try await device.token(by: client)
        }
    }

    /// The code with which a user confirms a device, and where (RFC 8628, section 3.2).
    public struct DeviceCode: Sendable, Hashable {
        /// The code that the user enters, without control characters.
        public let userCode: String
        /// The page on which the user enters it.
        public let page: URL
        /// The page with the code in its URL, such as for a QR code (section 3.3.1). Show the code nevertheless, so
        /// that the user can compare it. `nil` if the server sends none.
        public let completePage: URL?
        /// The time for which the code is valid, from the answer of the server on; `nil` if the server does not say.
        public let lifetime: Duration?
    }
}
