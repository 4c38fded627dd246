import Basics

/// Where an API's tokens come from: one refresh for however many calls find that there is no valid one.
///
/// Shared by all calls of an API, on whichever threads they are:
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let tokens = TokenSource { old in try await LoginRequest(…).value().token }
///
///     override init() {
///         super.init()
///         authorization = .tokens(Self.tokens)
///     }
/// }
/// ```
///
/// A call waits for a refresh if there is no token, if the one there is about to expire, or if the server has refused it with
/// status 401; then it is sent again, once. While a refresh is under way, all calls wait for it, and no attempt that begins
/// after it carries the old token. If it fails, those that wait fail with its error, and the next call tries again. It is
/// cancelled when nothing waits for it any more.
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

    /// What waits for a token. Called once, on any thread.
    typealias Waiter = @Sendable (Result<Issued, any Error>) -> Void

    private struct State {
        var token: Token?
        var number = 0
        /// From when on the token is not used any more.
        var staleAt: Date?
        var isRefused = false
        var refresh: Task<Void, Never>?
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
    ///   - now: The time on the call's clock.
    ///   - waiter: Gets the token, or why there is none.
    /// - Returns: The number by which the wait is given up; `nil` if it is over already.
    func wait(refused: Issued?, now: Date, _ waiter: @escaping Waiter) -> Int? {
        let (valid, number) = state.withLock { state -> (Issued?, Int?) in
            if let refused, refused.number == state.number { state.isRefused = true }
            if state.refresh == nil, let token = state.token, !state.isRefused,
                state.staleAt.map({ $0 > now }) ?? true
            {
                return (Issued(token: token, number: state.number), nil)
            }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = waiter
            if state.refresh == nil { start(&state) }
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
            defer { state.refresh = nil }
            return (waiter, state.refresh)
        }
        abandoned?.cancel()
        withExtendedLifetime(waiter) {}
    }

    /// Starts a refresh. A task begins on its own, so this may be done under the lock.
    private func start(_ state: inout State) {
        state.refreshes += 1
        let (old, number) = (state.token, state.refreshes)
        state.refresh = Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(self)])) {
            Task {
                let result: Result<Token, any Error>
                do { result = .success(try await self.refresh(old)) } catch { result = .failure(error) }
                self.end(number, result)
            }
        }
    }

    private func end(_ number: Int, _ result: Result<Token, any Error>) {
        let (waiters, tokenNumber) = state.withLock { state -> ([Waiter], Int) in
            // One that was given up is not taken if there is another by now, but a token that it brought is.
            guard state.refreshes == number else { return ([], state.number) }
            state.refresh = nil
            if case .success(let token) = result {
                state.token = token
                state.number += 1
                state.staleAt = Self.staleAt(token)
                state.isRefused = false
            }
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), state.number)
        }
        for waiter in waiters { waiter(result.map { Issued(token: $0, number: tokenNumber) }) }
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
