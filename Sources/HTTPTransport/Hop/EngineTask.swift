package import Foundation

/// One hop in the hands of an engine: of `URLSession`, of libcurl, or of a stub.
///
/// ``HopSubscription`` calls `start` once at most and `cancel` once at most; `cancel` may come before `start`, or while it
/// runs. `setPaused` calls do not overlap, and come after `start`. All calls come from any thread, none under a lock.
package protocol EngineTask: AnyObject, Sendable {
    /// Whether the engine can make the sender wait.
    var canPause: Bool { get }

    /// Whether what it sends goes to a network.
    var isNetwork: Bool { get }

    /// Whether the engine tells when the connection stands, by ``EngineTaskObserver/connected()``.
    var seesConnection: Bool { get }

    /// Queues the hop and reports to `observer` until it has ended or is cancelled. The engine lets go of the observer
    /// then. The request has been checked.
    func start(_ request: ExchangeRequest, telling observer: any EngineTaskObserver)

    /// Holds the sender, or lets it go on.
    func setPaused(_ paused: Bool)

    /// Ends the hop. The engine need not report anything afterwards; what it still reports is ignored.
    func cancel()

    /// Runs a delivery soon, on a thread where it may block and holds up no other.
    func deliver(_ delivery: any Delivery)
}

extension EngineTask {
    /// It does.
    package var isNetwork: Bool { true }

    /// Runs the delivery on a queue of its own.
    package func deliver(_ delivery: any Delivery) { delivery.runOnQueue() }
}

/// An observer of one hop as it happens.
///
/// The calls of one hop do not overlap. They take a lock for a moment and run no user code.
package protocol EngineTaskObserver: AnyObject, Sendable {
    /// The hop has its connection, or its place among those that wait for none; its clocks start.
    func began()

    /// The connection stands.
    func connected()

    /// So many bytes of the body have been sent in all.
    func sent(_ bytes: Int64, expected: Int64?)

    /// Status and headers have arrived.
    func received(_ head: ResponseHead)

    /// More of the body has arrived, decompressed.
    func received(_ data: Data)

    /// The engine has measured the times of the hop; at most once, just before the end.
    func measured(_ times: EngineTimes)

    /// The hop is over; nil means that the response is complete.
    func finished(_ failure: EngineFailure?)
}
