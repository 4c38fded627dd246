/// The settings of the calls that are started in a scope: stubs or a recording in the network's place, and base URLs.
struct CallScope {
    private let sessionScope: (any SessionScope)?
    private let baseURLs: BaseURLs

    /// That of the code that runs; `nil` outside of any.
    static var current: CallScope? {
        let (sessionScope, baseURLs) = (SessionScopes.current, BaseURLs.inScope)
        return sessionScope == nil && baseURLs.isEmpty ? nil : CallScope(sessionScope: sessionScope, baseURLs: baseURLs)
    }

    /// What stands in for the network; `nil` if nothing does.
    var substitute: AnyObject? { sessionScope?.owner }

    /// The session that carries a call out, given the one that would outside of the scope.
    func session(over own: @autoclosure () -> any HTTPSession) -> any HTTPSession {
        sessionScope?.session(over: own()) ?? own()
    }

    /// The time of one call; `nil` if the scope has no say in it.
    func makeClock() -> (any CallClock)? { sessionScope?.makeClock() }

    /// Runs `body` inside the scope.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SessionScopes.$current.withValue(sessionScope) {
            try BaseURLs.$inScope.withValue(baseURLs, operation: body)
        }
    }
}
