import Basics
import HTTPTransport

/// Credentials that are valid for some time: the value of an `Authorization: Bearer` header (RFC 6750, section 2.1).
public struct Token: Sendable, Hashable {
    /// The token itself: visible ASCII characters, and blanks between them.
    ///
    /// One that cannot be sent, because it is empty or has a line end, another character, or a blank at an end, is no
    /// token. A refresh that brings one fails with ``RequestError/invalidRequest(_:)``, and the first token of a source
    /// counts as refused.
    public let value: String
    /// The time at which the token expires; `nil` if that is not known.
    public let expiresAt: Date?

    /// Creates a token.
    public init(_ value: String, expiresAt: Date? = nil) {
        self.value = value
        self.expiresAt = expiresAt
    }
}

extension Token: CustomStringConvertible, CustomReflectable {
    /// A placeholder, since the token is a secret.
    public var description: String { "<token>" }

    /// An empty mirror: `dump` does not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A source of an API's tokens, which runs one refresh for all calls that need a new token.
///
/// All calls of an API share it, on any thread:
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let tokens = TokenSource { old in try await LoginRequest(…).value().token }
///
///     override func configure() {
///         super.configure()
///         authorization = .tokens(Self.tokens)
///     }
/// }
/// ```
///
/// A call waits for a refresh if there is no token, if the token is about to expire, or if the server has refused it
/// with status 401; then it is sent again, once. During a refresh all calls to that server wait, and no attempt that
/// begins later carries the old token. When no call waits any more, the refresh is canceled; the next begins once it
/// has ended or timed out. ``APIBase/timeout`` does not cover the wait, ``RetryPolicy/deadline`` does.
///
/// If a refresh fails, the waiting calls fail with its error, and the next call tries again. ``APIBase/retry`` treats
/// that as a failed attempt whatever the method, since the request was not sent or was refused. It is tried again after
/// network failures, and after a ``RequestError/httpFailure(_:)`` or an ``OAuthError`` whose status is one of
/// ``RetryPolicy/statusCodes``; `Retry-After` is respected. Each call waits as its own policy says, and the first to
/// continue starts one refresh for all.
///
/// Calls made inside the refresh go without a token of this source and never trigger a refresh, so they may be calls of
/// the same API. A task local marks them, which detached tasks and other queues do not inherit: a call of the same API
/// from there waits for the refresh that waits for it, until the refresh times out.
///
/// A token belongs to the server at which it is used: the scheme, host and port of the call's URL. A source keeps a
/// separate token for each server, and refreshes each separately, possibly at the same time. A refresh runs in the
/// scope of a call to that server, so a base URL of ``APIBase/withBaseURL(_:isolation:_:)`` applies in it. If request
/// objects set their own ``APIBase/baseURL``, the refresh cannot know the server: use one source for each server then.
///
/// If several servers take the same token, the source names them: `servers: ["api.desk.example", "*.desk.example"]`.
/// They share one token and its refresh, which runs in the scope of a call to one of them. Calls to all other servers
/// go without a token, and cause no refresh. A name is a host, and stands for `https` at port 443, or at the port after
/// a colon:
///
/// | name | stands for |
/// |---|---|
/// | `api.desk.example` | `https://api.desk.example:443` alone |
/// | `*.desk.example` | one label in place of the asterisk, as in certificates: not `desk.example`, not `a.b.desk.example` |
/// | `desk.example:8443` | this port alone |
/// | `http://desk.internal:8080` | `http`, which only a name with that scheme allows |
/// | `localhost:8080`, `127.0.0.1:8080` | `http` as well as `https`, since it is this machine |
///
/// With any other name, such as one with a path, or a wildcard over an address or a top-level domain, the calls of the
/// source fail with ``RequestError/invalidRequest(_:)``. A redirect or an ``APIBase/intercept(_:next:)`` that leads to
/// another origin loses the token, also between two servers with names.
///
/// Each ``APIAccount`` has its own tokens as well, and its refresh runs in that account, so its base URL and headers
/// apply. A source also keeps separate tokens for each scope of stubs, each starting with the first token.
public final class TokenSource: Sendable {
    /// A token with its number.
    struct Issued: Sendable {
        let token: Token
        /// Grows with each refresh.
        let number: Int
    }

