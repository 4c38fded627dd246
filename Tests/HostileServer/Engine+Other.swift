#if !os(Linux)
import HTTPTransport

extension Engine {
    /// The engines of this system.
    package static let available = [Engine.urlSession]

    /// A session of its own, with so many connections to one host at most.
    package func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
        HardenedSession(connectionsPerHost: connectionsPerHost)
    }
}
#endif
