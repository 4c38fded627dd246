import HTTPTransport

/// A source of an API's tokens: one refresh for however many calls find that there is no valid one.
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
/// status 401; then it is sent again, once. While a refresh is under way, all calls to that server wait for it, and no attempt
/// that begins after it carries the old token. It is cancelled when nothing waits for it any more; the next begins when it has
/// ended, or its time is over. ``APIBase/timeout`` does not cover the wait for it, ``RetryPolicy/deadline`` does.
///
/// If a refresh fails, the calls that wait fail with its error, and the next call tries again. ``APIBase/retry`` counts such a
/// call as an attempt, whatever its method: nothing of it has been sent, or what was sent has been refused. It is tried
/// again after failures of the network, and after a ``RequestError/httpFailure(_:)`` or an ``OAuthError`` whose status is one of
/// ``RetryPolicy/statusCodes``; `Retry-After` holds. Each call waits as its own policy says, and the first to be ready
/// starts the one refresh that all of them use.
///
/// Calls that are made inside the refresh go without a token of this source and are never refreshed, so they may be calls of
/// the same API. They are known by a task local, which detached tasks and other queues do not inherit: a call of the same API from
/// there waits for the refresh that waits for it, until the time of the refresh is over.
///
/// Tokens belong to the server that they are used at: the scheme, host and port of the call's URL. A source has tokens of its own
/// for each of them, and refreshes each for itself, perhaps at the same time. A refresh runs in the scope of a call to that
/// server, so a base URL of ``APIBase/withBaseURL(_:isolation:_:)`` holds in it. Where request objects set their own
/// ``APIBase/baseURL``, it cannot tell which server it is for: give each server a source of its own.
///
/// In the same way a source has tokens of its own for each scope of stubs: each begins with the first token, and refreshes for
/// itself.
public final class TokenSource: Sendable {
    /// A token as a call has used it.
    struct Issued: Sendable {
        let token: Token
        /// Grows with each refresh.
        let number: Int
    }

    typealias Refresh = @Sendable (_ old: Token?) async throws -> Token

    private let lines: ScopedState<TokenLines>

    /// Whose tokens these are, for caches. What is random is in no other process.
    let identity: String

    /// Creates a source.
    ///
    /// A cache takes the calls of a source for those of one caller, whatever their token: a renewal keeps what is stored. So
    /// a source is for one user. Where another one logs in, another source is made, or the cache is emptied.
    ///
    /// - Parameters:
    ///   - token: The first token, if there is one already. It belongs to the server that the first call goes to.
    ///   - identity: Whose tokens these are, such as the number of a user's account. Sources with the same one share their
    ///     cached replies, in a ``FolderStorage`` also with those of other processes, and after a restart. By default the
    ///     source shares with no other, and finds nothing in a folder that was stored before it was made.
    ///   - limit: The longest time that one refresh may take. Then the calls that wait fail with
    ///     ``RequestError/refreshTimedOut(after:)``, also where the refresh heeds no cancel, and the next call starts another.
    ///   - refresh: Gets a new token, given the one that the server had before. It runs in the scope of the call that finds a
    ///     need for it, so that base URLs, stubs and recordings hold in it. What it throws fails the calls that wait.
    public convenience init(
        _ token: Token? = nil,
        identity: String? = nil,
        within limit: Duration = .seconds(60),
        refresh: @escaping @Sendable (_ old: Token?) async throws -> Token
    ) {
        self.init(token, identity: identity, within: limit) { refresh }
    }

    /// Creates a source whose refresh keeps something: it is made once for each scope.
    init(
        _ token: Token?,
        identity: String? = nil,
        within limit: Duration,
        making refresh: @escaping @Sendable () -> Refresh
    ) {
        self.identity = identity.map { "given \($0)" } ?? "random \(UUID().uuidString)"
        lines = ScopedState { TokenLines(first: token, within: limit, refresh: refresh()) }
    }

    /// The line in which the calls of a scope to a server wait.
    func line(of scope: AnyObject?, for origin: Origin?) -> TokenLine { lines.value(for: scope).line(for: origin) }

    /// Whether a call has been started by this source's own refresh.
    func isRefreshing(in context: CallerContext) -> Bool {
        context.locals[RefreshedSources.self].contains(ObjectIdentifier(self))
    }

    /// The number of calls to the network that wait for a refresh.
    package var waiterCount: Int { lines.value(for: nil).waiterCount }
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

/// The sources that are refreshed by the code that runs.
enum RefreshedSources: CallLocal {
    static let initial: Set<ObjectIdentifier> = []
}
