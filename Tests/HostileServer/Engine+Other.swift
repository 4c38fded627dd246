#if !os(Linux)
import HTTPTransport

extension Engine {
    /// The engines of this system.
    package static let available = [Engine.urlSession]

    /// A new session with a maximum number of connections to a host.
    package func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
        HardenedSession(connectionsPerHost: connectionsPerHost)
    }
}
#endif
