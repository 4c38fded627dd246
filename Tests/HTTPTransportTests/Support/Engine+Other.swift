#if !os(Linux)
import HTTPTransport

extension Engine {
    /// The engines of this system.
    static let available = [Engine.urlSession]

    func makeSession(connectionsPerHost: Int) -> any TestedSession {
        HardenedSession(connectionsPerHost: connectionsPerHost)
    }
}
#endif
