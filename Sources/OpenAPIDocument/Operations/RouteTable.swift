import Foundation

/// The operations of a document by their paths.
struct RouteTable: Sendable {
    enum Match {
        /// The index of the operation, and the parameters in the path, percent-encoded.
        case operation(Int, parameters: [String: String])
        /// The path is in the document, but not with this method: the indices of its operations.
        case otherMethods([Int])
        /// The index of an operation with a similar path, if there is any.
        case none(nearest: Int?)
    }

    fileprivate struct Route: Sendable {
        let index: Int
        let segments: [SegmentTemplate]
        /// The query items that some documents have in the path, to tell operations apart.
        let query: Set<String>
    }

    let operations: [DocumentedOperation]
    /// By the number of segments, concrete ones first.
    private let routes: [Int: [Route]]
    /// The paths of the servers in segments, `nil` for one with a variable, the longest first.
    private let bases: [[String?]]

    init(_ document: Document) {
        operations = document.operations()
        let routes = operations.enumerated().map { index, operation in
            let path = operation.path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
            let query = path.count > 1 ? path[1].split(separator: "&").filter { !$0.contains("{") } : []
            let segments = Self.segments(path.first ?? "").map(SegmentTemplate.init)
            return Route(index: index, segments: segments, query: Set(query.map(String.init)))
        }
        self.routes = Dictionary(grouping: routes, by: \.segments.count).mapValues { routes in
            routes.sorted {
                let ranks = ($0.segments.map(\.rank), $1.segments.map(\.rank))
                if ranks.0 != ranks.1 { return ranks.0.lexicographicallyPrecedes(ranks.1) }
                return ($1.query.count, $0.index) < ($0.query.count, $1.index)
            }
        }
        let places = [document.root] + operations.flatMap { [$0.item, $0.node] }
        let servers = places.flatMap { $0["servers"]?.elements ?? [] }
        bases = Set(servers.flatMap { [$0.text("url") ?? "", $0.serverURL] }.map(Self.base)).sorted {
            ($1.count, "\($0)") < ($0.count, "\($1)")
        }
    }

    /// Finds the operation of a request. A host that the document does not name is no difference: tests and stages have
    /// others.
    func match(_ request: SentRequest) -> Match {
        let path = Self.segments(request.url.percentEncodedPath[...])
        let below = request.pathBelowBase.map { [Self.segments($0[...])] } ?? []
        // A server's variable may stand for any segment, so the whole path comes first.
        let (bases, variable) = (bases.filter { !$0.contains(nil) }, bases.filter { $0.contains(nil) })
        let candidates = below + Self.rests(of: path, bases) + [path] + Self.rests(of: path, variable)
        var others: [Int] = []
        for candidate in candidates {
            for route in routes[candidate.count] ?? [] {
                guard let parameters = Self.parameters(of: route, in: candidate), route.fits(request) else { continue }
                let method = operations[route.index].method
                if method == request.method { return .operation(route.index, parameters: parameters) }
                others.append(route.index)
            }
        }
        // A server answers HEAD wherever it answers GET (RFC 9110, section 9.1).
        if request.method == "HEAD" {
            var get = request
            get.method = "GET"
            if case .operation(let index, let parameters) = match(get) {
                return .operation(index, parameters: parameters)
            }
        }
        return others.isEmpty ? .none(nearest: nearest(to: candidates[0])) : .otherMethods(others)
    }

    /// The path below each base with which it begins.
    private static func rests(of path: [Substring], _ bases: [[String?]]) -> [[Substring]] {
        bases.filter { begins(path, with: $0) }.map { base in
            path.count == base.count ? [""] : Array(path.dropFirst(base.count))
        }
    }

    private static func parameters(of route: Route, in path: [Substring]) -> [String: String]? {
        var found: [String: String] = [:]
        for (template, segment) in zip(route.segments, path) {
            guard let parameters = template.parameters(in: segment) else { return nil }
            for (name, value) in parameters { found[name] = String(value) }
        }
        return found
    }

    /// The operation that has most segments in common with a path.
    private func nearest(to path: [Substring]) -> Int? {
        let scores = (max(path.count - 1, 1)...path.count + 1).flatMap { routes[$0] ?? [] }.map { route in
            let common = zip(route.segments, path).reduce(0) { $0 + $1.0.similarity(to: $1.1) }
            return (score: common - Double(abs(route.segments.count - path.count)), index: route.index)
        }
        let best = scores.max { ($0.score, $1.index) < ($1.score, $0.index) }
        return best.flatMap { $0.score > 0.5 ? $0.index : nil }
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func base(_ url: String) -> [String?] {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        // A variable at the beginning stands for scheme and host.
        let hasHost = start > url.startIndex || url.hasPrefix("{")
        let rest = hasHost ? url[start...].drop { $0 != "/" } : url[...]
        return rest.split(separator: "/").map { $0.contains("{") ? nil : String($0) }
    }

    private static func begins(_ path: [Substring], with base: [String?]) -> Bool {
        path.count >= base.count && zip(path, base).allSatisfy { $1 == nil || $1 == String($0) }
    }
}

extension RouteTable.Route {
    /// Whether a request has the query items of the path.
    fileprivate func fits(_ request: SentRequest) -> Bool {
        query.isEmpty
            || query.isSubset(of: (request.url.percentEncodedQuery ?? "").split(separator: "&").map(String.init))
    }
}
