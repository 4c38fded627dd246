import Basics
package import HTTPTransport

/// One account at one server: what differs between two customers, stages or tests of one API.
///
/// ```swift
/// let shop = APIAccount(baseURL: url, authorization: .tokens(tokens))
/// let orders = try await OrdersRequest().on(shop).value()
///
/// try await ShopAPI.with(shop) {
///     try await synchronize()        // every call of the API in here is this shop's
/// }
/// ```
///
/// The settings of an account take precedence over the class and the request object; the rest stays as the class says.
/// It is a value: two accounts are the same if all their parts are equal, so a service can make one for each request
/// that it handles. A token source, a session, a gate and a cache are equal if they are the same object.
///
/// Two accounts share nothing that the kit keeps: each has its own tokens, also of a ``TokenSource`` of the class, its
/// own queue and circuit breaker at a ``CallGate`` of the class, and its own cached responses. Equal calls of two
/// accounts never share an exchange. To have a limit for all accounts, give each of them the same gate.
public struct APIAccount: AccountSettings, Hashable {
    /// The name of the account in events, logs and metrics, such as that of a tenant: ``CallEvent/Info/account``.
    public var name: String?
    /// The base URL of the account's server; `nil` for that of the API. See ``APIBase/baseURL``.
    public var baseURL: URL?
    /// The credentials; `nil` for those of the API.
    public var authorization: Authorization?
    /// More headers, which replace those of the API with the same name. They are treated as secret: they are never sent
    /// to another origin and never printed, and calls with different values never share a cached response.
    public var headers: HTTPHeaders
    /// The session, such as one with the account's client certificate; `nil` for that of the API. A cache of the API is
    /// then not used, since it could not tell two such accounts apart.
    public var session: (any HTTPSession)? {
        get { ownSession }
        set { ownSession = newValue }
    }
    @ByIdentity private var ownSession: (any HTTPSession)?
    /// The watchers of the account's calls, besides those of the API. They do not make two accounts different.
    public var watchers: [any CallWatcher] {
        get { ownWatchers.value }
        set { ownWatchers.value = newValue }
    }
    private var ownWatchers: Uncompared<[any CallWatcher]>
    /// The features that replace those of the API.
    package var features = CallFeatures()

    /// Creates an account.
    public init(
        name: String? = nil,
        baseURL: URL? = nil,
        authorization: Authorization? = nil,
        headers: HTTPHeaders = [:],
        session: (any HTTPSession)? = nil,
        watchers: [any CallWatcher] = []
    ) {
        self.name = name
        ownWatchers = Uncompared(value: watchers)
        self.baseURL = baseURL
        self.authorization = authorization
        self.headers = headers
        ownSession = session
    }
}

