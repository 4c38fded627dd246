#if os(Linux)
package import HTTPTransport

extension Engine {
    /// The engines of this system.
    package static let available = allCases

    /// A session of its own, with so many connections to one host at most.
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