    let refreshers: PerScope<TokenRefreshers>

    /// The servers that share a token, or what is wrong with their names; `nil` if each server has its own token.
    let servers: Result<TokenServers, RequestError>?

    /// The owner of the tokens, for caches. A random one is unique to this object.
    let identity: String

    /// Creates a source.
    ///
    /// A cache treats all calls of a source as those of one user, so that a renewed token still finds stored responses.
    /// When another user logs in, create another source or empty the cache.
    ///
    /// - Parameters:
    ///   - token: The first token, if there is one already. It belongs to the server and the account of the first
    ///     call.
    ///   - identity: The owner of the tokens, such as a user's account number. Sources with the same identity share
    ///     cached responses; with a ``FolderStorage`` also across processes and restarts. By default a source shares
    ///     with no other.
    ///   - servers: The names of the servers that share the token, and that alone get it; `nil` for a token for each
    ///     server.
    ///   - limit: The longest time that one refresh may take. Then the waiting calls fail with
    ///     ``RequestError/refreshTimedOut(after:)``, even if the refresh ignores cancellation, and the next call starts
    ///     another.
    ///   - refresh: Gets a new token, given the server's previous one. It runs in the scope of the call that needs it,
    ///     so that base URLs, stubs and recordings apply. If it throws, the waiting calls fail with that error.
    public convenience init(
        _ token: Token? = nil,
        identity: String? = nil,
        servers: [String]? = nil,
        within limit: Duration = .seconds(60),
        refresh: @escaping @Sendable (_ old: Token?) async throws -> Token
    ) {
        self.init(
            token,
            identity: identity,
            servers: servers,
            within: limit,
            making: { ClosureSupply(refresh: refresh) }
        )
    }

    /// Creates a source whose supply is made once for each scope.
    package init(
        _ token: Token? = nil,
        identity: String? = nil,
        servers: [String]?,
        within limit: Duration,
        making supply: @escaping @Sendable () -> any TokenSupply
    ) {
        self.identity = identity.map { "given \($0)" } ?? "random \(UUID().uuidString)"
        self.servers = servers.map { names in Result { () throws(RequestError) in try TokenServers.named(names) } }
        refreshers = PerScope { TokenRefreshers(first: token, within: limit, from: supply()) }
    }

    /// The place of a call on behalf of an account; `nil` if its server gets no token.
    func place(of origin: Origin?, for account: AccountIdentity?) throws -> TokenPlace? {
        let servers = try servers?.get() ?? .one(origin)
        return servers.include(origin) ? TokenPlace(servers: servers, account: account) : nil
    }

    /// The refresher for the calls of a scope to a server on behalf of an account.
    func refresher(of scope: AnyObject?, for place: TokenPlace) -> TokenRefresher {
        refreshers.value(for: scope).refresher(for: place)
    }

    /// Whether this source's own refresh for the account, or its sign-in, has started the call.
    func isRefreshing(in context: CallerTaskLocals, for account: AccountIdentity?) -> Bool {
        let refreshed = context.locals[RefreshedSources.self]
        return !refreshed.isEmpty
            && [RefreshedSource.Accounts.all, .one(account)].contains {
                refreshed.contains(RefreshedSource(of: self, for: $0))
            }
    }

    /// The number of calls to the network that wait for a refresh.
    package var waiterCount: Int { refreshers.value(for: nil).waiterCount }
}

extension TokenSource: Hashable {
    /// Whether both are the same object.
    public static func == (left: TokenSource, right: TokenSource) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TokenSource: CustomReflectable {
    /// An empty mirror: `dump` does not show tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
