import Basics
import HTTPTransport

/// The rules by which a failed call is tried again: after which failures, how often, and with which delays.
///
/// ```swift
/// retry = .standard
/// retry = RetryPolicy(attempts: 5, deadline: .seconds(20), budget: Self.budget)
/// ```
///
/// An attempt is repeated after a response with one of ``statusCodes``, or if a connection is refused or lost, a name
/// is not found, or a limit of time is exceeded. The method has to be one of ``methods``, or the request has to have an
/// `Idempotency-Key` (``APIBase/idempotencyKey``), and the body has to be one that can be sent again.
///
/// A call whose token cannot be renewed is tried again by the same rules, whatever its method and body; see
/// ``TokenSource``.
///
/// A call fails with the error of its last attempt. Override ``APIBase/retryDelay(after:)`` for an API's own decision.
///
/// Two policies are equal if all but their backoff is equal, which is a closure. A budget is equal to itself.
public struct RetryPolicy: Sendable, Hashable {
    /// The largest number of attempts, including the first. At 1 or less, no attempt is repeated.
    public var attempts: Int
    /// The largest numbers of attempts after failures of a kind, in place of ``attempts``, which counts for the others.
    ///
    /// ```swift
    /// retry.attemptsAfter = [.status(429): 10, .timeout: 2]
    /// ```
    ///
    /// All attempts of a call count, whatever they have failed by.
    public var attemptsAfter: [Failure: Int] = [:]
    /// The statuses after which an attempt is repeated, of those from 400 on.
    public var statusCodes: Set<Int>
    /// The methods that are repeated without an `Idempotency-Key`.
    public var methods: Set<HTTPMethod>
    /// The delay if the server asks for none: if it sends no `Retry-After`, or one that is 0 or in the past, and no
    /// ``RateLimit`` that is used up.
    public var backoff: Backoff {
        get { ownBackoff }
        set { ownBackoff = newValue }
    }
    @NotCompared private var ownBackoff: Backoff
    /// The longest delay for which a server can ask, with `Retry-After`, or, after a status of 429 or 403 without one,
    /// with a ``RateLimit`` that is used up. If a server asks for more, the call fails at once.
    public var longestRetryAfter: Duration
    /// The time for all attempts and delays; `nil` for no limit. A delay that would end later is not begun, and an
    /// attempt that is under way then fails with ``/HTTPTransport/TransportError/Reason/timedOut(which:after:)``, and
    /// so does a response that is still being decoded.
    public var deadline: Duration?
    /// The budget that all calls of an API share for repeated attempts, so that these cannot make an outage worse.
    /// `nil` for no limit.
    public var budget: RetryBudget? {
        get { ownBudget }
        set { ownBudget = newValue }
    }
    @ByIdentity private var ownBudget: RetryBudget?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: The largest number of attempts.
    ///   - statusCodes: The statuses after which an attempt is repeated.
    ///   - methods: The methods that are repeated without an `Idempotency-Key`.
    ///   - backoff: The delay if the server asks for none.
    ///   - longestRetryAfter: The longest delay for which a server can ask.
    ///   - deadline: The time for all attempts and delays.
    ///   - budget: The shared budget for repeated attempts.
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
        ownBackoff = backoff
        self.longestRetryAfter = longestRetryAfter
        self.deadline = deadline
        ownBudget = budget
    }

    /// The largest number of attempts of any call.
    package var mostAttempts: Int { attemptsAfter.values.reduce(attempts) { max($0, $1) } }

    /// A policy of one attempt.
    public static let none = RetryPolicy(attempts: 1)

    /// A policy of three attempts, with the defaults of the initializer.
    public static let standard = RetryPolicy()
}

extension RetryPolicy {
    /// A kind of failure.
    public enum Failure: Sendable, Hashable {
        /// A response with this status.
        case status(Int)
        /// A limit of time was exceeded.
        case timeout
        /// The connection was refused or lost, or the name of the host was not found.
        case connection
    }
}

extension HTTPMethod {
    /// The idempotent methods (RFC 9110, section 9.2.2; RFC 10008, section 2).
    public static let idempotent: Set<HTTPMethod> = [
        .get, .head, .put, .delete, .options, .query, HTTPMethod(rawValue: "TRACE"),
    ]
}

/// A rule for the delay before the next attempt.
public struct Backoff: Sendable {
    private let delay: @Sendable (_ attempt: Int) -> Duration

    /// Creates a rule.
    ///
    /// - Parameter delay: The delay after the attempt with this number, from 1. A negative one counts as zero.
    public init(_ delay: @escaping @Sendable (_ attempt: Int) -> Duration) {
        self.delay = delay
    }

    /// A random delay between zero and a limit that doubles with each attempt ("full jitter"), so that clients which
    /// fail together do not come back together.
    ///
    /// - Parameters:
    ///   - first: The limit after the first attempt.
    ///   - cap: The highest limit.
    /// - Returns: The rule.
    public static func exponential(from first: Duration, upTo cap: Duration) -> Backoff {
        Backoff { attempt in
            let limit = limit(after: attempt, from: first, upTo: cap)
            return limit * Double.random(in: 0...1)
        }
    }

    /// The same delay after each attempt.
    public static func constant(_ delay: Duration) -> Backoff { Backoff { _ in delay } }

    /// No delay.
    public static let none = constant(.zero)

    package func delay(after attempt: Int) -> Duration { delay(attempt) }

    private static func limit(after attempt: Int, from first: Duration, upTo cap: Duration) -> Duration {
        let cap = min(cap, .longest)
        var limit = max(.zero, min(first, cap))
        for _ in 1..<max(1, min(attempt, 64)) where limit < cap { limit *= 2 }
        return max(.zero, min(limit, cap))
    }
}

/// The header `Idempotency-Key`, by which a server recognizes a repeated request
/// (draft-ietf-httpapi-idempotency-key-header): with it, `POST` and `PATCH` can be tried again.
///
/// An empty key makes the request fail to build, also if it is set as a header: it would not tell two orders apart.
public enum IdempotencyKey: Sendable, Hashable {
    /// A random key (a UUID), made at the first attempt of a request object, and the same for all its attempts, also
    /// with the operator `.retry`. Sent with `POST` and `PATCH` only.
    case automatic
    /// This key, sent with every method.
    case value(String)

    package static let header = "Idempotency-Key"
}

extension URLRequest {
    package var hasIdempotencyKey: Bool { value(forHTTPHeaderField: IdempotencyKey.header)?.isEmpty == false }
}
