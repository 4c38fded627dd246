/// What hops share that belong to one exchange. By default, they share what those of another exchange do.
package protocol ExchangeContext: Sendable {
    /// The context to go by; nil if there is none.
    var outer: (any ExchangeContext)? { get }

    /// The time that earlier hops have taken, each on its own clock.
    var spent: Duration { get }

    /// Adds what a hop has taken whose engine keeps the time itself.
    func spend(_ duration: Duration)

    /// Whether this engine has carried a hop of the exchange. It lets further ones in even while it shuts down.
    func isCarried(by carrier: any ExchangeCarrier) -> Bool

    /// Keeps the engine. Returns whether that will be told when no more hops will come.
    func carry(by carrier: any ExchangeCarrier) -> Bool
}

extension ExchangeContext {
    package var outer: (any ExchangeContext)? { nil }
    package var spent: Duration { outer?.spent ?? .zero }
    package func spend(_ duration: Duration) { outer?.spend(duration) }
    package func isCarried(by carrier: any ExchangeCarrier) -> Bool { outer?.isCarried(by: carrier) ?? false }
    package func carry(by carrier: any ExchangeCarrier) -> Bool { outer?.carry(by: carrier) ?? false }
}

/// An engine that carries an exchange to its end even while it shuts down, redirects included.
package protocol ExchangeCarrier: AnyObject, Sendable {
    /// No more hops of an exchange will come.
    func exchangeEnded()
}
