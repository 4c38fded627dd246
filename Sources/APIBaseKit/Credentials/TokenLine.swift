import Basics
import HTTPTransport

/// The token of a source for one server, in one scope of calls, and the calls that wait for it.
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
        var refresh: RunningRefresh?
        /// The one that was given up last; it may still be at work.
        var abandoned: RunningRefresh?
        /// The number of refreshes that have been started, and that of the one that has brought the token.
        var refreshes = 0
        var tokenFrom = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state: Locked<State>
    private let limit: Duration
    private let refresh: TokenSource.Refresh

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - token: The first token, if there is one already.
    ///   - limit: The longest time that one refresh may take.
    ///   - refresh: Gets a new token, given the one before.
    init(_ token: Token?, within limit: Duration, refresh: @escaping TokenSource.Refresh) {
        state = Locked(State(token: token, staleAt: Self.staleAt(token)))
        self.limit = min(limit, .longest)
        self.refresh = refresh
    }

    /// Whether nothing waits for the token, and no refresh is at work.
    var isIdle: Bool { state.withLock { $0.waiters.isEmpty && $0.refresh == nil && $0.abandoned == nil } }

    /// The number of calls that wait for a refresh.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    fileprivate static func staleAt(_ token: Token?) -> Date? {
        guard let end = token?.expiresAt else { return nil }
        return end - min(longestLeeway, max(0, end.timeIntervalSinceNow) / 4)
    }
}

// MARK: Waiting

extension TokenLine {
    /// The token, if there is one that can be used, and no refresh is at work.
    ///
    /// - Parameters:
    ///   - refused: What the server has refused; `nil` for a first attempt.
    ///   - clock: That of the call: how far it is ahead counts for the age of tokens.
    /// - Returns: The token; `nil` if the call has to wait.
    func valid(after refused: Issued?, on clock: any CallClock) -> Issued? {
        state.withLock { $0.valid(after: refused, on: clock) }
    }

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
            if let valid = state.valid(after: refused, on: clock) { return (valid, nil) }
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
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, RunningRefresh?) in
            let waiter = state.waiters.removeValue(forKey: number)
            guard waiter != nil, state.waiters.isEmpty else { return (waiter, nil) }
            defer { (state.refresh, state.abandoned) = (nil, state.refresh) }
            return (waiter, state.refresh)
        }
        abandoned?.work.cancel()
        withExtendedLifetime(waiter) {}
    }

    /// Starts a refresh. Tasks begin on their own, so this may be done under the lock.
    private func start(_ state: inout State, for source: TokenSource, on clock: any CallClock) {
        state.refreshes += 1
        let (before, number) = (state.abandoned, state.refreshes)
        let time = Task {
            await clock.sleep(for: limit)
            if !Task.isCancelled { end(number, with: .failure(RequestError.refreshTimedOut(after: limit))) }
        }
        var locals = CallLocals.here
        locals[RefreshedSources.self].insert(ObjectIdentifier(source))
        locals[IsAwaitedByCalls.self] = true
        state.refresh = locals.run {
            let work = Task {
                // It may bring a token all the same, and two of them must not use a refresh token side by side.
                await before?.time.value
                let result: Result<Issued, any Error>
                do { result = .success(try await token(from: number, on: clock)) } catch { result = .failure(error) }
                time.cancel()
                end(number, with: result)
            }
            return RunningRefresh(work: work, time: time)
        }
    }

    /// The token that there is meanwhile, or else a new one.
    private func token(from number: Int, on clock: any CallClock) async throws -> Issued {
        let (valid, old) = state.withLock { ($0.valid(on: clock), $0.token) }
        if let valid { return valid }
        try Task.checkCancellation()
        let token = try await refresh(old)
        return state.withLock { $0.keep(token, from: number, on: clock) }
    }

    /// A refresh has ended, or its time is over.
    private func end(_ number: Int, with result: Result<Issued, any Error>) {
        let (refresh, waiters) = state.withLock { state -> (RunningRefresh?, [Waiter]) in
            guard state.refreshes == number else { return (nil, []) }
            defer { (state.refresh, state.abandoned, state.waiters) = (nil, nil, [:]) }
            return (state.refresh, Array(state.waiters.values))
        }
        refresh?.work.cancel()
        for waiter in waiters {
            // Each may take its time, and none of them is a part of the refresh.
            WorkerPool.run { waiter(result) }
        }
    }
}

/// A refresh at work.
private struct RunningRefresh {
    let work: Task<Void, Never>
    /// Ends with the work, at the latest when its time is over.
    let time: Task<Void, Never>
}

extension CallClock {
    /// Waits until the time has passed or the task is cancelled. Where waits are over at once, it takes real time.
    fileprivate func sleep(for duration: Duration) async {
        let clock: any CallClock = self is ImmediateClock ? WallClock.shared : self
        var end = clock.pause(duration).values.makeAsyncIterator()
        _ = try? await end.next()
    }
}

extension TokenLine.State {
    /// Keeps the token that a refresh has brought, also one that nothing waits for any more; but not one that comes late, when a
    /// later refresh has brought another.
    fileprivate mutating func keep(_ token: Token, from refresh: Int, on clock: any CallClock) -> TokenLine.Issued {
        if refresh > tokenFrom {
            (self.token, tokenFrom, isRefused) = (token, refresh, false)
            number += 1
            staleAt = TokenLine.staleAt(token).map { $0 + clock.offset.inSeconds }
        }
        return TokenLine.Issued(token: token, number: number)
    }

    /// The token, if it can be used and no refresh is at work; one that the server has refused cannot.
    fileprivate mutating func valid(after refused: TokenLine.Issued?, on clock: any CallClock) -> TokenLine.Issued? {
        if let refused, refused.number == number { isRefused = true }
        return refresh == nil ? valid(on: clock) : nil
    }

    /// The token, if it can be used.
    fileprivate func valid(on clock: any CallClock) -> TokenLine.Issued? {
        guard let token, !isRefused, staleAt.map({ $0 > Date() + clock.offset.inSeconds }) ?? true else { return nil }
        return TokenLine.Issued(token: token, number: number)
    }
}
