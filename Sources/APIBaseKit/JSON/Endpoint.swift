extension JSONAPI {
    /// What a leaf says of its call: method, path, query and body.
    public struct Endpoint {
        /// The method.
        public var method: HTTPMethod
        /// The path below the API's base URL, as ``APIBase/path``.
        public var path: String
        /// What stands after the `?`, as ``APIBase/query``.
        public var query: QueryItems
        /// The body as a value, as ``JSONAPI/json``.
        public var json: (any Encodable)?

        /// Puts an endpoint together.
        public init(
            _ method: HTTPMethod = .get,
            _ path: String = "",
            query: QueryItems = [:],
            json: (any Encodable)? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.json = json
        }

        /// What reads.
        public static func get(_ path: String, query: QueryItems = [:]) -> Endpoint {
            Endpoint(.get, path, query: query)
        }

        /// What creates, or does something.
        public static func post(_ path: String, query: QueryItems = [:], json: (any Encodable)? = nil) -> Endpoint {
            Endpoint(.post, path, query: query, json: json)
        }

        /// What creates or replaces the thing at a path.
        public static func put(_ path: String, query: QueryItems = [:], json: (any Encodable)? = nil) -> Endpoint {
            Endpoint(.put, path, query: query, json: json)
        }

        /// What changes a part of the thing at a path.
        public static func patch(_ path: String, query: QueryItems = [:], json: (any Encodable)? = nil) -> Endpoint {
            Endpoint(.patch, path, query: query, json: json)
        }

        /// What removes.
        public static func delete(_ path: String, query: QueryItems = [:]) -> Endpoint {
            Endpoint(.delete, path, query: query)
        }
    }
}

extension JSONAPI.Endpoint: CustomStringConvertible {
    /// Method, path, and the names in the query.
    public var description: String {
        query.items.isEmpty ? "\(method.rawValue) \(path)" : "\(method.rawValue) \(path)?\(query)"
    }
}
