import Basics
import HTTPTransport

/// The token of a source for one place in one scope, its refresh, and the calls that wait for it.
package final class TokenRefresher: Sendable {
    typealias Issued = TokenSource.Issued

    /// A token is treated as expired this long before it expires, or a quarter of its lifetime if that is less.
    private static let longestLeeway: TimeInterval = 30

    /// A closure that waits for a token. Called once, on any thread.
    typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    /// A call that waits.
    fileprivate struct Waiting {
        let clock: any CallClock
        let then: Waiter
    }

    fileprivate struct State {
        var token: Token?
        var number = 0
        /// The time from which the token is no longer used; `nil` if it does not expire.
        var staleAt: Date?
        var isRefused = false
        var refresh: RunningRefresh?
        /// The last refresh that was given up. It may still be running.
        var abandoned: RunningRefresh?
        /// The number of refreshes started, and the number of the refresh that has brought the token.
        var refreshes = 0
        var tokenFrom = 0
        var waiters: [Int: Waiting] = [:]
        var lastWaiter = 0
    }

    private let state: Locked<State>
    private let place: TokenPlace
    private let limit: Duration
    private let supply: any TokenSupply

    init(_ token: Token?, for place: TokenPlace, within limit: Duration, from supply: any TokenSupply) {
        self.place = place
        let isRefused = token.map { $0.value.tokenProblem != nil } ?? false
        state = Locked(State(token: token, staleAt: Self.staleAt(token), isRefused: isRefused))
        self.limit = min(limit, .longest)
        self.supply = supply
    }

    /// Whether no call waits and no refresh is running.
    var isIdle: Bool { state.withLock { $0.waiters.isEmpty && $0.refresh == nil && $0.abandoned == nil } }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// The time from which a token that is received now is no longer used; `nil` if it does not expire.
    package static func staleAt(_ token: Token?) -> Date? {
        guard let end = token?.expiresAt else { return nil }
        return end - min(longestLeeway, max(0, end.timeIntervalSinceNow) / 4)
    }
}

// MARK: Waiting

extension TokenRefresher {
    /// The token, if it can be used; `nil` if the call has to wait for a refresh. `refused` is the token that the
    /// server has refused; the offset of the call's clock counts for the age of tokens.
    func valid(after refused: Issued?, on clock: any CallClock) -> Issued? {
        state.withLock { $0.valid(after: refused, on: clock) }
    }

    /// Passes a valid token, or the error, to `waiter`, at once or after a refresh. The number is for
    /// ``stopWaiting(_:)``; it is `nil` if the wait is over.
    func wait(
        for source: TokenSource,
        refused: Issued?,
        on clock: any CallClock,
        _ waiter: @escaping Waiter
    ) -> Int? {
        let (valid, number) = state.withLock { state -> (Issued?, Int?) in
            if let valid = state.valid(after: refused, on: clock) { return (valid, nil) }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = Waiting(clock: clock, then: waiter)
            if state.refresh == nil { start(&state, for: source, on: clock) }
            return (nil, state.lastWaiter)
        }
        if let valid { waiter(.success(valid)) }
        return number
    }

    /// Gives up a wait. The last one cancels the refresh.
    func stopWaiting(_ number: Int) {
        let (waiter, abandoned) = state.withLock { state -> (Waiting?, RunningRefresh?) in
            let waiter = state.waiters.removeValue(forKey: number)
            guard waiter != nil, state.waiters.isEmpty else { return (waiter, nil) }
            defer { (state.refresh, state.abandoned) = (nil, state.refresh) }
            return (waiter, state.refresh)
        }
        abandoned?.work.cancel()
        withExtendedLifetime(waiter) {}
    }

    /// Fails the waiting calls, and cancels the refresh, whose token nobody gets any more.
    func discard() {
        let (refresh, waiters) = state.withLock { state -> (RunningRefresh?, [Waiting]) in
            defer {
                (state.token, state.waiters) = (nil, [:])
                (state.refresh, state.abandoned) = (nil, state.refresh ?? state.abandoned)
            }
            return (state.refresh, Array(state.waiters.values))
        }
        refresh?.work.cancel()
        for waiter in waiters { WorkerPool.run { waiter.then(.failure(CancellationError())) } }
    }

