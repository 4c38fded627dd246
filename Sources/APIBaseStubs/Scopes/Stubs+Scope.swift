public import HTTPTransport
public import PortableCombine

extension Stubs {
    /// Runs `body` with these stubs in the network's place, and checks them when it has returned.
    ///
    /// They hold for every call that is **started** in the scope (`start()`, `value()`), wherever it is subscribed to
    /// and retried, and for what its publisher's closures start in turn. `async` child tasks and `Task { }` inherit the
    /// scope; `Task.detached { }` does not, nor does code that is handed to another queue or thread, as behind
    /// `receive(on: DispatchQueue.main)`. What is started there **fails** with ``StubProblem/outside(request:nearest:)``, and
    /// never gets to the network. Hand the scope on: `let scope = CallScope.here` inside, `scope.run { … }` there. Or give the
    /// request object or its API class the stubs: `request.session = stubs`.
    ///
    /// That holds for all calls that belong to no scope, but for those to this machine (`localhost`, `127.0.0.1`, `::1`): from the
    /// first scope on, or from the start where `APIBaseTesting` is linked. A test of the real network runs in
    /// `Stubs(unmatched: .passThrough).run { … }`.
    ///
    /// Scopes nest, those of recordings as well: an inner one's stubs come first, an outer one's answer what they do not. If
    /// nothing answers, the innermost decides what becomes of the call. Scopes beside each other know nothing of each other.
    ///
    /// - Throws: What `body` throws; if it throws nothing, ``StubProblems``.
    public func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let value = try await hold(isolation: isolation, body)
        try verify()
        return value
    }

    /// The same for code that is not `async`. Calls that are still under way when `body` returns go on, but what comes
    /// of them is not checked.
    public func run<Value>(_ body: () throws -> Value) throws -> Value {
        let value = try hold(body)
        try verify()
        return value
    }

    /// Runs `body` with these stubs in the network's place, and checks nothing afterwards.
    package func runUnchecked<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await hold(isolation: isolation, body)
    }
}

extension Stubs: HTTPSession {
    /// One hop, answered by the stubs: `request.session = stubs`. What they pass through goes out by
    /// ``/HTTPTransport/DefaultSession/shared``.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }
}
