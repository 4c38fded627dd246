import Basics
import HTTPTransport

/// The tokens of a source for one scope of calls, and the calls that wait for them.
final class TokenLine: Sendable {
    typealias Issued = TokenSource.Issued

    /// Before it expires, a token is taken for expired: 30 seconds, or a quarter of its life if that is less.
    private static let longestLeeway: TimeInterval = 30

    /// A closure that waits for a token. Called once, on any thread.
    typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    fileprivate struct State {
        var token: Token?
        var number = 0
        /// The time from which the token is not used any more; `nil` if it does not expire.
        var staleAt: Date?
        var isRefused = false
        var refresh: Task<Void, Never>?
        /// The one that was given up last; it may still be at work.
        var abandoned: Task<Void, Never>?
        /// The number of refreshes that have been started.
        var refreshes = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state: Locked<State>
    private let refresh: @Sendable (_ old: Token?) async throws -> Token

    init(_ token: Token?, refresh: @escaping @Sendable (_ old: Token?) async throws -> Token) {
        state = Locked(State(token: token, staleAt: Self.staleAt(token)))
        self.refresh = refresh
    }

    /// The number of calls that wait for a refresh.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    private static func staleAt(_ token: Token?) -> Date? {
        guard let end = token?.expiresAt else { return nil }
        return end - min(longestLeeway, max(0, end.timeIntervalSinceNow) / 4)
    }
}

// MARK: Waiting

extension TokenLine {
    /// Gives a token, at once or when it has come.
    ///
    /// - Parameters:
    ///   - source: The source that the line belongs to.
    ///   - refused: What the server has refused; `nil` for a first attempt.
    ///   - clock: That of the call: how far it is ahead counts for the age of tokens.
    ///   - waiter: Gets the token, or why there is none.
    /// - Returns: The number by which the wait is given up; `nil` if it is over already.
    func wait(
        for source: TokenSource,
        refused: Issued?,
        on clock: any CallClock,
        _ waiter: @escaping Waiter
    ) -> Int? {
        let (valid, number) = state.withLock { state -> (Issued?, Int?) in
            if let refused, refused.number == state.number { state.isRefused = true }
            if state.refresh == nil, let valid = state.valid(on: clock) { return (valid, nil) }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = waiter
            if state.refresh == nil { start(&state, for: source, on: clock) }
            return (nil, state.lastWaiter)
        }
        if let valid { waiter(.success(valid)) }
        return number
    }

    /// Gives up a wait.
    func stopWaiting(_ number: Int) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            let waiter = state.waiters.removeValue(forKey: number)
            guard waiter != nil, state.waiters.isEmpty else { return (waiter, nil) }
            defer { (state.refresh, state.abandoned) = (nil, state.refresh) }
            return (waiter, state.refresh)
        }
        abandoned?.cancel()
        withExtendedLifetime(waiter) {}
    }

    /// Starts a refresh. A task begins on its own, so this may be done under the lock.
    private func start(_ state: inout State, for source: TokenSource, on clock: any CallClock) {
        state.refreshes += 1
        let (abandoned, number) = (state.abandoned, state.refreshes)
        let refreshing = TokenSource.refreshing.union([ObjectIdentifier(source)])
        state.refresh = TokenSource.$refreshing.withValue(refreshing) {
            Task {
                // It may bring a token all the same, and two of them must not use a refresh token side by side.
                await abandoned?.value
                let (valid, old) = self.state.withLock { ($0.valid(on: clock), $0.token) }
                if let valid { return self.end(number, with: .success(valid)) }
                let result: Result<Token, any Error>
                do { result = .success(try await self.refresh(old)) } catch { result = .failure(error) }
                self.end(number, with: self.issue(result, on: clock))
            }
        }
    }

    /// Keeps the token that a refresh has brought, also one that nothing waits for any more.
    private func issue(_ result: Result<Token, any Error>, on clock: any CallClock) -> Result<Issued, any Error> {
        result.map { token in
            state.withLock { state in
                state.token = token
                state.number += 1
                state.staleAt = Self.staleAt(token).map { $0 + clock.shift.inSeconds }
                state.isRefused = false
                return Issued(token: token, number: state.number)
            }
        }
    }

    private func end(_ number: Int, with result: Result<Issued, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.refreshes == number else { return [] }
            (state.refresh, state.abandoned) = (nil, nil)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters {
            // Each may take its time, and none of them is a part of the refresh.
            WorkerPool.run { waiter(result) }
        }
    }
}

extension TokenLine.State {
    /// The token, if it can be used.
    fileprivate func valid(on clock: any CallClock) -> TokenLine.Issued? {
        guard let token, !isRefused, staleAt.map({ $0 > Date() + clock.shift.inSeconds }) ?? true else { return nil }
        return TokenLine.Issued(token: token, number: number)
    }
}
