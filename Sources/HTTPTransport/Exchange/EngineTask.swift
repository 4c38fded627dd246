import Dispatch
package import Foundation
package import PortableCombine

/// A session whose hops are the tasks of an engine. All others are driven by a ``PublishedTask``.
package protocol EngineSession: HTTPSession {
    /// A hop that starts nothing yet. The session is kept alive as long as the hop.
    func makeTask() -> any EngineTask
}

extension EngineSession {
    /// One hop for each subscriber.
    package func hop(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        ColdPublisher { Exchange(request, on: self, for: .hop(SubscribedReader($0))) }.eraseToAnyPublisher()
    }
}

/// One hop in the hands of an engine: of `URLSession`, of libcurl, or of a stub.
///
/// ``Exchange`` calls `start` once at most and `cancel` once at most; `cancel` may come before `start`, or while it
/// runs. `setPaused` calls do not overlap, and come after `start`. All calls come from any thread, none under a lock.
package protocol EngineTask: AnyObject, Sendable {
    /// Whether the engine can make the sender wait. Known when the hop has begun, as all that follows.
    var canPause: Bool { get }

    /// Whether what it sends goes to a network.
    var isNetwork: Bool { get }

    /// Whether the engine tells when the connection stands, by ``EngineTaskObserver/connected()``.
    var seesConnection: Bool { get }

    /// Whether the engine applies the limits on time itself.
    var keepsTime: Bool { get }

    /// Starts the hop, unless the request must not be sent, or not over a network.
    func begin(_ request: ExchangeRequest, telling observer: any EngineTaskObserver)

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

    /// It does not.
    package var keepsTime: Bool { false }

    /// Runs the delivery on a queue of its own.
    package func deliver(_ delivery: any Delivery) { delivery.runOnQueue() }

    /// Looks at the request, and starts the hop.
    package func begin(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
        var request = request
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            return observer.finished(EngineFailure(reason: .invalidRequest(error)))
        }
        if isNetwork, let error = request.caller?.refusal(of: request) {
            return observer.finished(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        }
        start(request, telling: observer)
    }
}

/// An observer of one hop as it happens.
///
/// The calls of one hop do not overlap. They take a lock for a moment and run no user code.
package protocol EngineTaskObserver: ExchangeContext {
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

    /// The same from a session that has an error of its own, and that has told the caller of the hop.
    func ended(_ error: TransportError?)
}
