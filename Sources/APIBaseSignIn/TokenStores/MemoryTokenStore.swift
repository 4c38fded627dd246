import Basics

/// A token in memory: for tests, and for programs that sign in at each start.
///
/// ```swift
/// let store = MemoryTokenStore(StoredToken("old", expiresAt: .distantPast, refreshToken: "r1"))
/// ```
public final class MemoryTokenStore: TokenStore {
    private let state: Locked<StoredToken?>

    /// Creates a store with a token, or an empty one.
    public init(_ token: StoredToken? = nil) { state = Locked(token) }

    /// The token that is stored now.
    public var token: StoredToken? { state.withLock { $0 } }

    /// The token that is stored now. Never throws.
    public func load() async throws -> StoredToken? { token }

    /// Stores a token if the present one is still `old`.
    public func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
        try state.withLock { state in
            let kept = try new.winner(over: old, where: state)
            state = kept
            return kept
        }
    }

    /// Removes the token. Never throws.
    public func removeAll() async throws { state.withLock { $0 = nil } }
}

extension StoredToken {
    /// The token to keep: this one if the present one is still `old`, otherwise the present one.
    ///
    /// - Throws: `CancellationError` if the token has been removed meanwhile: a logout must not be undone.
    func winner(over old: StoredToken?, where present: StoredToken?) throws -> StoredToken {
        if present == old { return self }
        guard let present else { throw CancellationError() }
        return present
    }
}
