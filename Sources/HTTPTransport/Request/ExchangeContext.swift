/// The state that the hops of one exchange (the single requests of a chain of redirects) share. A session that wraps
/// another passes the context on as ``outer``.
package protocol ExchangeContext: Sendable {
    /// The context that answers in place of this one, or nil.
    var outer: (any ExchangeContext)? { get }

    /// The time that earlier hops have taken, each by its own clock.
    var elapsed: Duration { get }

    /// Adds the time of a hop whose engine applies the time limits itself.
    func addElapsed(_ duration: Duration)

    /// Whether this engine owns the exchange. It admits further hops even while it shuts down.
    func isOwned(by owner: any ExchangeOwner) -> Bool

    /// Remembers the engine. Returns whether it will be told of the end of the exchange.
    func setOwner(_ owner: any ExchangeOwner) -> Bool
}

extension ExchangeContext {
    package var outer: (any ExchangeContext)? { nil }
    package var elapsed: Duration { outer?.elapsed ?? .zero }
    package func addElapsed(_ duration: Duration) { outer?.addElapsed(duration) }
    package func isOwned(by owner: any ExchangeOwner) -> Bool { outer?.isOwned(by: owner) ?? false }
    package func setOwner(_ owner: any ExchangeOwner) -> Bool { outer?.setOwner(owner) ?? false }
}

/// An engine that finishes the exchanges it has begun, redirects included, before it shuts down.
package protocol ExchangeOwner: AnyObject, Sendable {
    /// The exchange has no more hops.
    func exchangeEnded()
}
