import Basics

/// Tokens from a store. A refresh replaces what is stored there.
///
/// Refreshes of all places follow each other, and no refresh token is used after it was replaced.
final class StoredTokens: TokenSupply {
    typealias Renewal = @Sendable (_ old: StoredToken?, _ isFirst: Bool) async throws -> StoredToken

    private struct State {
        /// The token that was handed out last, which no other place gets, even at the same server.
        var value: String?
        var place: TokenPlace?
        /// A new token that could not be stored, and the one that it replaces.
        var unsaved: (old: StoredToken?, new: StoredToken)?
        /// Whether there has never been a token here, and none was removed.
        var isFirst = true
    }

    private let store: any TokenStore
    private let renew: Renewal
    private let turns = Turns()
    private let state = Locked(State())

    init(_ store: any TokenStore, renew: @escaping Renewal) {
        (self.store, self.renew) = (store, renew)
    }

    func token(for need: TokenNeed) async throws -> Token {
        try await turns.run {
            if let stored = try await self.store.load(), let token = self.handOut(stored, for: need) { return token }
            return try await self.store.exclusively { try await self.refreshed(for: need) }
        }
    }

    func removeAll() async throws {
        try await turns.run {
            self.state.withLock { ($0.unsaved, $0.isFirst) = (nil, false) }
            try await self.store.exclusively { try await self.store.removeAll() }
        }
    }

    /// A new token. It runs alone, also among processes if the store can do that.
    private func refreshed(for need: TokenNeed) async throws -> Token {
        try await saveUnsaved()
        let old = try await store.load()
        // Another process may have refreshed it meanwhile.
        if let old, let token = handOut(old, for: need) { return token }
        let isFirst = state.withLock { $0.isFirst }
        var new = try await renew(old, isFirst && old == nil)
        try new.value.checkAsToken()
        new.server = need.place.origin?.text
        new.expiresAt? += need.offset.inSeconds
        let kept = try await save(new, over: old)
        // What another process has stored may be for another server.
        return handOut(kept, for: need) ?? new.token(at: need.offset)
    }

    /// Stores a token before it is used. If that fails, it is tried again before the next refresh.
    private func save(_ new: StoredToken, over old: StoredToken?) async throws -> StoredToken {
        state.withLock { $0.unsaved = (old, new) }
        return try await uncanceled {
            let kept = try await self.store.replace(old, with: new)
            self.state.withLock { ($0.unsaved, $0.isFirst) = (nil, false) }
            return kept
        }
    }

    private func saveUnsaved() async throws {
        guard let unsaved = state.withLock({ $0.unsaved }) else { return }
        do {
            _ = try await save(unsaved.new, over: unsaved.old)
        } catch is CancellationError {
            // It was removed elsewhere.
            state.withLock { $0.unsaved = nil }
        }
    }

    /// The stored token, if it can be used at the place; then no other place gets it.
    private func handOut(_ stored: StoredToken, for need: TokenNeed) -> Token? {
        let token = stored.token(at: need.offset)
        guard stored.value.tokenProblem == nil, stored.value != need.old?.value,
            stored.server.map({ $0 == need.place.origin?.text }) ?? true,
            TokenRefresher.staleAt(token).map({ $0 > Date() }) ?? true
        else { return nil }
        return state.withLock { state in
            if state.value == stored.value, state.place != need.place { return nil }
            (state.value, state.place, state.isFirst) = (stored.value, need.place, false)
            return token
        }
    }
}

extension StoredToken {
    /// The access token, with its end as the system's clock shows it.
    fileprivate func token(at offset: Duration) -> Token {
        Token(value, expiresAt: expiresAt.map { $0 - offset.inSeconds })
    }
}

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
    ///   - identity: The owner of the tokens, for caches: see ``init(_:identity:within:refresh:)``.
    ///   - limit: The longest time that waiting calls wait for one refresh.
    ///   - refresh: Gets a new token, given the stored one, which has expired, was refused, cannot be sent, or belongs
    ///     to another server. Canceling the calls does not cancel it, so that a replaced refresh token is not lost; it
    ///     should end by itself. If it throws, or its token cannot be sent (see ``Token/value``), the store stays as it
    ///     is.
    public convenience init(
        store: any TokenStore,
        identity: String? = nil,
        within limit: Duration = .seconds(60),
        refresh: @escaping @Sendable (StoredToken?) async throws -> StoredToken
    ) {
        self.init(
            identity: identity,
            within: limit,
            making: {
                StoredTokens(store) { old, _ in try await uncanceled { try await refresh(old) } }
            }
        )
    }
}
