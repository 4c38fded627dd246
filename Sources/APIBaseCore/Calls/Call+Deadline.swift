import Basics
import HTTPTransport

/// The limits of time of a call: its own, ``RetryPolicy/deadline``, and that of its scope.
extension Call {
    /// The longest time for the whole call; `nil` for no limit.
    private var deadline: Duration? { settings.retry.deadline.map { min($0, .longest) } }

    var ownLeft: Duration? { deadline.map { $0 - elapsed } }

    var scopeLeft: Duration? { scope?.deadline?.left(on: clock, of: anyStandIn) }

    /// The time that is left on the clock of the call, which the deadline of the scope may not be on.
    var timeLeftOnClock: Duration? {
        let isMeasured = scope?.deadline?.isMeasured(on: clock, of: anyStandIn) == true
        return isLimitedByScope && !isMeasured ? ownLeft : timeLeft
    }

    /// On an immediate clock, the call goes on at the time of the task that sends it, which may have awaited other calls
    /// for it.
    func followTask() {
        if clock.endsWaitsAtOnce, ScopeTime.task != nil { clock.catchUp(to: CallScope.here.taskTime) }
    }

    /// The time that is left to the call; `nil` for no limit.
    var timeLeft: Duration? { isLimitedByScope ? scopeLeft : ownLeft }

    /// Whether the deadline of the scope comes before that of the call.
    var isLimitedByScope: Bool {
        guard let scopeLeft else { return false }
        return ownLeft.map { scopeLeft < $0 } ?? true
    }

    /// Whether there is no other attempt because of the deadline of the scope.
    var isCutShort: Bool { isLimitedByScope && state.withLock { $0.report.stopReason } == .deadline }

    package var isPastDeadline: Bool { timeLeft.map { $0 <= .zero } ?? false }

    /// The error of the deadline.
    var timeout: any Error {
        if isLimitedByScope, let error = scope?.deadline?.error { return error }
        let (phase, url) = state.withLock { ($0.phase, $0.report.request?.url) }
        let reason = TransportError.Reason.timedOut(which: .total, after: deadline ?? .zero)
        return TransportError(phase: phase, reason: reason, url: url).removing(secrets)
    }

    /// The error of the deadline of the scope, if that has passed.
    package var deadlineError: (any Error)? {
        isLimitedByScope && isPastDeadline ? timeout : nil
    }

    /// The error as the caller gets it: without secrets, and after the deadline of the scope that of the deadline.
    func shown(_ error: any Error) -> any Error {
        if !(error is CancellationError), let deadlineError { return deadlineError }
        return error.without(secrets)
    }
}
