import HTTPTransport

/// Limits for all calls that share the gate: so many at a time, so many a second, and none while the server asks for a
/// pause or is down.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let gate = CallGate(concurrent: 8, perSecond: 50, opensAfter: 5)
///
///     override init(_ endpoint: Endpoint) {
///         super.init(endpoint)
///         gate = Self.gate
///     }
/// }
/// ```
///
/// Each attempt of a call goes through it. Those that must wait go on in the order in which they came; the wait is no part of
/// ``APIBase/timeout``, but ``RetryPolicy/deadline`` covers it, and a cancel ends it. One that has waited for longer than
/// `longestWait` fails with ``RequestError/gateTimedOut(after:)``, and is not tried again.
///
/// An attempt holds its place until its reply is whole; that of a stream, of events or of a download until its head is there,
/// which also decides for the circuit breaker: a body that breaks off later does not count.
///
/// Calls that an attempt makes itself while it holds its place, as in ``APIBase/intercept(_:next:)`` and
/// `AnyPublisher.awaiting(_:)`, pass the gate at once, since the attempt waits for them: they do not count in its limits
/// or for its circuit breaker, and are not shared. Neither do the calls wait that a ``TokenSource`` makes to renew its token. Tasks
/// inherit this; detached tasks and queues do not, and a call that an attempt waits for from there waits for `longestWait`.
///
/// A gate shared by calls to the network and by tests with stubs counts for each scope of stubs on its own, on its clock.
public final class CallGate: Sendable {
    private let lines: ScopedState<GateLine>

    /// Creates a gate. Without a limit, only pauses after 429 hold.
    ///
    /// - Parameters:
    ///   - concurrent: How many attempts may be under way at a time, from the building of the request to the last byte of the
    ///     reply, or to the head of a stream; at least 1. `nil` for any number.
    ///   - perSecond: How many may begin in a second. `nil`, or what is not above zero, for any number.
    ///   - burst: How many of them may begin at once after a quiet time; at least 1.
    ///   - pausesAfter429: Whether nothing begins after a reply with status 429 for as long as its `Retry-After` says
    ///     (RFC 6585, section 4), at most an hour.
    ///   - opensAfter: After how many failures in a row calls are refused, with ``RequestError/circuitOpen(retryAfter:)``.
    ///     Failures are statuses from 500 and broken, refused and timed-out connections. `nil` for never.
    ///   - restsFor: For how long they are refused. Then one call goes through as a trial, and the others are still refused. If
    ///     it succeeds, all pass again; if it fails, the rest begins anew.
    ///   - longestWait: For how long a call waits at the gate, on the clock of the call; with zero, one that cannot pass at once
    ///     fails. `nil` for any time.
    public init(
        concurrent: Int? = nil,
        perSecond: Double? = nil,
        burst: Int = 1,
        pausesAfter429: Bool = true,
        opensAfter: Int? = nil,
        restsFor: Duration = .seconds(30),
        longestWait: Duration? = .seconds(60)
    ) {
        let limits = GateLimits(
            concurrent: concurrent.map { max(1, $0) },
            interval: perSecond.flatMap { $0 > 0 ? Duration.seconds(min(1 / $0, 3_155_760_000)) : nil },
            burst: max(1, burst),
            pausesAfter429: pausesAfter429,
            opensAfter: opensAfter.map { max(1, $0) },
            restsFor: max(.zero, min(restsFor, .longest)),
            longestWait: longestWait.map { max(.zero, min($0, .longest)) }
        )
        lines = ScopedState { GateLine(limits) }
    }

    /// The line in which the calls of a scope wait.
    func line(of scope: AnyObject?) -> GateLine { lines.value(for: scope) }
}

/// The limits of a gate.
struct GateLimits: Sendable {
    var concurrent: Int?
    /// The time between two that begin.
    var interval: Duration?
    var burst = 1
    var pausesAfter429 = true
    var opensAfter: Int?
    var restsFor = Duration.seconds(30)
    var longestWait: Duration?

    /// The longest pause that a server can ask for.
    static let longestPause = Duration.seconds(3_600)
}
