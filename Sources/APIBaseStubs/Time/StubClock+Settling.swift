import Basics
import Dispatch
import HTTPTransport

extension StubClock {
    /// Waits until every call that has begun on a manual clock waits or has ended. Then a test can look at ``nextWait``
    /// and move the clock:
    ///
    /// ```swift
    /// async let book = BookRequest(id: 7).value()
    /// await clock.settled()
    /// clock.advance(by: clock.nextWait ?? .zero)
    /// ```
    ///
    /// A call waits for the clock when it waits for an answer, between attempts, or at a gate. Its deadline and
    /// timeouts do not count, since they run in parallel. If no call has begun yet, the method waits for the first one.
    /// Code between two calls has a tenth of a second to start the next one. A call that waits for something other than
    /// the clock (another call's place at a gate, a token, a subscriber without demand) counts as waiting after one
    /// second without any change, or after five if no other call waits on the clock.
    ///
    /// A subscriber of a stream may get its last values a little later. Returns immediately on other clocks, and when
    /// the task is canceled.
    public func settled() async {
        guard isManual else { return }
        state.withLock { $0.attendants += 1 }
        defer { state.withLock { $0.attendants -= 1 } }
        var (last, count) = (Activity(), 0)
        while count < last.requiredRepeats, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))
            let activity = activity
            count = activity == last ? count + 1 : 0
            last = activity
        }
    }

    private struct Activity: Equatable {
        var changes: UInt64 = 0
        var hasBegun = false
        var waits = 0
        var (running, waiting) = (0, 0)

        /// The number of times in a row that the same activity has to be seen. The clock looks once in a millisecond,
        /// or less often on a busy machine.
        var requiredRepeats: Int {
            if running > 0 || !hasBegun { return waiting > 0 ? 1_000 : 5_000 }
            return waiting + waits > 0 ? 20 : 100
        }

        /// Whether nothing can happen until the clock is moved.
        var isStuck: Bool { running == 0 || waiting > 0 }
    }

    /// The classes of the calls that have not ended.
    private var waitingCalls: [String] {
        let users = state.withLock { $0.users }
        return users.calls.filter { $0.standing != .ended }.map { "\($0.type)" }
    }

    private var activity: Activity {
        var activity = Activity()
        let users = state.withLock { state in
            (activity.changes, activity.waits) = (state.changes, state.waiting.count)
            return state.users
        }
        activity.hasBegun = !users.isEmpty || activity.changes > 0
        // Outside the lock, since calls and answers take locks of their own.
        let waiting = Set(users.answers.filter { $0.standing == .waiting }.compactMap(\.callID))
        for call in users.calls {
            switch call.standing {
            case .waiting: activity.waiting += 1
            case .running where waiting.contains(ObjectIdentifier(call)): activity.waiting += 1
            case .running: activity.running += 1
            case .ended: break
            }
        }
        return activity
    }

    /// Checks ten times within the limit, and in each second, whether the clock has been moved, as long as something
    /// waits. It counts checks instead of measuring time, so that a debugger can pause the process.
    func watch() {
        guard let limit else { return }
        let interval = max(.milliseconds(10), min(limit, .seconds(1)) / 10)
        DispatchQueue.global().asyncAfter(deadline: .now() + interval / .seconds(1)) { [weak self] in
            guard let self else { return }
            let (isStuck, waitingCalls) = (activity.isStuck, waitingCalls)
            let check = state.withLock { $0.check(every: interval, within: limit, isStuck: isStuck, waitingCalls) }
            switch check {
            case .nothingWaits: return
            case .waitLonger: break
            case .move(let wait): advance(by: wait)
            }
            watch()
        }
    }
}
