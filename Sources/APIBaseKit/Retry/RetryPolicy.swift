import HTTPTransport

/// The rules by which a failed call is tried again: after which failures, how often, and with which delays.
///
/// ```swift
/// retry = .standard
/// retry = RetryPolicy(attempts: 5, deadline: .seconds(20), budget: Self.budget)
/// ```
///
/// Tried again is what may go well the next time: replies with one of ``statusCodes``, connections that are refused or lost,
/// names that are not found, time-outs. And only where doing it twice does no harm: the method is one of ``methods``, or the
/// request has an `Idempotency-Key` (``APIBase/idempotencyKey``). A body has to be one that can be sent again.
///
/// A call whose token cannot be renewed is tried again by the same rules, whatever its method and body; see ``TokenSource``.
///
/// What fails in the end is the last attempt's own error. ``APIBase/retryDelay(after:)`` is the place for an API's own decision.
public struct RetryPolicy: Sendable {
    /// The number of times that the call is sent at most, the first included. At 1 or less, nothing is tried again.
    public var attempts: Int
    /// The statuses that are tried again, of those from 400 on.
    public var statusCodes: Set<Int>
    /// The methods that are tried again without an `Idempotency-Key`.
    public var methods: Set<HTTPMethod>
    /// The wait before another attempt, if the server names none: also if its `Retry-After` is 0 or a date that has passed.
    public var backoff: Backoff
    /// The longest `Retry-After` that is waited for. If a server asks for more, the call gives up at once.
    public var longestRetryAfter: Duration
    /// The time for everything: all attempts, and all waits. `nil` for no limit. A wait that would end later is not begun, and
    /// an attempt that is under way then fails with ``/HTTPTransport/TransportError/Reason/timedOut(which:after:)``.
    public var deadline: Duration?
    /// The budget of all calls of an API for attempts after the first, so that those cannot make an outage worse. `nil` for
    /// no limit.
    public var budget: RetryBudget?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: How often the call is sent at most.
    ///   - statusCodes: The statuses that are tried again.
    ///   - methods: The methods that are tried again without an `Idempotency-Key`.
    ///   - backoff: How long to wait, if the server does not say.
    ///   - longestRetryAfter: The longest `Retry-After` that is waited for.
    ///   - deadline: The time for all attempts and waits.
    ///   - budget: What all calls of an API may spend.
    public init(
        attempts: Int = 3,
        statusCodes: Set<Int> = [408, 429, 500, 502, 503, 504],
        methods: Set<HTTPMethod> = HTTPMethod.idempotent,
        backoff: Backoff = .exponential(from: .milliseconds(200), upTo: .seconds(20)),
        longestRetryAfter: Duration = .seconds(60),
        deadline: Duration? = nil,
        budget: RetryBudget? = nil
    ) {
        self.attempts = attempts
        self.statusCodes = statusCodes
        self.methods = methods
        self.backoff = backoff
        self.longestRetryAfter = longestRetryAfter
        self.deadline = deadline
        self.budget = budget
    }

    /// One attempt.
    public static let none = RetryPolicy(attempts: 1)

    /// Three attempts, with the defaults of the initialiser.
    public static let standard = RetryPolicy()
}

extension HTTPMethod {
    /// The methods that do the same when they are done twice (RFC 9110, section 9.2.2).
    public static let idempotent: Set<HTTPMethod> = [
        .get, .head, .put, .delete, .options, HTTPMethod(rawValue: "TRACE"),
    ]
}
