extension TokenSource {
    /// Creates a source whose tokens outlive the process.
    ///
    /// Before a refresh, and again while no other process refreshes, the source looks whether the store has a token
    /// that it can use. A new token is stored before it is used; if that fails, the calls fail, and it is stored before
    /// the next refresh. The refreshes of a source follow each other. A store has the tokens of one user: for accounts
    /// of other users, create a source and a store for each. It is used as it is in scopes of stubs and recordings too,
    /// so give tests a ``MemoryTokenStore``.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - identity: The owner of the tokens, for caches: see ``init(_:identity:servers:within:refresh:)``.
    ///   - servers: The names of the servers that share the token, and that alone get it: see ``TokenSource``. `nil`
    ///     for the server for which the token was stored.
    ///   - limit: The longest time that waiting calls wait for one refresh.
    ///   - refresh: Gets a new token, given the stored one, which has expired, was refused, cannot be sent, or belongs
    ///     to another server. Canceling the calls does not cancel it, so that a replaced refresh token is not lost; it
    ///     should end by itself. If it throws, or its token cannot be sent (see ``Token/value``), the store stays as it
    ///     is.
    public convenience init(
        store: any TokenStore,
        identity: String? = nil,
        servers: [String]? = nil,
        within limit: Duration = .seconds(60),
        refresh: @escaping @Sendable (StoredToken?) async throws -> StoredToken
    ) {
        self.init(
            identity: identity,
            servers: servers,
            within: limit,
            making: {
                StoredTokens(store) { old, _ in try await uncanceled { try await refresh(old) } }
            }
        )
    }
}
