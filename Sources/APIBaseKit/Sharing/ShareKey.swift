import HTTPTransport

/// What makes two calls equal.
struct ShareKey: Hashable {
    private let type: ObjectIdentifier
    private let method: String
    private let url: String
    private let headers: [String: String]
    private let authorization: Authorization?
    /// The sources that the call renews a token for: it goes without that token.
    private let refreshing: Set<ObjectIdentifier>
    private let session: ObjectIdentifier
    private let substitute: ObjectIdentifier?

    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// - Returns: `nil` if the call is not to be shared, or cannot be built.
    init?(_ api: APIBase, in context: CallerContext, scope: CallScope?) {
        guard api.sharing == .safeMethods else { return nil }
        let built = context.run { Result { try scope?.run(api.buildURLRequest) ?? api.buildURLRequest() } }
        guard let request = try? built.get(), let body = try? api.transportBody(of: request), body.isEmpty else {
            return nil
        }
        method = request.httpMethod ?? "GET"
        guard Self.safeMethods.contains(method) else { return nil }
        type = ObjectIdentifier(Swift.type(of: api))
        url = request.url?.absoluteString ?? ""
        headers = request.allHTTPHeaderFields ?? [:]
        authorization = api.authorization
        refreshing = context.refreshing
        session = ObjectIdentifier(api.session)
        substitute = (scope?.substitute ?? api.substitute).map { ObjectIdentifier($0) }
    }
}
