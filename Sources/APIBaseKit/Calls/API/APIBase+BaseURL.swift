extension APIBase {
    /// Has all calls of this API go to another base URL, in the whole process: `BooksAPI.useBaseURL(url)`.
    ///
    /// It holds for this class and all that inherit from it, for calls that are sent from now on, and comes before the
    /// ``baseURL`` of their request objects, which stay as they are. Of several classes the nearest counts. What
    /// ``withBaseURL(_:isolation:_:)`` says comes first.
    ///
    /// - Parameter url: The base URL; `nil` to have the request objects decide again.
    public class func useBaseURL(_ url: URL?) {
        BaseURLs.setForProcess(url, for: self)
    }

    /// Runs `body`, and has the calls of this API that are started in it go to another base URL, in all their attempts.
    ///
    /// It holds for this class and all that inherit from it, in child tasks and in the closures of a call's publisher as well,
    /// and comes before the ``baseURL`` of their request objects. It does not hold in detached tasks, nor in code that is
    /// handed to another queue, as behind `receive(on:)`. A test says it with the trait `.baseURL(_:of:)`.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public class func withBaseURL<Value>(
        _ url: URL,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let urls = BaseURLs.inScope.with(url, for: self)
        return try await BaseURLs.$inScope.withValue(urls, operation: body, isolation: isolation)
    }

    /// The same for code that is not `async`.
    public class func withBaseURL<Value>(_ url: URL, _ body: () throws -> Value) rethrows -> Value {
        try BaseURLs.$inScope.withValue(BaseURLs.inScope.with(url, for: self), operation: body)
    }

    /// The base URL of this request: the one set for its API in the scope or the process, or else ``baseURL``.
    var effectiveBaseURL: URL? {
        BaseURLs.current(for: type(of: self)) ?? baseURL
    }
}