    /// Starts a refresh. It only creates tasks, so it may be called under the lock.
    private func start(_ state: inout State, for source: TokenSource, on clock: any CallClock) {
        state.refreshes += 1
        let (before, number) = (state.abandoned, state.refreshes)
        let time = Task {
            await clock.forRealWork.sleep(for: limit)
            if !Task.isCancelled { end(number, with: .failure(RequestError.refreshTimedOut(after: limit))) }
        }
        var locals = CallLocals.here
        locals[RefreshedSources.self].insert(RefreshedSource(of: source, for: .one(place.account)))
        locals[IsAwaitedByCalls.self] = true
        locals[RequestChange.self] = nil
        let start = { [self] in
            let work = Task {
                // The abandoned refresh may still bring a token, and two must not use one refresh token at the same
                // time.
                await before?.time.value
                clock.handOn()
                let result: Result<Issued, any Error>
                do { result = .success(try await token(from: number, on: clock)) } catch { result = .failure(error) }
                time.cancel()
                end(number, with: result)
            }
            return RunningRefresh(work: work, time: time)
        }
        // Other calls wait for it too.
        state.refresh = ScopeRules.withoutDeadline { locals.run(start) }
    }

    /// The token that an abandoned refresh has brought meanwhile, or else a new one.
    private func token(from number: Int, on clock: any CallClock) async throws -> Issued {
        let (valid, old) = state.withLock { ($0.valid(on: clock), $0.token) }
        if let valid { return valid }
        try Task.checkCancellation()
        let token = try await supply.token(for: TokenNeed(old: old, place: place, offset: clock.offset))
        try token.value.checkAsToken()
        return state.withLock { $0.keep(token, from: number, on: clock) }
    }

    /// Ends a refresh that has a result or has timed out.
    private func end(_ number: Int, with result: Result<Issued, any Error>) {
        let (refresh, waiters) = state.withLock { state -> (RunningRefresh?, [Waiting]) in
            guard state.refreshes == number else { return (nil, []) }
            defer { (state.refresh, state.abandoned, state.waiters) = (nil, nil, [:]) }
            return (state.refresh, Array(state.waiters.values))
        }
        refresh?.work.cancel()
        let time = CallScope.here.taskTime
        for waiter in waiters {
            waiter.clock.catchUp(to: time)
            // A waiter may take long, and is not a part of the refresh.
            WorkerPool.run { waiter.then(result) }
        }
    }
}

/// A running refresh.
private struct RunningRefresh {
    let work: Task<Void, Never>
    /// Ends with the work, or when the refresh times out.
    let time: Task<Void, Never>
}

extension TokenRefresher.State {
    /// Keeps the token that a refresh has brought, even if no call waits any more, unless a later refresh has already
    /// brought one.
    fileprivate mutating func keep(_ token: Token, from refresh: Int, on clock: any CallClock) -> TokenRefresher.Issued
    {
        if refresh > tokenFrom {
            (self.token, tokenFrom, isRefused) = (token, refresh, false)
            number += 1
            staleAt = TokenRefresher.staleAt(token).map { $0 + clock.offset.inSeconds }
        }
        return TokenRefresher.Issued(token: token, number: number)
    }

    /// The token, if no refresh is running, and it has neither expired nor been refused.
    fileprivate mutating func valid(after refused: TokenRefresher.Issued?, on clock: any CallClock) -> TokenRefresher
        .Issued?
    {
        // After a sign-in, numbers begin anew.
        if let refused, refused.number == number, refused.token == token { isRefused = true }
        return refresh == nil ? valid(on: clock) : nil
    }

    /// The token, if it has neither expired nor been refused.
    fileprivate func valid(on clock: any CallClock) -> TokenRefresher.Issued? {
        guard let token, !isRefused, staleAt.map({ $0 > Date() + clock.offset.inSeconds }) ?? true else { return nil }
        return TokenRefresher.Issued(token: token, number: number)
    }
}
