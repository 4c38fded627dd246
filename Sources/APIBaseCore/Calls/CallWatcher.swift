/// Watches calls: it sees the request of each attempt, to which it may add headers, and the events of each call.
///
/// It is a value, so logs, metrics and traces need no superclass of their own, and work for any API, also a generated
/// one:
///
/// ```swift
/// struct Traces: CallWatcher {
///     func attempt(_ request: URLRequest) throws -> URLRequest {
///         var request = request
///         request.setValue(traceparent(), forHTTPHeaderField: "traceparent")
///         return request
///     }
///
///     func report(_ event: CallEvent) { record(event) }
/// }
/// ```
///
/// ``APIBase/watchers`` belong to an API class, those of an ``APIAccount`` to its calls, and
/// ``CallScope/watching(_:isolation:_:)-(CallWatcher,_,_)`` is for all calls of a scope, such as the handling of one
/// request of a service. A call has those of its scope first, the outer scope's before the inner one's, then those of
/// its account, and then those of its class.
///
/// One watcher may see many calls at a time. ``CallEvent/Info/current`` and the events tell them apart.
public protocol CallWatcher: Sendable {
    /// Returns the request of an attempt, with further headers if need be. By default, it is unchanged.
    ///
    /// Called each time when a request is about to be sent, once it has its credentials, and before
    /// ``APIBase/intercept(_:next:)``: for another attempt, and again when it is sent with another token. A stored
    /// response may answer it after that. The task locals apply as in ``APIBase/startRequest()``. The request is checked
    /// again before it is sent; if it goes to another origin, it loses its secrets.
    ///
    /// - Parameter request: The request, as the watchers before have changed it.
    /// - Returns: The request to send.
    /// - Throws: An error with which the attempt fails. Nothing is sent.
    func attempt(_ request: URLRequest) throws -> URLRequest

    /// Receives the events of calls. By default it does nothing.
    ///
    /// Called on any thread, which it must not block, with the events of a call in order, before
    /// ``APIBase/report(_:)``. The events hold no secrets.
    func report(_ event: CallEvent)
}

extension CallWatcher {
    /// The request as it is.
    public func attempt(_ request: URLRequest) throws -> URLRequest { request }

    /// Does nothing.
    public func report(_ event: CallEvent) {}
}

extension CallScope {
    /// Runs `body`, in which a watcher watches every call, whatever its API.
    ///
    /// It applies in child tasks and in the closures of a call's publisher, but not in detached tasks or on other
    /// queues: hand ``here`` on there.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public static func watching<Value>(
        _ watcher: any CallWatcher,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await watching([watcher], isolation: isolation, body)
    }

    /// Runs `body`, in which several watchers watch every call, the first one first.
    public static func watching<Value>(
        _ watchers: [any CallWatcher],
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await ScopeRules.adding(watchers).run(isolation: isolation, body)
    }

    /// Runs a synchronous `body`, in which a watcher watches every call.
    public static func watching<Value>(_ watcher: any CallWatcher, _ body: () throws -> Value) rethrows -> Value {
        try ScopeRules.adding([watcher]).run(body)
    }
}

extension ScopeRules {
    /// The rules of the running code, with further watchers.
    fileprivate static func adding(_ watchers: [any CallWatcher]) -> ScopeRules {
        var rules = current
        rules.watchers += watchers
        return rules
    }
}
