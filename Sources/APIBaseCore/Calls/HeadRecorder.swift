package import Basics
import HTTPTransport

/// Records the head of the last response, and the secrets of its call, for the code that has started the call.
package final class HeadRecorder: Sendable, CallLocal {
    package static let initial: HeadRecorder? = nil

    /// The secrets of the call whose response has named the URL of this one; `nil` if no call follows another.
    let secretsOfNamer: RequestSecrets?

    package init(secretsOfNamer: RequestSecrets? = nil) { self.secretsOfNamer = secretsOfNamer }

    private let last = Locked<Reply?>(nil)
    package typealias Reply = (head: ResponseHead, secrets: RequestSecrets)

    package var reply: Reply? { last.withLock { $0 } }

    func record(_ head: ResponseHead, _ secrets: RequestSecrets) { last.withLock { $0 = (head, secrets) } }
    /// The number of requests that were sent, and whose response has not begun.
    package let unanswered = Locked(0)
}
