/// A place for the tokens of one user that outlive the process: see ``FileTokenStore`` and ``MemoryTokenStore``.
///
/// A source loads the token before it refreshes, and stores each new one before it uses it. An error of the store fails
/// the calls that wait for the token. Implement it over a keychain or a database; all methods may be called at any time.
public protocol TokenStore: Sendable {
    /// The token that was stored last; `nil` if there is none.
    func load() async throws -> StoredToken?

    /// Stores a token if the present one is still `old`: compare and swap.
    ///
    /// - Parameters:
    ///   - old: What ``load()`` has returned.
    ///   - new: The token that replaces it.
    /// - Returns: The token that is stored now: `new`, or the one that another process has stored meanwhile.
    /// - Throws: `CancellationError` if the store has been emptied meanwhile; any error if it cannot store the token.
    func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken

    /// Runs `body` while no one else does so with the same tokens, in this process or another.
    ///
    /// A refresh runs in it, so that a refresh token is used once. It calls the store's other methods. By default,
    /// `body` is only run; then two processes may refresh at the same time, and a server that detects the reuse of
    /// refresh tokens signs the user out.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    func exclusively<R>(_ body: () async throws -> R) async throws -> R

    /// Removes the token: see ``TokenSource/removeAll()``. It is no error if there is none.
    func removeAll() async throws
}

extension TokenStore {
    /// Only runs `body`.
    public func exclusively<R>(_ body: () async throws -> R) async throws -> R { try await body() }
}
