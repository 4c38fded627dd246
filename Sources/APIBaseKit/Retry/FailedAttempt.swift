/// An attempt that has failed, for ``APIBase/retryDelay(after:)``.
public struct FailedAttempt {
    /// The number of the attempt, from 1.
    public let number: Int
    /// The request that was sent.
    public let request: URLRequest
    /// The reply with a status of 400 or more, or why there is none.
    public let result: Result<(data: Data, response: HTTPURLResponse), any Error>
    /// The time since the start of the call.
    public let elapsed: Duration
    /// The wait that the policy proposes; `nil` if it would not try again.
    public let proposedDelay: Duration?
}

extension FailedAttempt: CustomReflectable {
    /// The number: `dump` shows neither request nor reply.
    public var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

/// Why a call is not tried again.
public enum RetryRefusal: Error, Sendable, Hashable {
    /// There have been as many attempts as the policy allows.
    case attempts
    /// The method is not safe to repeat, and the request has no `Idempotency-Key`.
    case method
    /// The body can be sent only once.
    case body
    /// The server asks for a longer wait than ``RetryPolicy/longestRetryAfter``.
    case retryAfter(Duration)
    /// ``RetryPolicy/deadline`` would be over before the next attempt.
    case deadline
    /// ``RetryPolicy/budget`` is spent.
    case budget
    /// The ``CallGate`` refuses calls for longer than the wait would be.
    case circuitOpen
    /// An override of ``APIBase/retryDelay(after:)`` does not want it.
    case decision
}
