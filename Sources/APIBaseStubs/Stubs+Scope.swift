public import HTTPTransport
public import PortableCombine

extension Stubs {
    /// Runs `body` with these stubs in the network's place, and checks them when it has returned.
    ///
    /// They hold for every call that is **started** in the scope (`start()`, `value()`), wherever it is subscribed to
    /// and retried, and for what its publisher's closures start in turn. `async` child tasks and `Task { }` inherit the
    /// scope; `Task.detached { }` does not, nor does code that is handed to another queue, as behind
    /// `receive(on: DispatchQueue.main)`: there the request object's own session is used, so give it the stubs
    /// (`request.session = stubs`).
    ///
    /// Scopes nest: an inner one's stubs come first, an outer one's answer what they do not. Scopes beside each other
    /// know nothing of each other.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; if it throws nothing, ``StubProblems``.
    public func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let value = try await SessionScopes.$current.withValue(StubScope(self), operation: body, isolation: isolation)
        try verify()
        return value
    }

    /// The same for code that is not `async`. Calls that are still under way when `body` returns go on, but what comes
    /// of them is not checked.
    public func run<Value>(_ body: () throws -> Value) throws -> Value {
        let value = try SessionScopes.$current.withValue(StubScope(self), operation: body)
        try verify()
        return value
    }

    /// Runs `body` with these stubs in the network's place, and checks nothing afterwards.
    package func hold<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await SessionScopes.$current.withValue(StubScope(self), operation: body, isolation: isolation)
    }
}

extension Stubs: HTTPSession {
    /// One hop, answered by the stubs: `request.session = stubs`. What they pass through goes out by
    /// ``/HTTPTransport/DefaultSession/shared``.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        StubbedSession(stubs: [self], own: DefaultSession.shared).exchange(request)
    }
}

extension Stubs: SessionScope {
    package func session(over own: any HTTPSession) -> any HTTPSession { StubbedSession(stubs: [self], own: own) }

    package func makeClock() -> any CallClock { clock.makeCallClock() }
}

/// Stubs as they hold in one scope: with those of the scopes around it.
final class StubScope: SessionScope {
    /// The innermost first.
    let stubs: [Stubs]
    /// The scope around them that is of another kind, if there is one.
    private let outer: (any SessionScope)?

    init(_ stubs: Stubs) {
        let around = SessionScopes.current
        let known = around as? StubScope
        self.stubs = [stubs] + (known?.stubs ?? [])
        outer = known.map(\.outer) ?? around
    }

    var owner: AnyObject { stubs[0] }

    /// A session that stands in for the network itself is more particular than the scope, and stays.
    func session(over own: any HTTPSession) -> any HTTPSession {
        own is any SessionScope ? own : StubbedSession(stubs: stubs, own: outer?.session(over: own) ?? own)
    }

    func makeClock() -> any CallClock { stubs[0].makeClock() }
}
