import Basics

extension TokenSource {
    /// Signs in now, also if there is a token, and keeps the new one, in the source's ``TokenStore`` too.
    ///
    /// | source | what it does |
    /// |---|---|
    /// | `authorizationCode`, `deviceCode` | asks the user, and does not use the refresh token |
    /// | `refreshToken`, `stored` | asks nobody, and renews the token, or fails with ``SignInError/signedOut`` |
    /// | `clientCredentials` | asks nobody, and gets a new token |
    /// | an own `refresh` | calls it without an old token |
    ///
    /// The token belongs to the servers that the source names, or else to the server and the account of the first call
    /// after it. The source's tokens in memory are no longer used. A refresh that is running ends first, if there is a
    /// store; calls that need a token meanwhile wait for the sign-in. Sign-ins follow each other, also among processes
    /// that share a ``FileTokenStore``. In a scope of stubs, the tokens are those of that scope.
    ///
    /// - Throws: The errors of the source and of its store, `CancellationError` if the task is canceled. The former
    ///   tokens stay then.
    public func signIn() async throws {
        let (servers, scope) = (try servers?.get(), CallScope.here)
        var locals = CallLocals.here
        locals[RefreshedSources.self].insert(RefreshedSource(of: self, for: .all))
        locals[IsAwaitedByCalls.self] = true
        try await locals.run {
            try await refreshers.value(for: scope.standInOwner)
                .signIn(for: servers, on: scope.makeClock() ?? WallClock.shared)
        }
    }

    /// Signs out: removes all tokens of the source, as ``removeAll()`` does, and then revokes those that it has stored,
    /// also in memory only, at its `revokeAt` (RFC 7009). Without `revokeAt`, no server is told.
    ///
    /// The refresh token is revoked first, by which most servers end its access tokens as well, then the access token,
    /// unless the server does not revoke such tokens. The requests follow no redirect, and time out after 30 seconds. If
    /// there is a store, a running ``signIn()`` ends before.
    ///
    /// - Throws: The error of the store; the tokens are revoked nevertheless, if it has given them. ``OAuthError`` if
    ///   the server refuses, otherwise like any call; the tokens are removed nevertheless.
    public func signOut() async throws {
        try await refreshers.value(for: CallScope.here.standInOwner).removeAll(revoking: true)
    }

    /// Removes all tokens of the source, also from its ``TokenStore``, and tells no server.
    ///
    /// Waiting calls and a running refresh fail with `CancellationError`. Later calls sign in again, or fail with
    /// ``SignInError/signedOut`` if the source cannot. Requests that already carry a token go on. In a scope of stubs,
    /// the tokens of that scope are removed.
    ///
    /// - Throws: The error of the store. Then this source has no tokens any more, but the store may.
    public func removeAll() async throws {
        try await refreshers.value(for: CallScope.here.standInOwner).removeAll(revoking: false)
    }
}
