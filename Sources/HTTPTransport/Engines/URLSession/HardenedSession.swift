package import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// A session of this module's own, on a `URLSession` nobody else has.
package final class HardenedSession: EngineSession {
    private let engine: URLSessionEngine

    package init(connectionsPerHost: Int = 6) {
        let configuration = URLSessionConfiguration.hardened
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        engine = URLSessionEngine(owning: configuration)
    }

    deinit {
        engine.close()
    }

    package func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        hop(request)
    }

    package func makeTask() -> any EngineTask { URLSessionEngineTask(on: engine) }

    /// Exchanges whose task has not ended: zero once all have ended, however they did.
    package var runningExchanges: Int { engine.runningHops }

    /// Finishes what has begun, and refuses everything else with ``TransportError/Reason/sessionClosed``.
    package func close() { engine.close() }
}
