import HTTPTransport

/// Brings the tokens of a source in one scope. It has the state that several refreshes share.
package protocol TokenSupply: Sendable {
    /// Gets a token. At most one call at a time is made for each place.
    func token(for need: TokenNeed) async throws -> Token

    /// Removes what is kept, so that no earlier token and no earlier refresh token is used again.
    func removeAll() async throws
}

/// An account at a server.
package struct TokenPlace: Hashable, Sendable {
    /// The server; `nil` for a request without a URL, which is refused later.
    package let origin: Origin?
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

    func removeAll() async throws {}
}
