import Basics
import HTTPTransport

/// Limits for all calls that share the gate: the number at a time, the rate, and pauses while the server asks for one
/// or is down.
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let gate = CallGate(concurrent: 8, perSecond: 50, opensAfter: 5)
///
///     override func configure() {
///         super.configure()
///         gate = Self.gate
///     }
/// }
/// ```
///
/// Each attempt of a call passes the gate; attempts that have to wait pass in the order in which they came.
/// ``APIBase/timeout`` does not cover the wait, ``RetryPolicy/deadline`` does, and canceling the call ends it. An
/// attempt that has waited for longer than `longestWait` fails with ``RequestError/gateTimedOut(after:)``, and is not
/// tried again.
///
/// An attempt holds its place until its response is complete. For streams, events and downloads, it holds the place
/// until the head has arrived, which also decides for the circuit breaker: a body that breaks off later does not count.
///
/// Calls made by an attempt that holds a place, as in ``APIBase/intercept(_:next:)`` and `AnyPublisher.awaiting(_:)`,
/// pass at once, since the attempt waits for them. They do not count for the limits or the circuit breaker, and are not
/// shared. The same holds for calls that a ``TokenSource`` makes to renew its token. Child tasks inherit this; detached
/// tasks and queues do not, and a call from there on which the attempt depends waits for `longestWait`.
///
/// A gate has separate state for the network and for each scope of stubs, on the clock of that scope. A gate of an API
/// class also has separate state for each ``APIAccount``, so the limits apply to each. A gate that accounts themselves
/// have is shared by those accounts.
public final class CallGate: Sendable {
    private let queues: PerScope<AccountQueues>
    /// Those of scopes of stubs, which share their limits with no process.
    private let stubbedQueues: PerScope<AccountQueues>

    /// Creates a gate. Without a limit, only the pauses for which the server asks apply.
    ///
    /// - Parameters:
    ///   - concurrent: The number of attempts that may be under way at a time, at least 1. An attempt is under way from
    ///     the building of its request to the last byte of its response, or to the head of a stream. `nil` for any
    ///     number.
    ///   - perSecond: The number of attempts that may begin in a second. `nil`, or a value not above zero, for any
    ///     number.
    ///   - burst: The number of them that may begin at once after a quiet time; at least 1.
    ///   - pausesAfter429: Whether a response with status 429 stops new attempts for the time in its `Retry-After` (RFC
    ///     6585, section 4), an hour at most. A response whose ``RateLimit`` is used up, also one with another status,
    ///     stops them until it is renewed, for the ``RetryPolicy/longestRetryAfter`` of its call at most.
    ///   - opensAfter: The number of failures in a row after which calls are refused with
    ///     ``RequestError/circuitOpen(retryAfter:)``. Failures are statuses from 500 and connections that break, are
    ///     refused or time out. `nil` for never.
    ///   - restsFor: The time for which they are refused. Then one attempt passes as a trial: if it succeeds, all pass
    ///     again; if it fails, this time begins anew.
    ///   - longestWait: The longest wait at the gate, on the clock of the call. With zero, a call that cannot pass at
    ///     once fails. `nil` for no limit.
    ///   - shared: The limiter by which other processes have the same `concurrent` and `perSecond` together with this
    ///     one, and the same pauses. This process keeps the limits by itself as well. While the limiter fails, calls are
    ///     told by ``SharedLimiterFailed``, and the limits are divided by `replicas`. `nil` for limits of this process.
    ///   - name: The name of the limits that are shared: the same in all processes, and another for another API.
    ///   - replicas: The number of processes.
    public init(
        concurrent: Int? = nil,
        perSecond: Double? = nil,
        burst: Int = 1,
        pausesAfter429: Bool = true,
        opensAfter: Int? = nil,
        restsFor: Duration = .seconds(30),
        longestWait: Duration? = .seconds(60),
        shared: (any SharedLimiter)? = nil,
        name: String = "gate",
        replicas: Int = 1
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
        let shared = shared.map { SharedLimits(limiter: $0, name: name, replicas: max(1, replicas)) }
        queues = PerScope { AccountQueues(limits, shared) }
        stubbedQueues = PerScope { AccountQueues(limits, shared?.limiter.isAskedForStubs == true ? shared : nil) }
    }

    /// The queue in which the calls of a scope wait: one for each account, and one for calls without.
    func queue(
        of scope: AnyObject?,
        for account: AccountIdentity?,
        _ accountName: String?,
        on clock: any CallClock
    ) -> LimiterQueue {
        queues(of: scope).queue(for: account, accountName, on: clock)
    }
}

extension CallGate {
    /// The number of accounts in the present scope whose queues are kept.
    package var accountCount: Int { queues(of: CallScope.here.standInOwner).count }

    private func queues(of scope: AnyObject?) -> AccountQueues {
        (scope == nil ? queues : stubbedQueues).value(for: scope)
    }
}

/// The queues of a gate in one scope.
private final class AccountQueues: Sendable {
    private struct State {
        var queues: [AccountIdentity: LimiterQueue] = [:]
        /// The number of accounts at which those are forgotten whose calls neither run nor wait.
        var limit = 1_024
    }

    private let limits: GateLimits
    private let sharedLimits: SharedLimits?
    /// That of calls without an account of their own.
    private let common: LimiterQueue
    private let state = Locked(State())

    init(_ limits: GateLimits, _ sharedLimits: SharedLimits?) {
        (self.limits, self.sharedLimits) = (limits, sharedLimits)
        common = LimiterQueue(limits, sharedLimits)
    }

    var count: Int { state.withLock { $0.queues.count } }

    func queue(for account: AccountIdentity?, _ name: String?, on clock: any CallClock) -> LimiterQueue {
        guard let account else { return common }
        let (queue, forgotten) = state.withLock { state -> (LimiterQueue, [AccountIdentity: LimiterQueue]) in
            if let queue = state.queues[account] { return (queue, [:]) }
            var forgotten: [AccountIdentity: LimiterQueue] = [:]
            if state.queues.count >= state.limit {
                forgotten = state.queues.filter { $0.value.isAtRest(on: clock) }
                for account in forgotten.keys { state.queues[account] = nil }
                state.limit = max(1_024, 2 * state.queues.count)
            }
            var shared = sharedLimits
            if let name, let gate = shared?.name { shared?.name = "\(gate)/\(name)" }
            let queue = LimiterQueue(limits, shared)
            state.queues[account] = queue
            return (queue, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return queue
    }
}

/// The limits of a gate.
struct GateLimits: Sendable {
    var concurrent: Int?
    /// The time between the starts of two attempts.
    var interval: Duration?
    var burst = 1
    var pausesAfter429 = true
    var opensAfter: Int?
    var restsFor = Duration.seconds(30)
    var longestWait: Duration?

    /// The longest pause that a server can ask for.
    static let longestPause = Duration.seconds(3_600)
}
