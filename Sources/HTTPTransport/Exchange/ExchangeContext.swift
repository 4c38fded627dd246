import Basics

/// The state that all hops of one exchange share: the clock of ``ExchangeLimits/total``, and the engine that carries them.
package struct ExchangeContext: Sendable {
    /// An engine that carries an exchange to its end even while it shuts down, redirects included.
    protocol Carrier: AnyObject, Sendable {
        /// No more hops of an exchange will come.
        func exchangeEnded()
    }

    private struct State {
        var clock = ExchangeClock()
        var carrier: (any Carrier)?
        var spent = Duration.zero
    }

    private let state = Locked(State())

    /// Starts the clock and returns what it has shown so far, in nanoseconds.
    func startClock(at now: UInt64) -> UInt64 { state.withLock { $0.clock.start(at: now) } }

    /// Stops the clock until the next hop has its turn.
    func stopClock(at now: UInt64) { state.withLock { $0.clock.stop(at: now) } }

    /// The time taken by the hops that stubs have answered, on a clock of their own.
    package var spent: Duration { state.withLock { $0.spent } }

    /// Adds what such a hop has taken.
    package func spend(_ duration: Duration) { state.withLock { $0.spent += duration } }

    /// Whether this engine has carried a hop of the exchange.
    func isCarried(by carrier: any Carrier) -> Bool { state.withLock { $0.carrier === carrier } }

    /// Keeps the engine, which is told when no more hops will come. It lets them in even while it shuts down.
    func carry(by carrier: any Carrier) { state.withLock { $0.carrier = carrier } }

    /// No more hops will come: the last one has answered, or the exchange is over. Can be called more than once.
    func end() {
        let carrier = state.withLock { $0.carrier.take() }
        carrier?.exchangeEnded()
    }
}
