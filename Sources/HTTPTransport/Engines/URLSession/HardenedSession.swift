import Foundation
package import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session of this module on a private `URLSession`.
package final class HardenedSession: EngineSession {
    private let engine: URLSessionEngine

    package init(connectionsPerHost: Int = 8) {
        let configuration = URLSessionConfiguration.hardened
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        engine = URLSessionEngine(owning: configuration)
    }

    deinit {
        engine.close()
    }

    package func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        hop(request)
    }

    package func makeTask() -> any EngineTask { URLSessionEngineTask(on: engine) }

    /// The number of requests whose task has not ended.
    package var runningExchanges: Int { engine.runningHops }

    /// Refuses new requests with ``TransportError/Reason/sessionClosed``, and finishes those that have begun.
    package func close() { engine.close() }
}

extension URLSessionConfiguration {
    static var hardened: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.harden()
        return configuration
    }

    /// The headers that a session of this configuration adds to its requests.
    var headers: HTTPHeaders {
        let named = (httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name as? String).map { ($0, String(describing: value)) }
        }
        return HTTPHeaders(Dictionary(named) { first, _ in first })
    }

    /// Removes everything that would store, add or answer anything beyond the request.
    ///
    /// Without the cache and with the accept policy, `URLSession` on Linux is also twice as fast: it neither reads the
    /// disk for each request nor looks for cookies in each header line.
    func harden() {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
        urlCredentialStorage = nil
    }
}
