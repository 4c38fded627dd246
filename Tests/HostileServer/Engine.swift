package import HTTPTransport

/// What an exchange can be carried out with.
package enum Engine: String, Sendable, CaseIterable {
    case urlSession = "URLSession"

    /// A session of its own.
    package func makeSession() -> any HTTPSession {
        switch self {
        case .urlSession: HardenedSession()
        }
    }
}