/// A part of a value that does not make two values different.
private struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    static func == (left: Uncompared, right: Uncompared) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension APIAccount: CustomStringConvertible, CustomReflectable {
    /// The name, and the base URL without its query.
    public var description: String {
        let name = name.map { " \($0)" } ?? ""
        return "<account\(name)\(baseURL?.redacted.map { " at \($0.absoluteString)" } ?? "")>"
    }

    /// An empty mirror: `dump` does not show credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A call of an API, as stubs see it.
package protocol APICaller: ExchangeCaller {
    var account: APIAccount? { get }
    /// The headers that the API declares secret.
    var secretHeaders: Set<String> { get }
    /// The path of the request object with its template, if it has one.
    var endpointPath: EndpointPath? { get }
    var startPlace: (fileID: String, line: Int)? { get }
}

extension APIBase {
    /// Makes this object's calls those of an account, in place of the API's own settings or the account of a scope.
    ///
    /// Calls that an attempt makes belong to it as well, as in ``intercept(_:next:)`` or to renew a token, if they are
    /// of the same API: they descend from the same topmost class below ``JSONAPI`` or ``APIBase``, and have the same
    /// ``JSONAPI/baseURL`` of the class. Calls made from its values do not.
    ///
    /// - Returns: This object: `OrdersRequest().on(shop).value()`.
    @discardableResult
    public func on(_ account: APIAccount) -> Self {
        chosenAccount = account
        return self
    }

    /// Runs `body`, in which every call of this API is one of an account: `ShopAPI.with(shop) { … }`.
    ///
    /// It applies to this class and its subclasses, in child tasks and in the closures of a call's publisher, but not
    /// in detached tasks or on other queues: hand ``CallScope/here`` on there. Of several classes the nearest counts,
    /// and of nested scopes for one class the inner one, whose account replaces the outer one as a whole. Calls that an
    /// attempt makes belong to its account, as with ``on(_:)``, which takes precedence.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public class func with<Value>(
        _ account: APIAccount,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let accounts = Accounts.inScope.with(account, for: self)
        return try await Accounts.$inScope.withValue(accounts, operation: body, isolation: isolation)
    }

    /// Unavailable: use ``on(_:)`` for a request object.
    @available(*, unavailable, message: "Use on(_:) for a request object. with(_:_:) is for a class and a scope.")
    public func with(_ account: APIAccount) -> Self { self }

    /// Runs a synchronous `body`, in which every call of this API is one of an account.
    public class func with<Value>(_ account: APIAccount, _ body: () throws -> Value) rethrows -> Value {
        try Accounts.$inScope.withValue(Accounts.inScope.with(account, for: self), operation: body)
    }

    /// The account of the calls; `nil` if neither the object nor the scope has one.
    package var account: APIAccount? { account(in: Accounts.inScope) }

    func account(in accounts: Accounts) -> APIAccount? {
        chosenAccount ?? accounts.account(for: type(of: self)) as? APIAccount
    }

    /// The base URL of the account, the scope or the process, or else ``baseURL``.
    var effectiveBaseURL: URL? {
        let type = type(of: self)
        if let url = chosenAccount?.baseURL ?? Accounts.inScope.baseURL(for: type) { return url }
        return Accounts.baseURLOfProcess(for: type) ?? baseURL
    }

    /// The headers with those of the account. Credentials of the account replace an `Authorization` header of the API.
    var effectiveHeaders: HTTPHeaders {
        guard let account else { return headers }
        var headers = headers
        if let own = account.authorization { for name in own.headerNames + ["Authorization"] { headers[name] = nil } }
        for (name, _) in account.headers { headers[name] = nil }
        for (name, value) in account.headers { headers.add(name: name, value: value) }
        return headers
    }
}

extension CallScope {
    /// The scope of an object's call, given that of the code which starts it. Its account also applies to other calls
    /// of the API that are made inside, as for a token.
    package static func of(_ object: APIBase, in scope: CallScope?) -> CallScope? {
        guard object.chosenAccount != nil || scope?.accounts.isEmpty == false else { return scope }
        let type = type(of: object)
        var scope = scope ?? CallScope()
        if let account = object.chosenAccount, type.isOfUser {
            scope.accounts = scope.accounts.with(account, for: type)
        }
        let server = type.server
        scope.accounts = scope.accounts.extending(accountOf: type, to: type.root) {
            // Its own class in any case: a base URL may be computed, and differ from one time to another.
            $0 == type || ($0 as? APIBase.Type)?.server == server
        }
        return scope
    }
}

extension APIBase {
    /// Whether the class is not one of the kit's own, which all APIs share.
    fileprivate class var isOfUser: Bool { self != JSONAPI.self && self != APIBase.self }

    /// The topmost class of the API: the last one below the kit's own classes.
    fileprivate class var root: APIBase.Type {
        var root = self
        while let above = _getSuperclass(root) as? APIBase.Type, above.isOfUser { root = above }
        return root
    }

    /// The base URL by which APIs with a common superclass are told apart.
    fileprivate class var server: URL? { (self as? JSONAPI.Type)?.baseURL }
}

extension APIAccount {
    package var identity: AccountIdentity {
        var values = self
        let owner = authorization?.owner
        if owner != nil { values.authorization = nil }
        (values.session, values.features, values.watchers) = (nil, CallFeatures(), [])
        return AccountIdentity(values: values, objects: [owner, session] + features.list)
    }
}
