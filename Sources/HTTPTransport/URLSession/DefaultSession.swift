import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// The session to use where there is no reason for another.
public enum DefaultSession {
    /// One session for the process, so that all requests share its connections: a hardened `URLSession`, without cookies,
    /// cache and stored credentials, with six connections for each host.
    public static let shared: any HTTPSession = HardenedSession()
}

/// A session of this module's own, on a `URLSession` nobody else has.
final class HardenedSession: HTTPSession {
    let engine: URLSessionEngine

    init(connectionsPerHost: Int = 6) {
        let configuration = URLSessionConfiguration.hardened
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        engine = URLSessionEngine(owning: configuration)
    }

    deinit {
        engine.close()
    }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeEvent, TransportError> {
        ExchangePublisher(session: self, engine: engine, request: request).eraseToAnyPublisher()
    }
}
