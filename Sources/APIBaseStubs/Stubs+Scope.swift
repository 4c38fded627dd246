public import HTTPTransport
public import PortableCombine

extension Stubs {
    /// Runs `body` with these stubs in place of the network, and checks them when it has returned.
    ///
    /// The stubs answer every call that is **started** in the scope (by `start()` or `value()`), wherever it is
    /// subscribed to or retried, and the calls that its publisher's closures start. `async` child tasks and `Task { }`
    /// inherit the scope. `Task.detached { }` does not, and neither does code on another queue or thread, as after
    /// `receive(on: DispatchQueue.main)`. A call that is started there **fails** with
    /// ``StubProblem/outside(request:nearest:)``, and never reaches the network. To hand the scope on:
    /// `let scope = CallScope.here` inside, `scope.run { … }` there. Or give the request object or its API class the
    /// stubs: `request.session = stubs`.
    ///
    /// The same holds for all calls outside of all scopes, except those to this machine (`localhost`, `127.0.0.1`,
    /// `::1`): after the first scope has begun, or from the start if `APIBaseTesting` is linked. A test of the real
    /// network runs in `Stubs(unmatched: .passThrough).run { … }`.
    ///
    /// Scopes can be nested, also with those of recordings: the inner stubs come first, the outer ones answer the rest.
    /// If none answers, the innermost scope decides. Concurrent scopes do not affect each other.
    ///
    /// - Throws: The error that `body` throws; if it throws none, ``StubProblems``.
    public func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let value = try await runUnchecked(isolation: isolation, body)
        await settleSockets()
        try verify()
        return value
    }

    /// The same for code that is not `async`. Calls that have not ended when `body` returns continue, but are not
    /// checked.
    public func run<Value>(_ body: () throws -> Value) throws -> Value {
        let value = try runSynchronously(body)
        try verify()
        return value
    }

    /// The scope with these stubs, which is not checked: for the previews of an app, whose views make their calls later.
    public var scope: CallScope { runSynchronously { CallScope.here } }
}

extension Stubs: HTTPSession {
    /// Answers one hop: `request.session = stubs`. Requests that are passed through use
    /// ``/HTTPTransport/DefaultSession/shared``.
    public func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }
}
