#if os(Linux)
import HTTPTransport

extension Engine {
    /// The engines of this system.
    static let available = allCases

    func makeSession(connectionsPerHost: Int) -> any TestedSession {
        switch self {
        case .urlSession: return HardenedSession(connectionsPerHost: connectionsPerHost)
        case .curl:
            var configuration = CurlSession.Configuration()
            configuration.connectionsPerHost = connectionsPerHost
            return CurlSession(configuration: configuration)
        }
    }
}

extension CurlSession: TestedSession {}
#endif
