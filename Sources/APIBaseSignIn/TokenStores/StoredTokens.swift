import Basics
import SafeFiles

/// Tokens from a store. A refresh replaces what is stored there.
///
/// Refreshes of all places follow each other, and no refresh token is used after it was replaced.
final class StoredTokens: TokenSupply {
    typealias Renewal = @Sendable (_ old: StoredToken?, _ isFirst: Bool) async throws -> StoredToken
    typealias Revocation = @Sendable (StoredToken) async throws -> Void

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
    private let needsOld: Bool
    private let revoke: Revocation?
    private let renew: Renewal
    private let turns = Turns()
    private let state = Locked(State())

    /// - Parameters:
    ///   - store: The store.
    ///   - needsOld: Whether a sign-in renews the stored token. Otherwise it begins without one.
    ///   - revoke: Tells the server that a token is no longer used; `nil` if nobody is told.
    ///   - renew: Gets a new token, given the stored one.
    init(
        _ store: any TokenStore,
        needsOld: Bool = false,
        revoke: Revocation? = nil,
        renew: @escaping Renewal
    ) {
        (self.store, self.needsOld, self.revoke, self.renew) = (store, needsOld, revoke, renew)
    }

    func token(for need: TokenNeed) async throws -> Token {
        try await turns.run {
            if let stored = try await self.store.load(), stored.server != nil,
                let token = self.handOut(stored, for: need)
            {
                return token
            }
            return try await self.store.exclusively { try await self.refreshed(for: need) }
        }
    }

    func signIn(for servers: TokenServers?, offset: Duration) async throws -> Token? {
        try await turns.run {
            try await self.store.exclusively {
                try await self.saveUnsaved()
                var old = try await self.loadForSignIn()
                let new = try await self.renewed(old, isSignIn: true, for: servers, offset)
                // Where a store cannot keep others out, they may have renewed the former token meanwhile.
                while case let kept = try await self.save(new, over: old), kept != new { old = kept }
            }
        }
        return nil
    }

    /// The stored token. A sign-in replaces a file that holds none.
    private func loadForSignIn() async throws -> StoredToken? {
        do {
            return try await store.load()
        } catch let obstacle as FileObstacle where obstacle.kind == .notAToken {
            try await store.removeAll()
            return nil
        }
    }

    func removeAll(revoking: Bool) async throws {
        try await turns.run {
            let unsaved = self.state.withLock { state in
                defer { (state.unsaved, state.isFirst) = (nil, false) }
                return state.unsaved?.new
            }
            let revoke = revoking ? self.revoke : nil
            let (stored, problem) = try await self.store.exclusively { await self.emptied(loading: revoke != nil) }
            do {
                for token in [unsaved, stored].compactMap(\.self) { try await revoke?(token) }
            } catch {
                throw problem ?? error
            }
            if let problem { throw problem }
        }
    }

    /// Removes what is stored. Returns it, and what has failed first.
    private func emptied(loading: Bool) async -> (StoredToken?, (any Error)?) {
        var (stored, problem): (StoredToken?, (any Error)?) = (nil, nil)
        do { stored = loading ? try await store.load() : nil } catch { problem = error }
        do { try await store.removeAll() } catch { problem = problem ?? error }
        return (stored, problem)
    }

    /// A new token. It runs alone, also among processes if the store can do that.
    private func refreshed(for need: TokenNeed) async throws -> Token {
        try await saveUnsaved()
        var old = try await store.load()
        if let unbound = old, unbound.server == nil, isUsable(unbound, for: need) {
            // From now on it belongs to these servers, also in other processes.
            var bound = unbound
            bound.server = need.place.servers.text
            old = try await save(bound, over: unbound)
        }
        // Another process may have refreshed it meanwhile.
        if let old, let token = handOut(old, for: need) { return token }
        let new = try await renewed(old, isSignIn: false, for: need.place.servers, need.offset)
        let kept = try await save(new, over: old)
        // What another process has stored may be for another server.
        return handOut(kept, for: need) ?? new.token(at: need.offset)
    }

    /// A new token in place of the stored one, as it is to be stored.
    private func renewed(
        _ old: StoredToken?,
        isSignIn: Bool,
        for servers: TokenServers?,
        _ offset: Duration
    ) async throws -> StoredToken {
        let isFirst = state.withLock { $0.isFirst }
        var new = try await renew(isSignIn && !needsOld ? nil : old, isFirst && old == nil)
        try new.value.checkAsToken()
        new.server = servers?.text
        new.expiresAt? += offset.inSeconds
        return new
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
        guard isUsable(stored, for: need) else { return nil }
        return state.withLock { state in
            if state.value == stored.value, state.place != need.place { return nil }
            (state.value, state.place, state.isFirst) = (stored.value, need.place, false)
            return stored.token(at: need.offset)
        }
    }

    /// Whether a stored token is neither for other servers, nor expired, nor refused.
    private func isUsable(_ stored: StoredToken, for need: TokenNeed) -> Bool {
        stored.value.tokenProblem == nil && stored.value != need.old?.value
            && stored.server.map(need.place.servers.include) ?? true
            && TokenRefresher.staleAt(stored.token(at: need.offset)).map { $0 > Date() } ?? true
    }
}

extension StoredToken {
    /// The access token, with its end as the system's clock shows it.
    fileprivate func token(at offset: Duration) -> Token {
        Token(value, expiresAt: expiresAt.map { $0 - offset.inSeconds })
    }
}
