#if os(Linux)
package import HTTPTransport

extension Engine {
    /// The engines of this system.
    package static let available = allCases

    /// A new session with a maximum number of connections to a host.
    package func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
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
