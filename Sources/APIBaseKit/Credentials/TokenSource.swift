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
/// status 401; then it is sent again, once. While a refresh is under way, all calls wait for it, and no attempt that begins
/// after it carries the old token. If it fails, those that wait fail with its error, and the next call tries again. It is
/// cancelled when nothing waits for it any more; the next begins when it has ended. ``APIBase/timeout`` does not cover the wait
/// for it, ``RetryPolicy/deadline`` does.
///
/// Calls that are made inside the refresh go without a token of this source and are never refreshed, so they may be calls of
/// the same API.
///
/// A source shared by calls to the network and by tests with stubs has tokens of its own for each scope of stubs: each begins with
/// the first token, and refreshes for itself.
public final class TokenSource: Sendable {
    /// A token as a call has used it.
    struct Issued: Sendable {
        let token: Token
        /// Grows with each refresh.
        let number: Int
    }

    /// The sources that are refreshed by the code that runs.
    @TaskLocal static var refreshing: Set<ObjectIdentifier> = []

    private let lines: ScopedState<TokenLine>

    /// Whose tokens these are, for caches. What is random is in no other process.
    let identity: String

    /// Creates a source.
    ///
    /// A cache takes the calls of a source for those of one caller, whatever their token: a renewal keeps what is stored. So
    /// a source is for one user. Where another one logs in, another source is made, or the cache is emptied.
    ///
    /// - Parameters:
    ///   - token: The first token, if there is one already.
    ///   - identity: Whose tokens these are, such as the number of a user's account. Sources with the same one share their
    ///     cached replies, in a ``FolderStorage`` also with those of other processes, and after a restart. By default the
    ///     source shares with no other, and finds nothing in a folder that was stored before it was made.
    ///   - refresh: Gets a new token, given the one before. It runs in the scope of the call that finds a need for it, so that
    ///     stubs and recordings hold in it. What it throws fails the calls that wait.
    public init(
        _ token: Token? = nil,
        identity: String? = nil,
        refresh: @escaping @Sendable (_ old: Token?) async throws -> Token
    ) {
        self.identity = identity.map { "given \($0)" } ?? "random \(UUID().uuidString)"
        lines = ScopedState { TokenLine(token, refresh: refresh) }
    }

    /// The line in which the calls of a scope wait.
    func line(of scope: AnyObject?) -> TokenLine { lines.value(for: scope) }

    /// Whether a call has been started by this source's own refresh.
    func isRefreshing(in context: CallerContext) -> Bool { context.refreshing.contains(ObjectIdentifier(self)) }

    /// The number of calls to the network that wait for a refresh.
    package var waiterCount: Int { line(of: nil).waiterCount }
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
