extension JSONAPI {
    /// The method, path, query and body of a call.
    public struct Endpoint {
        /// The method.
        public var method: HTTPMethod
        /// The path below the API's base URL, as ``APIBase/path``, with its template.
        public var path: EndpointPath
        /// The items after the `?`, as ``APIBase/query``.
        public var query: QueryItems
        /// The body as a value, as ``JSONAPI/json``.
        public var json: (any Encodable)?
        /// The body in any other form, as ``APIBase/content``.
        public var content: HTTPBody?

        /// Creates an endpoint.
        public init(
            _ method: HTTPMethod = .get,
            _ path: EndpointPath = "",
            query: QueryItems = [:],
            json: (any Encodable)? = nil,
            content: HTTPBody? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.json = json
            self.content = content
        }

        /// A call that reads a resource.
        public static func get(_ path: EndpointPath, query: QueryItems = [:]) -> Endpoint {
            Endpoint(.get, path, query: query)
        }

        /// A call that reads only the head of the response.
        public static func head(_ path: EndpointPath, query: QueryItems = [:]) -> Endpoint {
            Endpoint(.head, path, query: query)
        }

        /// A call that reads what its body asks for (RFC 10008).
        public static func query(
            _ path: EndpointPath,
            query: QueryItems = [:],
            json: (any Encodable)? = nil,
            content: HTTPBody? = nil
        ) -> Endpoint {
            Endpoint(.query, path, query: query, json: json, content: content)
        }

        /// A call that creates a resource, or performs an action.
        public static func post(
            _ path: EndpointPath,
            query: QueryItems = [:],
            json: (any Encodable)? = nil,
            content: HTTPBody? = nil
        ) -> Endpoint {
            Endpoint(.post, path, query: query, json: json, content: content)
        }

        /// A call that creates or replaces the resource at a path.
        public static func put(
            _ path: EndpointPath,
            query: QueryItems = [:],
            json: (any Encodable)? = nil,
            content: HTTPBody? = nil
        ) -> Endpoint {
            Endpoint(.put, path, query: query, json: json, content: content)
        }

        /// A call that changes a part of the resource at a path.
        public static func patch(
            _ path: EndpointPath,
            query: QueryItems = [:],
            json: (any Encodable)? = nil,
            content: HTTPBody? = nil
        ) -> Endpoint {
            Endpoint(.patch, path, query: query, json: json, content: content)
        }

        /// A call that deletes the resource at a path.
        public static func delete(
            _ path: EndpointPath,
            query: QueryItems = [:],
            json: (any Encodable)? = nil
        ) -> Endpoint {
            Endpoint(.delete, path, query: query, json: json)
        }
    }
}

extension JSONAPI.Endpoint: CustomStringConvertible, CustomReflectable {
    /// An empty mirror: `dump` does not show the body.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The method, the path, and the names in the query.
    public var description: String {
        let path = URL(string: path.text)?.redacted?.absoluteString ?? "<path>"
        return query.items.isEmpty ? "\(method.rawValue) \(path)" : "\(method.rawValue) \(path)?\(query)"
    }
}
