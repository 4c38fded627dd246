import Basics
import HTTPTransport

/// The properties by which two calls are equal.
struct ShareKey: Hashable, Sendable {
    private let type: ObjectIdentifier
    private let method: String
    private let url: String
    private let headers: [String: String]
    let authorization: Authorization?
    /// The sources that the call renews a token for: it goes without that token.
    private let refreshing: Set<ObjectIdentifier>
    private let session: Identity
    private let substitute: Identity?
    private let timeout: TimeInterval
    private let cachePolicy: UInt
    private let limits: ExchangeLimits
    private let secretHeaders: Set<String>
    private let idempotencyKey: IdempotencyKey?
    private let retry: Retry
    private let cache: Identity?
    private let gate: Identity?
    /// The request that is sent, unaffected by later changes of the request object.
    let request: Frozen

    /// - Returns: `nil` if the call is not to be shared, or cannot be built.
    init?(_ api: APIBase, in context: CallerContext, scope: CallScope?) {
        guard api.sharing == .safeMethods else { return nil }
        let built = context.run { Result { try scope?.run(api.buildURLRequest) ?? api.buildURLRequest() } }
        guard let request = try? built.get(), let body = try? api.transportBody(of: request), body.isEmpty else {
            return nil
        }
        method = request.httpMethod ?? "GET"
        guard request.method.isSafe else { return nil }
        type = ObjectIdentifier(Swift.type(of: api))
        url = request.url?.absoluteString ?? ""
        headers = request.allHTTPHeaderFields ?? [:]
        authorization = api.authorization
        refreshing = context.refreshing
        session = Identity(api.session)
        substitute = (scope?.substitute ?? api.substitute).map { Identity($0) }
        timeout = request.timeoutInterval
        cachePolicy = request.cachePolicy.rawValue
        limits = api.limits
        secretHeaders = api.secretHeaders
        idempotencyKey = api.idempotencyKey
        retry = Retry(api.retry)
        cache = api.cache.map { Identity($0) }
        gate = api.gate.map { Identity($0) }
        self.request = Frozen(value: request)
    }

    /// The properties that nearly always tell two calls apart.
    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(url)
    }

    /// A policy, without its backoff: that is a closure.
    private struct Retry: Hashable {
        let attempts: Int
        let statusCodes: Set<Int>
        let methods: Set<HTTPMethod>
        let longestRetryAfter: Duration
        let deadline: Duration?
        let budget: Identity?

        init(_ policy: RetryPolicy) {
            attempts = policy.attempts
            statusCodes = policy.statusCodes
            methods = policy.methods
            longestRetryAfter = policy.longestRetryAfter
            deadline = policy.deadline
            budget = policy.budget.map { Identity($0) }
        }
    }

    /// A request that is not compared, since its parts are.
    struct Frozen: Hashable {
        let value: URLRequest
        static func == (left: Frozen, right: Frozen) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// An object that is held for as long as it is compared.
    private struct Identity: Hashable, Sendable {
        let id: ObjectIdentifier
        /// Unchecked: it is kept, and nothing is done with it.
        private let held: UncheckedSendable<AnyObject>

        init(_ object: AnyObject) {
            id = ObjectIdentifier(object)
            held = UncheckedSendable(object)
        }

        static func == (left: Identity, right: Identity) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}
