import Dispatch
package import Foundation

/// What carries exchanges over the network: `URLSession`, or libcurl.
package protocol ExchangeEngine: AnyObject, Sendable {
    /// Prepares one exchange of a request that has been checked. Nothing starts yet.
    func exchange(_ request: ExchangeRequest) -> any EngineExchange

    /// Runs a delivery soon, on a thread where it may block and holds up no other. Called from any thread, under no lock.
    func deliver(_ delivery: any ExchangeDelivery)
}

extension ExchangeEngine {
    /// Runs the delivery on a queue of its own.
    ///
    /// On Linux that, and not the global concurrent queue, keeps a blocked subscriber from stopping others: dispatch gives
    /// every serial queue a thread, but a concurrent one no more threads than there are cores until a monitor notices
    /// seconds later.
    package func deliver(_ delivery: any ExchangeDelivery) { deliverOnQueue(delivery) }

    func deliverOnQueue(_ delivery: any ExchangeDelivery) {
        DispatchQueue(label: "HTTPTransport.delivery").async { delivery.run() }
    }
}

/// Something that calls a subscriber.
package protocol ExchangeDelivery: AnyObject, Sendable {
    /// Hands out what may be handed out.
    func run()
}

/// One exchange in the hands of an engine.
///
/// ``ExchangeSubscription`` calls `start` once at most and `cancel` once at most; `cancel` may come before `start`, or
/// while it runs. `setPaused` calls do not overlap, and come after `start`. All come from any thread, none under a lock.
package protocol EngineExchange: AnyObject, Sendable {
    /// Whether the engine can make the sender wait.
    var canPause: Bool { get }

    /// Whether the engine tells when the connection stands, by ``ExchangeSink/connected()``.
    var seesConnection: Bool { get }

    /// Queues the exchange and reports to `sink` until it has finished or is cancelled. The engine lets go of the sink
    /// then.
    func start(_ sink: any ExchangeSink)

    /// Holds the sender, or lets it go on.
    func setPaused(_ paused: Bool)

    /// Ends the exchange. The engine need not report anything afterwards; what it still reports is ignored.
    func cancel()
}

/// Whom an engine tells what happens in one exchange.
///
/// The calls of one exchange do not overlap. They take a lock for a moment, and call nobody.
package protocol ExchangeSink: AnyObject, Sendable {
    /// The exchange has its turn; its clocks start.
    func began()

    /// The connection stands.
    func connected()

    /// So many bytes of the body have been sent in all.
    func sent(_ bytes: Int64, expected: Int64?)

    /// Status and headers have arrived.
    func received(_ head: ResponseHead)

    /// More of the body has arrived, decompressed.
    func received(_ data: Data)

    /// What is reported until ``release()`` is handed on together.
    func hold()

    /// Hands on what has been reported since ``hold()``.
    func release()

    /// The exchange is over; nil means that the response is complete.
    func finished(_ failure: EngineFailure?)
}

/// Why an engine gave up.
package struct EngineFailure: Error {
    let reason: TransportError.Reason
    let underlying: (any Error)?

    /// - Parameters:
    ///   - reason: What it means.
    ///   - underlying: The engine's own error, without secrets.
    package init(reason: TransportError.Reason, underlying: (any Error)? = nil) {
        self.reason = reason
        self.underlying = underlying
    }
}
