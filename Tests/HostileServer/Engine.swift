package import HTTPTransport

/// What an exchange can be carried out with.
package enum Engine: String, Sendable, CaseIterable {
    case urlSession = "URLSession"
    case curl = "CurlSession"

    /// The one a test runs on, where it runs on every one there is.
    @TaskLocal package static var current = Engine.urlSession

    /// A session of the current engine, for this test alone.
    package static func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
        current.makeSession(connectionsPerHost: connectionsPerHost)
    }
}

/// A session that tells what it is doing.
package protocol TestedSession: HTTPSession {
    /// Exchanges that have been started and have not ended.
    var runningExchanges: Int { get }

    /// Finishes what has begun, and refuses everything else.
    func close()
}

extension HardenedSession: TestedSession {}
