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
    private let deadline: Duration?
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
        deadline = api.retry.deadline
        self.request = Frozen(value: request)
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
