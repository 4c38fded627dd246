import Basics
import HTTPTransport

/// Brings the tokens of a source in one scope. It has the state that several refreshes share.
package protocol TokenSupply: Sendable {
    /// Gets a token. At most one call at a time is made for each place.
    func token(for need: TokenNeed) async throws -> Token

    /// Gets a token as if there were none, for the servers that the source names, or for the first that is called.
    ///
    /// - Returns: The token, if the supply does not keep it.
    func signIn(for servers: TokenServers?, offset: Duration) async throws -> Token?

    /// Removes what is kept, so that no earlier token and no earlier refresh token is used again. If `revoking` is true
    /// and the supply can do it, the server is told then.
    func removeAll(revoking: Bool) async throws
}

/// An account at the servers that share a token.
package struct TokenPlace: Hashable, Sendable {
    package let servers: TokenServers
    let account: AccountIdentity?
}

/// A refresh that calls wait for.
package struct TokenNeed: Sendable {
    /// The token that has expired or was refused.
    package let old: Token?
    package let place: TokenPlace
    /// The time by which the clock of the call is ahead of the system's.
    package let offset: Duration
}

/// Tokens from a closure, which keeps what it needs by itself.
struct ClosureSupply: TokenSupply {
    let refresh: @Sendable (_ old: Token?) async throws -> Token

    func token(for need: TokenNeed) async throws -> Token { try await refresh(need.old) }

    func signIn(for servers: TokenServers?, offset: Duration) async throws -> Token? {
        let token = try await refresh(nil)
        try token.value.checkAsToken()
        return Token(token.value, expiresAt: token.expiresAt.map { $0 + offset.inSeconds })
    }

    func removeAll(revoking: Bool) async throws {}
}
