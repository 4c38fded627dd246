/// The settings of the calls that are started in a scope: stubs or a recording in the network's place, and base URLs.
///
/// Tasks inherit it, but for detached ones; queues, threads and event loops do not, nor does what is behind `receive(on:)`.
/// There it is handed on:
///
/// ```swift
/// let scope = CallScope.here
/// queue.async {
///     scope.run { screen.reload() }
/// }
/// ```
///
/// Outside of all scopes it holds nothing and changes nothing, so that a program can hand it on without knowing of tests.
public struct CallScope: Sendable {
    private let sessionScope: (any SessionScope)?
    private let baseURLs: BaseURLs

    /// The scope of the code that runs.
    public static var here: CallScope {
        CallScope(sessionScope: SessionScopes.current, baseURLs: BaseURLs.inScope)
    }

    /// Runs `body` inside the scope: what it starts belongs to it.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await SessionScopes.$current.withValue(
            sessionScope,
            operation: { try await BaseURLs.$inScope.withValue(baseURLs, operation: body, isolation: isolation) },
            isolation: isolation
        )
    }

    /// The scope of the running code; `nil` outside of any.
    static var current: CallScope? {
        let (sessionScope, baseURLs) = (SessionScopes.current, BaseURLs.inScope)
        return sessionScope == nil && baseURLs.isEmpty ? nil : CallScope(sessionScope: sessionScope, baseURLs: baseURLs)
    }

    /// The stand-in for the network: stubs or a recording; `nil` if the scope has none.
    var substitute: AnyObject? { sessionScope?.owner }

    /// The session that carries a call out, given the one that would outside of the scope.
    func session(over own: @autoclosure () -> any HTTPSession) -> any HTTPSession {
        sessionScope?.session(over: own()) ?? own()
    }

    /// The time of one call; `nil` if the scope has no say in it.
    func makeClock() -> (any CallClock)? { sessionScope?.makeClock() }

    /// Runs `body` inside the scope, if that is not `async`.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SessionScopes.$current.withValue(sessionScope) {
            try BaseURLs.$inScope.withValue(baseURLs, operation: body)
        }
    }
}
