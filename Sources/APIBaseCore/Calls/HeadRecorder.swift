import Basics
import HTTPTransport

/// Records the head of the last response, and the secrets of its call, for the code that has started the call; and
/// whether the server may have performed a request of that code.
package final class HeadRecorder: Sendable, CallLocal {
    package static let initial: HeadRecorder? = nil

    /// The secrets of the call whose response has named the URL of this one; `nil` if no call follows another.
    let secretsOfNamer: RequestSecrets?

    package init(secretsOfNamer: RequestSecrets? = nil) { self.secretsOfNamer = secretsOfNamer }

    private let last = Locked<Reply?>(nil)
    package typealias Reply = (head: ResponseHead, secrets: RequestSecrets)

    package var reply: Reply? { last.withLock { $0 } }

    func record(_ head: ResponseHead, _ secrets: RequestSecrets) { last.withLock { $0 = (head, secrets) } }

    private let effects = Locked(Effects())

    /// Whether the server may have performed a request: its response was lost, or does not say that it was refused.
    package var mayBeDone: Bool { effects.withLock { $0.mayBeDone || $0.isOpen } }

    func sent() {
        effects.withLock { effects in
            effects.mayBeDone = effects.mayBeDone || effects.isOpen
            effects.isOpen = true
        }
    }

    /// A status of 4xx refuses a request, unless it follows a redirect, or is the 408 of a proxy that has waited for the
    /// server. Proxies also answer with 503 when the connection to the server was lost.
    func answered(by status: Int, isRedirected: Bool) {
        let isRefused = (400..<500).contains(status) && status != 408 && !isRedirected
        effects.withLock { effects in
            effects.isOpen = false
            effects.mayBeDone = effects.mayBeDone || !isRefused
        }
    }

    /// Nothing of the last request has reached a server.
    func failedBeforeSending() { effects.withLock { $0.isOpen = false } }
}

/// The effects that requests may have had at a server.
private struct Effects {
    /// Whether a request has no response yet.
    var isOpen = false
    /// Whether a request before that may have been performed.
    var mayBeDone = false
}

extension TransportError {
    /// Whether the exchange has failed before it sent anything. Of the error that a stub was given, that is not known.
    package var isBeforeSending: Bool {
        [.request, .credentials, .connect].contains(phase) && !(underlying is InjectedFailure)
    }
}
