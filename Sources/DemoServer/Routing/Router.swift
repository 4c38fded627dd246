/// Finds the handler of a request by its method and path.
///
/// A pattern is literal pieces and `:names` between slashes. The first route that was added and matches is asked. A
/// path no pattern matches is answered with 404, a known path with another method with 405 and `Allow`
/// (RFC 9110, section 15.5.6), OPTIONS with `Allow`, HEAD as GET.
struct Router: Sendable {
    typealias Handler = @Sendable (ServerRequest, RouteParameters) throws(HTTPFault) -> ServerResponse

    private struct Route: Sendable {
        let method: String
        let pattern: [Substring]
        let handler: Handler
    }

    private var routes: [Route] = []

    mutating func on(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        routes.append(Route(method: method, pattern: pattern.split(separator: "/"), handler: handler))
    }

    func response(to request: ServerRequest) -> ServerResponse {
        if request.path == "*" { return allowed(Set(routes.map(\.method)), status: 204) }
        let method = request.method == "HEAD" ? "GET" : request.method
        var methods: Set<String> = []
        for route in routes {
            guard let parameters = RouteParameters(request.pathSegments, matching: route.pattern) else { continue }
            guard route.method == method else {
                methods.insert(route.method)
                continue
            }
            do {
                return try route.handler(request, parameters)
            } catch {
                return error.response
            }
        }
        guard !methods.isEmpty else { return .error(404, "Nothing is found at \(request.path).") }
        return allowed(methods, status: method == "OPTIONS" ? 204 : 405)
    }

    private func allowed(_ methods: Set<String>, status: Int) -> ServerResponse {
        let all = methods.union(methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]).sorted()
        let headers: HTTPFields = HTTPFields(["Allow": all.joined(separator: ", ")])
        guard status == 405 else { return ServerResponse(status: status, headers: headers) }
        return .error(405, "The methods allowed here are \(all.joined(separator: ", ")).", headers: headers)
    }
}
