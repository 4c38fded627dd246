/// The state that the hops of one exchange (the single requests of a chain of redirects) share. A session that wraps
/// another passes the context on as ``outer``.
package protocol ExchangeContext: Sendable {
    /// The context that answers in place of this one, or nil.
    var outer: (any ExchangeContext)? { get }

    /// The time that earlier hops have taken, each by its own clock.
    var elapsed: Duration { get }

    /// Adds the time of a hop whose engine applies the time limits itself.
    func addElapsed(_ duration: Duration)

    /// Admits a hop to an engine, which owns the exchange from then on. `isOpen` is whether it accepts new exchanges;
    /// it admits further hops of its own even while it shuts down.
    func claim(by owner: any ExchangeOwner, isOpen: Bool) -> ExchangeClaim
}

/// The answer to an engine that is about to begin a hop.
package enum ExchangeClaim {
    case refused
    /// The hop may begin. `isNew` is whether the engine will be told of the end of the exchange, which it does not know
    /// yet.
    case admitted(isNew: Bool)
}

extension ExchangeContext {
    package var outer: (any ExchangeContext)? { nil }
    package var elapsed: Duration { outer?.elapsed ?? .zero }
    package func addElapsed(_ duration: Duration) { outer?.addElapsed(duration) }
    package func claim(by owner: any ExchangeOwner, isOpen: Bool) -> ExchangeClaim {
        outer?.claim(by: owner, isOpen: isOpen) ?? (isOpen ? .admitted(isNew: false) : .refused)
    }
}

/// An engine that finishes the exchanges it has begun, redirects included, before it shuts down.
package protocol ExchangeOwner: AnyObject, Sendable {
    /// The exchange has no more hops.
    func exchangeEnded()
}
