package import HTTPTransport

/// An engine of the transport.
package enum Engine: String, Sendable, CaseIterable {
    case urlSession = "URLSession"
    case curl = "CurlSession"

    /// The engine of the current test, if the test runs on all engines.
    @TaskLocal package static var current = Engine.urlSession

    /// A new session of the current engine.
    package static func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
        current.makeSession(connectionsPerHost: connectionsPerHost)
    }
}

/// A session that reports its activity.
package protocol TestedSession: HTTPSession {
    /// The number of running exchanges.
    var runningExchanges: Int { get }

    /// Finishes the running exchanges, and refuses new ones.
    func close()
}

extension HardenedSession: TestedSession {}
