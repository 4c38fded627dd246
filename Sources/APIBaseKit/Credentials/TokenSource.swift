import Basics
import Dispatch
import HTTPTransport

/// Where an API's tokens come from: one refresh for however many calls find that there is no valid one.
///
/// Shared by all calls of an API, on whichever threads they are:
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let tokens = TokenSource { old in try await LoginRequest(…).value().token }
///
///     override init(_ endpoint: Endpoint) {
///         super.init(endpoint)
///         authorization = .tokens(Self.tokens)
///     }
/// }
/// ```
///
/// A call waits for a refresh if there is no token, if the one there is about to expire, or if the server has refused it with
/// status 401; then it is sent again, once. While a refresh is under way, all calls wait for it, and no attempt that begins
/// after it carries the old token. If it fails, those that wait fail with its error, and the next call tries again. It is
/// cancelled when nothing waits for it any more; the next begins when it has ended. ``APIBase/timeout`` does not cover the wait
/// for it, ``RetryPolicy/deadline`` does.
///
/// Calls that are made inside the refresh go without a token of this source and are never refreshed, so they may be calls of
/// the same API.
public final class TokenSource: Sendable {
    /// Before it expires, a token is taken for expired: 30 seconds, or a quarter of its life if that is less.
    private static let longestLeeway: TimeInterval = 30

    /// A token as a call has used it.
    struct Issued: Sendable {
        let token: Token
        /// Grows with each refresh.
        let number: Int
    }

    /// A closure that waits for a token. Called once, on any thread.
    typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    fileprivate struct State {
        var token: Token?
        var number = 0
        /// From when on the token is not used any more.
        var staleAt: Date?
        var isRefused = false
        var refresh: Task<Void, Never>?
        /// The one that was given up last; it may still be at work.
        var abandoned: Task<Void, Never>?
        /// How many refreshes have been started.
        var refreshes = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    /// The sources that are refreshed by the code that runs.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []

    private let state: Locked<State>
    private let refresh: @Sendable (_ old: Token?) async throws -> Token

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - token: The first token, if there is one already.
    ///   - refresh: Gets a new token, given the one before. It runs in the scope of the call that finds a need for it, so that
    ///     stubs and recordings hold in it. What it throws fails the calls that wait.
    public init(_ token: Token? = nil, refresh: @escaping @Sendable (_ old: Token?) async throws -> Token) {
        state = Locked(State(token: token, staleAt: Self.staleAt(token)))
        self.refresh = refresh
    }

    /// Whether a call has been started by this source's own refresh.
    func isRefreshing(in context: CallerContext) -> Bool { context.refreshing.contains(ObjectIdentifier(self)) }

    /// How many calls wait for a refresh.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    private static func staleAt(_ token: Token?) -> Date? {
        guard let end = token?.expiresAt else { return nil }
        return end - min(longestLeeway, max(0, end.timeIntervalSinceNow) / 4)
    }
}

// MARK: Waiting

extension TokenSource {
    /// Gives a token, at once or when it has come.
    ///
    /// - Parameters:
    ///   - refused: What the server has refused; `nil` for a first attempt.
    ///   - clock: That of the call: how far it is ahead counts for the age of tokens.
    ///   - waiter: Gets the token, or why there is none.
    /// - Returns: The number by which the wait is given up; `nil` if it is over already.
    func wait(refused: Issued?, on clock: any CallClock, _ waiter: @escaping Waiter) -> Int? {
        let (valid, number) = state.withLock { state -> (Issued?, Int?) in
            if let refused, refused.number == state.number { state.isRefused = true }
            if state.refresh == nil, let valid = state.valid(on: clock) { return (valid, nil) }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = waiter
            if state.refresh == nil { start(&state, on: clock) }
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
    private func start(_ state: inout State, on clock: any CallClock) {
        state.refreshes += 1
        let (abandoned, number) = (state.abandoned, state.refreshes)
        state.refresh = Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(self)])) {
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
            DispatchQueue(label: "APIBaseKit.token").async { waiter(result) }
        }
    }
}

extension TokenSource.State {
    /// The token, if it can be used.
    fileprivate func valid(on clock: any CallClock) -> TokenSource.Issued? {
        guard let token, !isRefused, staleAt.map({ $0 > Date() + clock.shift.inSeconds }) ?? true else { return nil }
        return TokenSource.Issued(token: token, number: number)
    }
}

extension TokenSource: Hashable {
    /// Sources are equal if they are the same.
    public static func == (left: TokenSource, right: TokenSource) -> Bool { left === right }

    /// Takes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TokenSource: CustomReflectable {
    /// Nothing: `dump` shows no tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
