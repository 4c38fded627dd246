import Basics

/// The tokens of a source in one scope. Each account at each server has its own token, which no other gets.
final class TokenRefreshers: Sendable {
    private struct State {
        /// The first token, until the place to which it belongs is known.
        var first: Token?
        var refreshers: [TokenPlace: TokenRefresher] = [:]
    }

    /// The number of places from which on those without waiting calls are forgotten.
    private static let limit = 4_096

    private let state: Locked<State>
    private let timeout: Duration
    private let supply: any TokenSupply

    init(first: Token?, within timeout: Duration, from supply: any TokenSupply) {
        state = Locked(State(first: first))
        self.timeout = timeout
        self.supply = supply
    }

    /// The refresher of one place. The first token goes to the first place that is asked for.
    func refresher(for place: TokenPlace) -> TokenRefresher {
        let (refresher, forgotten) = state.withLock { state -> (TokenRefresher, [TokenPlace: TokenRefresher]) in
            if let refresher = state.refreshers[place] { return (refresher, [:]) }
            // Forgetting a place costs another refresh.
            let forgotten = state.refreshers.count < Self.limit ? [:] : state.refreshers.filter { $0.value.isIdle }
            for place in forgotten.keys { state.refreshers[place] = nil }
            let refresher = TokenRefresher(state.first.take(), for: place, within: timeout, from: supply)
            state.refreshers[place] = refresher
            return (refresher, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return refresher
    }

    /// Gets a new token, which replaces all others. Waiting calls go on with what their refresh brings.
    func signIn(for servers: TokenServers?, on clock: any CallClock) async throws {
        let first = try await supply.signIn(for: servers, offset: clock.offset)
        let former = state.withLock { state in
            defer { state = State(first: first) }
            return state.refreshers
        }
        withExtendedLifetime(former) {}
    }

    /// Removes all tokens, also those that the supply keeps.
    func removeAll(revoking: Bool) async throws {
        discard()
        // A call that has begun meanwhile may have got a token that was still kept.
        defer { discard() }
        try await supply.removeAll(revoking: revoking)
    }

    private func discard() {
        let forgotten = state.withLock { state in
            defer { state = State() }
            return state.refreshers
        }
        for refresher in forgotten.values { refresher.discard() }
    }

    var waiterCount: Int { state.withLock { $0.refreshers.values }.reduce(0) { $0 + $1.waiterCount } }
}
