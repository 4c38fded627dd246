import LoopbackServer

/// Finds the handler of a request by method and path.
///
/// A pattern consists of literal segments and `:names`. The first matching route handles the request. A path without a
/// route is answered with 404, a path with other methods with 405 and `Allow` (RFC 9110, section 15.5.6). OPTIONS is
/// answered with `Allow`, and HEAD as GET.
struct Router: Sendable {
    typealias Handler = @Sendable (ServerRequest, RouteParameters) throws -> ServerResponse

    private struct Route: Sendable {
        let method: String
        let pattern: [Substring]
        let handler: Handler
    }

    private var routes: [Route] = []

    /// Adds a route. The handler throws ``HTTPError`` to refuse a request.
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
                return (error as? HTTPError ?? HTTPError(500, "\(error)")).response
            }
        }
        guard !methods.isEmpty else { return .error(404, "There is nothing at \(request.path).") }
        return allowed(methods, status: method == "OPTIONS" ? 204 : 405)
    }

    private func allowed(_ methods: Set<String>, status: Int) -> ServerResponse {
        let all = methods.union(methods.contains("GET") ? ["HEAD", "OPTIONS"] : ["OPTIONS"]).sorted()
            .joined(separator: ", ")
        let headers: HTTPFields = HTTPFields(["Allow": all])
        guard status == 405 else { return ServerResponse(status: status, headers: headers) }
        return .error(405, "The allowed methods are \(all).", headers: headers)
    }
}

/// The values in a path for the `:names` of a pattern.
struct RouteParameters: Sendable {
    private var values: [Substring: String] = [:]

    /// `nil` if the path does not match.
    init?(_ segments: [String], matching pattern: [Substring]) {
        guard segments.count == pattern.count else { return nil }
        for (segment, part) in zip(segments, pattern) {
            if part.first == ":" {
                guard !segment.isEmpty else { return nil }
                values[part.dropFirst()] = segment
            } else if part != segment {
                return nil
            }
        }
    }

    subscript(name: Substring) -> String { values[name] ?? "" }

    func number(_ name: Substring) -> Int? { Int(self[name]) }
}

extension ServerRequest {
    /// A number in the query. Throws 400 for anything else, or a number out of range.
    func number(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
        guard let text = queryValue(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw HTTPError(400, "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The base URL that the client used.
    var baseURL: String { "http://\(host ?? "localhost")" }

    var absolutePath: String { baseURL + path }
}
