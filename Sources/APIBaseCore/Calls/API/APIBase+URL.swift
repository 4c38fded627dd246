extension APIBase {
    /// The URL of the request: ``baseURL``, ``path`` and ``queryItems`` joined as text and parsed once, or another path
    /// and query where a feature says so.
    package func buildURL() throws(RequestError) -> URL {
        let own = (path: path, items: queryItems)
        let target = RequestChange.of(self)?.target(own.path, own.items) ?? own
        do throws(RequestError.InvalidURL) {
            return try URLBuilder(base: effectiveBaseURL, path: target.path, queryItems: target.items).url()
        } catch {
            throw .invalidURL(error)
        }
    }
}

extension APIBase {
    /// Sets the base URL of this API for the whole process: `BooksAPI.useBaseURL(url)`.
    ///
    /// It applies to this class and its subclasses, for calls that are sent from now on. It takes precedence over the
    /// ``baseURL`` of request objects; ``withBaseURL(_:isolation:_:)`` and the base URL of an ``APIAccount`` take
    /// precedence over it. Of several classes the nearest counts.
    ///
    /// - Parameter url: The base URL; `nil` to use that of the request objects again.
    public class func useBaseURL(_ url: URL?) {
        Accounts.setForProcess(url, for: self)
    }

    /// Runs `body` with another base URL for the calls of this API that it starts, in all their attempts.
    ///
    /// It applies to this class and its subclasses, also in child tasks and in the closures of a call's publisher, and
    /// takes precedence over the ``baseURL`` of request objects, and over that of an account whose scope is outside.
    /// It does not apply in detached tasks or on other queues, as after `receive(on:)`. Tests can use the trait
    /// `.baseURL(_:of:)`.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public class func withBaseURL<Value>(
        _ url: URL,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let accounts = Accounts.inScope.with(url, for: self)
        return try await Accounts.$inScope.withValue(accounts, operation: body, isolation: isolation)
    }

    /// Runs a synchronous `body` with another base URL for the calls of this API that it starts.
    public class func withBaseURL<Value>(_ url: URL, _ body: () throws -> Value) rethrows -> Value {
        try Accounts.$inScope.withValue(Accounts.inScope.with(url, for: self), operation: body)
    }
}

extension APIBase {
    /// The items after the `?` by name: a view of ``queryItems``.
    public var query: QueryItems {
        get { QueryItems(queryItems) }
        set { queryItems = newValue.items }
    }

    /// Sets the properties of a value as query items, which replace items of the same names.
    ///
    /// - Parameters:
    ///   - value: A value that encodes as an object, such as a struct. Properties that are `nil` are left out.
    ///   - style: How names and values are written.
    /// - Throws: `EncodingError` for a value that is not an object, and the errors of its encoding. The query is
    ///   unchanged then.
    public func setQuery(_ value: some Encodable, style: QueryStyle = QueryStyle()) throws {
        let fields = try style.fields(of: value)
        var texts = Dictionary(grouping: fields, by: \.name).mapValues { $0.map(\.value) }
        let names = Set(texts.keys)
        func takeItems(_ name: String) -> [URLQueryItem] {
            (texts.removeValue(forKey: name) ?? []).map { URLQueryItem(name: name, value: $0) }
        }
        let items = queryItems.flatMap { names.contains($0.name) ? takeItems($0.name) : [$0] }
        queryItems = items + fields.flatMap { takeItems($0.name) }
    }
}

extension APIBase {
    /// The template of ``path``, such as `/books/{id}`: that of the ``EndpointPath`` with which the request object was
    /// made. `nil` if the path was set as a text.
    ///
    /// Set it after ``path`` where a class has no ``JSONAPI/Endpoint``.
    public var pathTemplate: String? {
        get { own.value.pathTemplate }
        set { own.value.pathTemplate = newValue }
    }

    /// The path with its template; `nil` if it has none.
    var endpointPath: EndpointPath? {
        let own = own.value
        return own.pathTemplate.map { EndpointPath(own.path, template: $0) }
    }
}
