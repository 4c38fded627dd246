#if os(Linux) || os(Android)
/// The roles of the threads of an event loop: the leader/followers pattern with a watchdog.
///
/// The **leader** works with libcurl, and makes deliveries in between, since passing them to another thread would cost
/// more than the rest of a small exchange. A delivery runs a user's code, which may block. So a **watchdog** checks the
/// leader every few milliseconds while there are deliveries. If one takes longer than ``deliveryTimeout``, a
/// **follower** is started and leads from then on. The **former leader** ends when its delivery returns. Followers are
/// not kept: starting one costs little compared with the delivery that made it necessary.
///
/// A delivery that computes is replaced only if no other former leader computes, since more threads would not be
/// faster. After ``computingFactor`` timeouts it is replaced in any case.
///
/// A value that only decides; its owner, one of the ``WatchedThreads``, acts.
struct LeaderFollowers<Thread: AnyObject> {
    /// The result of a check by the watchdog.
    enum Decision {
        case keepWatching
        /// There have been no deliveries: the next check follows the next delivery.
        case stopWatching
        /// The leader's delivery takes too long: see ``replaceLeader(_:busyTime:isRunnable:at:)``.
        case replaceLeader(SlowDelivery)
    }

    /// A delivery that takes too long, and its thread.
    struct SlowDelivery {
        let leader: Thread
        fileprivate let number: UInt64
        /// Whether it has taken so long that it is replaced in any case.
        fileprivate let isVeryLong: Bool
    }

    /// Nanoseconds that all others may wait for one delivery: more than a thread is kept from its core on a busy
    /// machine.
    static var deliveryTimeout: UInt64 { 4_000_000 }

    /// The timeout grows with the number of former leaders, up to this factor: where threads wait for each other, more
    /// of them do not help.
    private static var maxTimeoutFactor: Int { 3 }

    /// The number of timeouts after which a delivery is replaced even if another former leader computes.
    private static var computingFactor: UInt64 { 25 }

    /// Checks in a row without a delivery after which the watchdog stops.
    private static var quietChecks: Int { 2 }

    private var leader: Thread?
    /// The former leaders, and whether they compute rather than wait.
    private var formerLeaders: [ObjectIdentifier: Bool] = [:]

    /// The number of deliveries that have begun; the leader's delivery, and its start.
    private var begun: UInt64 = 0
    private var delivery: (number: UInt64, since: UInt64)?

    /// The slow delivery of the last check, how long its thread had been busy, and the time of the check.
    private var sample: (delivery: UInt64, busyTime: Int64, at: UInt64)?

    private var begunAtLastCheck: UInt64 = 0
    private var quiet = 0
    private var isWatched = false

    mutating func setLeader(_ thread: Thread) { leader = thread }

    /// A thread has ended a delivery, or a round with libcurl. Returns whether it still leads; otherwise it has to end.
    mutating func endDelivery(of thread: Thread) -> Bool {
        guard leader === thread else {
            formerLeaders[ObjectIdentifier(thread)] = nil
            return false
        }
        delivery = nil
        return true
    }

    /// The leader begins a delivery. Returns whether the watchdog has to be started.
    mutating func beginDelivery(at now: UInt64) -> Bool {
        begun += 1
        delivery = (begun, now)
        defer { isWatched = true }
        return !isWatched
    }

    /// The leader ends without a follower.
    mutating func removeLeader() {
        leader = nil
        delivery = nil
    }
}

// MARK: The watchdog

extension LeaderFollowers {
    /// The watchdog's check at this time, in nanoseconds.
    mutating func check(at now: UInt64) -> Decision {
        if let leader, let delivery, now >= delivery.since + timeout {
            begunAtLastCheck = begun
            let isVeryLong = now >= delivery.since + Self.computingFactor * Self.deliveryTimeout
            return .replaceLeader(SlowDelivery(leader: leader, number: delivery.number, isVeryLong: isVeryLong))
        }
        quiet = begun == begunAtLastCheck ? quiet + 1 : 0
        begunAtLastCheck = begun
        guard delivery == nil, quiet >= Self.quietChecks else { return .keepWatching }
        isWatched = false
        quiet = 0
        return .stopWatching
    }

    private var timeout: UInt64 {
        Self.deliveryTimeout * UInt64(min(formerLeaders.count + 1, Self.maxTimeoutFactor))
    }

    /// Removes the leader, unless its delivery has ended, or another thread would not help.
    ///
    /// A thread is blocked if it was asleep for most of the time between two checks. One that waits for a processor is
    /// not blocked; one that polls with sleeps in between is.
    ///
    /// - Parameters:
    ///   - slow: The result of ``check(at:)``.
    ///   - busyTime: How long its thread has run, or has waited for a processor, in nanoseconds.
    ///   - isRunnable: Whether it does so now.
    ///   - now: The time.
    /// - Returns: Whether the leader was removed, so that a follower has to be started.
    mutating func replaceLeader(
        _ slow: SlowDelivery,
        busyTime: Int64,
        isRunnable: Bool = false,
        at now: UInt64
    ) -> Bool {
        guard leader === slow.leader, delivery?.number == slow.number else { return false }
        let last = sample
        sample = (slow.number, busyTime, now)
        guard let last, last.delivery == slow.number else { return false }
        let isBlocked = !isRunnable && (busyTime - last.busyTime) * 4 < Int64(max(now, last.at) - last.at)
        guard isBlocked || slow.isVeryLong || !formerLeaders.values.contains(true) else { return false }
        formerLeaders[ObjectIdentifier(slow.leader)] = !isBlocked
        removeLeader()
        return true
    }
}
#endif
