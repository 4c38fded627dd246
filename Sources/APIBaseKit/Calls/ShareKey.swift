import Basics
import HTTPTransport

/// The properties by which two calls are equal.
struct ShareKey: Hashable, Sendable {
    private struct Parts: Hashable {
        let type: ObjectIdentifier
        let method: String
        let url: String
        let headers: [String: String]
        let authorization: Authorization?
        /// The sources that the call renews a token for: it goes without that token.
        let refreshing: Set<ObjectIdentifier>
        let session: Identity
        let substitute: Identity?
        let timeout: TimeInterval
        let cachePolicy: UInt
        let limits: ExchangeLimits
        let secretHeaders: Set<String>
        let idempotencyKey: IdempotencyKey?
        let retry: Retry
        /// What the steps of the call ask for.
        let steps: [AnyHashable]
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
            budget = policy.budget.map(Identity.init)
        }
    }

    /// Unchecked: values, and objects that are kept and otherwise left alone.
    private let parts: UncheckedSendable<Parts>
    /// The request that is sent, unaffected by later changes of the request object. It is not compared, since its parts are.
    let request: URLRequest
    var authorization: Authorization? { parts.value.authorization }

    /// - Returns: `nil` if the call cannot be built, or may not be shared.
    init?(_ call: Call, steps: [AnyHashable]) {
        let api = call.api
        let built = call.context.run { Result { try call.inScope(api.buildURLRequest) } }
        guard let request = try? built.get(), request.method.isSafe,
            let body = try? api.transportBody(of: request), body.isEmpty
        else { return nil }
        self.request = request
        parts = UncheckedSendable(
            Parts(
                type: ObjectIdentifier(type(of: api)),
                method: request.httpMethod ?? "GET",
                url: request.url?.absoluteString ?? "",
                headers: request.allHTTPHeaderFields ?? [:],
                authorization: api.authorization,
                refreshing: call.context.locals[RefreshedSources.self],
                session: Identity(object: api.session),
                substitute: call.substitute.map(Identity.init),
                timeout: request.timeoutInterval,
                cachePolicy: request.cachePolicy.rawValue,
                limits: api.limits,
                secretHeaders: api.secretHeaders,
                idempotencyKey: api.idempotencyKey,
                retry: Retry(api.retry),
                steps: steps
            )
        )
    }

    static func == (left: ShareKey, right: ShareKey) -> Bool { left.parts.value == right.parts.value }

    /// Takes the properties that nearly always tell two calls apart.
    func hash(into hasher: inout Hasher) {
        hasher.combine(parts.value.type)
        hasher.combine(parts.value.url)
    }
}

/// An object that is held for as long as it is compared.
struct Identity: Hashable {
    let object: AnyObject

    static func == (left: Identity, right: Identity) -> Bool { left.object === right.object }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
