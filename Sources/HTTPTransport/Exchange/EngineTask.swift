import Dispatch
package import Foundation
package import PortableCombine

/// A session whose hops, single requests on the wire, are tasks of an engine. Other sessions are driven by a
/// ``PublishedTask``.
package protocol EngineSession: HTTPSession {
    /// A hop that has not started. It retains the session.
    func makeTask() -> any EngineTask
}

extension EngineSession {
    /// One hop for each subscriber.
    package func hop(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        ColdPublisher { Exchange(request, on: self, for: .hop(SubscribedReader($0))) }.eraseToAnyPublisher()
    }
}

/// One hop (one request on the wire; a redirect starts the next) in an engine: `URLSession`, libcurl, or a stub.
///
/// ``Exchange`` calls `start` once at most and `cancel` once at most; `cancel` may come before `start`, or while it
/// runs. `setPaused` calls do not overlap, and come after `start`. All calls come from any thread, without a lock.
package protocol EngineTask: AnyObject, Sendable {
    /// Whether the engine can pause the sender. Like the following properties, it is final once the hop has begun.
    var canPause: Bool { get }

    /// Whether the engine sends to a network. True by default.
    var isNetwork: Bool { get }

    /// Whether the engine calls ``EngineTaskObserver/connected()``.
    var reportsConnection: Bool { get }

    /// Whether the engine applies the time limits itself. False by default.
    var appliesTimeLimits: Bool { get }

    /// Starts the hop, unless the request is invalid, or must not reach a network.
    func begin(_ request: ExchangeRequest, observer: any EngineTaskObserver)

    /// Queues the hop and reports to `observer` until it has ended or is canceled; then the engine releases the
    /// observer. The request has been checked.
    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver)

    /// Pauses or resumes the sender.
    func setPaused(_ paused: Bool)

    /// Ends the hop. What the engine still reports is ignored.
    func cancel()

    /// Runs a delivery soon, on a thread that it may block. By default, on a new queue.
    func deliver(_ delivery: any DeliveryJob)
}

extension EngineTask {
    package var isNetwork: Bool { true }

    package var appliesTimeLimits: Bool { false }

    package func deliver(_ delivery: any DeliveryJob) { delivery.runOnQueue() }

    package func begin(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        var request = request
        do throws(TransportError.InvalidRequest) {
            try request.check()
        } catch {
            return observer.finished(EngineFailure(reason: .invalidRequest(error)))
        }
        if isNetwork, let error = request.caller?.refusal(of: request) {
            return observer.finished(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        }
        start(request, observer: observer)
    }
}

/// The observer of one hop.
///
/// The calls of one hop do not overlap. They take a lock for a moment and run no user code.
package protocol EngineTaskObserver: ExchangeContext {
    /// The hop has its turn, and its clocks start.
    func began()

    /// The hop has begun, has something to send, and waits for a connection: its clocks stop until it begins again.
    func waits()

    /// The connection stands.
    func connected()

    /// The number of bytes of the body that have been sent in all.
    func sent(_ bytes: Int64, expected: Int64?)

    /// Status and headers have arrived.
    func received(_ head: ResponseHead)

    /// More of the body has arrived, decompressed.
    func received(_ data: Data)

    /// The hop has ended; nil means that the response is complete. With its times, if the engine has measured them.
    func finished(_ failure: EngineFailure?, times: EngineTimes?)

    /// The hop of another session has ended, which has notified the caller of the hop itself.
    func ended(_ error: TransportError?)
}

extension EngineTaskObserver {
    package func waits() {}

    package func finished(_ failure: EngineFailure?) { finished(failure, times: nil) }
}

/// A job that calls a subscriber, or runs a part of a task.
package protocol DeliveryJob: AnyObject, Sendable {
    /// Delivers what can be delivered. Runs user code, which may take any time.
    func run()
}

extension DeliveryJob {
    /// Runs the delivery on a new serial queue.
    ///
    /// On Linux, a blocked subscriber would stop others on the global concurrent queue: dispatch gives every serial
    /// queue a thread, but a concurrent one no more threads than there are cores until a monitor notices seconds later.
    package func runOnQueue() {
        DispatchQueue(label: "HTTPTransport.delivery").async { self.run() }
    }
}
