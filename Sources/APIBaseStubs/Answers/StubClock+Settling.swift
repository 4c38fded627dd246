import Basics
import Dispatch
import HTTPTransport

extension StubClock {
    /// Waits until every call that has begun on a manual clock waits or has ended, so that a test can look at ``nextWait``, and
    /// move the clock:
    ///
    /// ```swift
    /// async let book = BookRequest(id: 7).value()
    /// await clock.settled()
    /// clock.advance(by: clock.nextWait ?? .zero)
    /// ```
    ///
    /// A call waits for the clock: for an answer, between attempts, at a gate; its deadline and time-outs do not count, since they
    /// run beside all it does. If no call has begun yet, the first one is waited for.
    ///
    /// What is not a call is not seen: code that has to start another one, once a call has ended, has a tenth of a second for it.
    /// A call that something else than the clock holds up (another call's place at a gate, a token, a subscriber that asks for
    /// nothing) counts as one that waits when nothing has happened for a second, or for five if no other call waits on the clock.
    ///
    /// A subscriber of a stream may get its last values a little later.
    ///
    /// Returns at once on other clocks, and when the task is cancelled.
    public func settled() async {
        guard isManual else { return }
        var (last, count) = (Census(), 0)
        while count < last.polls, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))
            let census = census
            count = census == last ? count + 1 : 0
            last = census
        }
    }

    /// What the calls of the clock do just now.
    private struct Census: Equatable {
        var changes: UInt64 = 0
        var hasBegun = false
        var waits = 0
        var (running, waiting) = (0, 0)

        /// How often in a row the same has to be seen, at most once in a millisecond: a busy machine does less in that time.
        var polls: Int {
            if running > 0 || !hasBegun { return waiting > 0 ? 1_000 : 5_000 }
            return waiting + waits > 0 ? 20 : 100
        }

        /// Whether nothing goes on until the clock is moved.
        var isStuck: Bool { running == 0 || waiting > 0 }
    }

    private var census: Census {
        var census = Census()
        let users = state.withLock { state in
            (census.changes, census.waits) = (state.changes, state.waiting.count)
            return state.users
        }
        census.hasBegun = !users.isEmpty
        // Not under the lock: who is asked has a lock of its own.
        let waiting = Set(users.answers.filter { $0.standing == .waiting }.compactMap(\.callID))
        for call in users.calls {
            switch call.standing {
            case .waiting: census.waiting += 1
            case .running where waiting.contains(ObjectIdentifier(call)): census.waiting += 1
            case .running: census.running += 1
            case .ended: break
            }
        }
        return census
    }

    /// An answer begins on the clock.
    func follow(_ answer: AnswerTask) {
        if isManual { withExtendedLifetime(state.withLock { $0.users.append(answer) }) {} }
    }

    /// The problem with the clock: nobody has moved it.
    var problem: StubProblem? { state.withLock { $0.problem } }

    /// Looks once in a second whether somebody moves the clock, for as long as something waits. Looks are counted and not time, so
    /// that a debugger can stop the process.
    func watch() {
        guard let limit else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            let isStuck = census.isStuck
            switch state.withLock({ $0.look(within: limit, isStuck: isStuck) }) {
            case .nothingWaits: return
            case .waitLonger: break
            case .move(let wait): advance(by: wait)
            }
            watch()
        }
    }
}
