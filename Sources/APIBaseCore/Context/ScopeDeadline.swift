import Basics
import HTTPTransport

/// A limit of time for all calls of a scope.
struct ScopeDeadline: Sendable {
    let limit: Duration
    /// The error of what is not done.
    let error: any Error
    /// The time of the scope at which it ends.
    private let end: Duration
    /// The stubs or the recording on whose clock it is; `nil` for real time.
    private let standIn: (any StandIn)?

    init(after limit: Duration, in scope: CallScope, throwing error: (any Error)? = nil) {
        self.limit = max(.zero, min(limit, .longest))
        self.error = error ?? RequestError.deadlineExceeded(after: self.limit)
        end = scope.taskTime + self.limit
        standIn = scope.standIn
    }

    /// The time of the scope at which it begins.
    private var start: Duration { end - limit }

    /// The time that is left to the code of the scope.
    var left: Duration { end - max(start, CallScope(standIn: standIn).taskTime) }

    /// A call begins, in a task that may not know what the one has done which has set the deadline.
    func begin(_ clock: any CallClock, of standIn: (any StandIn)?) {
        if standIn === self.standIn { clock.catchUp(to: start) }
    }

    /// Whether it is on the clock of a call that these stubs answer.
    func isMeasured(on clock: any CallClock, of standIn: (any StandIn)?) -> Bool {
        standIn === self.standIn && clock.scopeTime != nil
    }

    /// The time that is left to a call on this clock.
    func left(on clock: any CallClock, of standIn: (any StandIn)?) -> Duration {
        guard isMeasured(on: clock, of: standIn), let now = clock.scopeTime else { return left }
        return end - now
    }

    /// Waits for the end, on its own clock. Where waits take no time, that is only to end work that hangs: such a clock is
    /// at the end of a response before its reader.
    ///
    /// - Returns: `nil` if the time has passed.
    func wait(then action: @escaping @Sendable () -> Void) -> CallWait? {
        let clock = CallScope(standIn: standIn).clock
        guard clock.endsWaitsAtOnce else { return clock.wait(left, then: action) }
        return limit > .zero ? clock.forRealWork.wait(max(limit, .seconds(10)), then: action) : nil
    }
}

extension CallScope {
    /// The time of the scope since some fixed moment: real time, or that of stubs. Under stubs on an immediate clock it
    /// is that of the task whose calls have got furthest, so tasks that wait at the same time move it once.
    ///
    /// A ``CallWatcher`` may be told of events outside of the scope, where this is real time.
    ///
    /// ```swift
    /// let start = CallScope.now
    /// let report = try await ReportRequest().value()
    /// print("The report took \(CallScope.now - start).")
    /// ```
    public static var now: Duration { here.now }

    private var now: Duration { clock.latestTime ?? WallClock.shared.now }

    /// The time that the running task has reached.
    package var taskTime: Duration { clock.scopeTime ?? WallClock.shared.now }

    /// The error of work that takes this long, if the deadline is earlier.
    package func deadlineError(within duration: Duration) -> (any Error)? {
        deadline.flatMap { $0.left <= duration ? $0.error : nil }
    }

    /// Runs `body` with a limit of time for all calls that it starts, together: with their tokens, gates, delays, pages,
    /// polls and streams. For a service that has to answer its own caller in time.
    ///
    /// ```swift
    /// let page = try await CallScope.withDeadline(.seconds(2)) {
    ///     let user = try await UserRequest(id: id).value()
    ///     return try await OrdersRequest(of: user).value()
    /// }
    /// ```
    ///
    /// When the time has passed, every call and loop fails with ``RequestError/deadlineExceeded(after:)``, whatever it
    /// was doing, and so does each one that begins later. A loop reads what has arrived before. A publisher or a sequence
    /// that was made outside has no part in it. A delay that would end later fails at once: ``sleep(for:)``,
    /// the delay before another attempt or a poll. Other code is not interrupted. What other code waits for too goes on
    /// for that: a shared response, or the refresh of a token.
    ///
    /// The limit is measured on the clock of the scope, so stubs with a delay pass it without taking time. On an
    /// immediate clock, the calls of one task add up, and those of each child task from the beginning of the deadline on:
    /// what the task has done before it has made a child, or does after it has awaited one, is not counted with the
    /// child's, and neither is the wait for a place that a call of another task has at a gate. A manual clock counts all
    /// of it.
    ///
    /// The deadline applies in child tasks and in the closures of a call's publisher, but not in detached tasks or on
    /// other queues: hand ``here`` on there. Inside another deadline, the earlier one counts, and names its own limit in
    /// the error.
    ///
    /// - Parameters:
    ///   - limit: The time for all of it, from now on. Zero or less lets no call begin.
    ///   - isolation: The actor of the caller.
    ///   - body: The code whose calls have the deadline.
    /// - Returns: The result of `body`, also if it comes later.
    /// - Throws: The error of `body`.
    public static func withDeadline<Value>(
        _ limit: Duration,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await ScopeRules.current.ending(by: ScopeDeadline(after: limit, in: here)).run(isolation: isolation, body)
    }

    /// The scope with a limit of time from now on, at which its calls fail with this error.
    package func ending(after limit: Duration, throwing error: any Error) -> CallScope {
        var scope = self
        scope.rules = rules.ending(by: ScopeDeadline(after: limit, in: self, throwing: error))
        return scope
    }

    /// The time that the running task has reached, for the code that waits for it: under immediate clocks, it goes on at
    /// that time (`handOn()`).
    package static var reachedTime: any CallClock { here.clock }
}
