#if os(Linux) || os(Android)
/// The roles of the threads of an event loop: the leader/followers pattern with a watchdog.
///
/// The **leader** works with libcurl, and in between delivers what has come of it, because handing that over to another
/// thread would cost more than the rest of a small exchange. A delivery runs a user's code, which may block. So the
/// **watchdog** looks at the leader every few milliseconds while there are deliveries. If one takes longer than
/// ``patience``, a **follower** is started that leads from then on. The old leader is a **straggler** until its delivery
/// returns, and then ends. Followers are not kept: starting one costs little beside the delivery that has made it
/// necessary.
///
/// A delivery that computes is replaced at once if no other straggler computes, since more threads would not be faster, and
/// otherwise after ``computing`` times the patience, so that the others go on in any case.
///
/// A value: it decides, and ``EventLoop`` acts.
struct LeaderFollowers<Thread: AnyObject> {
    /// A finding of the watchdog.
    enum Finding {
        case fine
        /// There has been nothing to deliver: it need not look again until there is.
        case quiet
        /// The leader's delivery takes too long.
        case overdue(Overdue)
    }

    /// A delivery that takes too long, and the thread that makes it.
    struct Overdue {
        let leader: Thread
        fileprivate let delivery: UInt64
        /// Whether it has lasted so long that the others go on in any case.
        fileprivate let isLong: Bool
    }

    /// Nanoseconds that all others can wait for one delivery: more than a thread is kept from its core on a busy machine.
    static var patience: UInt64 { 4_000_000 }

    /// The most times ``patience`` that they can wait beside stragglers: where the threads themselves wait for each other,
    /// more of them are no help.
    private static var besideStragglers: Int { 3 }

    /// Times ``patience`` after which a delivery is replaced though another straggler computes as well.
    private static var computing: UInt64 { 25 }

    /// Looks without a delivery between them after which the watchdog stops looking.
    private static var quietLooks: Int { 2 }

    private var leader: Thread?
    /// The others, and whether they compute, rather than wait for something.
    private var stragglers: [ObjectIdentifier: Bool] = [:]

    /// Deliveries that have begun; which one the leader is at, and since when.
    private var begun: UInt64 = 0
    private var delivery: (number: UInt64, since: UInt64)?

    /// A delivery that was overdue at the last look, how long its thread had been busy, and when that was.
    private var suspect: (delivery: UInt64, busyTime: Int64, at: UInt64)?

    private var seen: UInt64 = 0
    private var quiet = 0
    private var isWatched = false

    /// A new thread is there, and leads.
    mutating func begin(_ thread: Thread) { leader = thread }

    /// A thread has made its delivery, or a round with libcurl. Returns whether it leads; otherwise it ends.
    mutating func goesOn(_ thread: Thread) -> Bool {
        guard leader === thread else {
            stragglers[ObjectIdentifier(thread)] = nil
            return false
        }
        delivery = nil
        return true
    }

    /// The leader begins a delivery. Returns whether the watchdog has to be told.
    mutating func beginDelivery(at now: UInt64) -> Bool {
        begun += 1
        delivery = (begun, now)
        defer { isWatched = true }
        return !isWatched
    }

    /// The leader ends, and nothing follows it.
    mutating func end() {
        leader = nil
        delivery = nil
    }
}

// MARK: The watchdog

extension LeaderFollowers {
    /// The watchdog's finding at this time, in nanoseconds.
    mutating func look(at now: UInt64) -> Finding {
        if let leader, let delivery, now >= delivery.since + patience {
            seen = begun
            let isLong = now >= delivery.since + Self.computing * Self.patience
            return .overdue(Overdue(leader: leader, delivery: delivery.number, isLong: isLong))
        }
        quiet = begun == seen ? quiet + 1 : 0
        seen = begun
        guard delivery == nil, quiet >= Self.quietLooks else { return .fine }
        isWatched = false
        quiet = 0
        return .quiet
    }

    /// The time that all others can wait for the present delivery, in nanoseconds: longer beside stragglers.
    private var patience: UInt64 { Self.patience * UInt64(min(stragglers.count + 1, Self.besideStragglers)) }

    /// Makes the leader a straggler, unless its delivery has ended meanwhile, or another thread would not help.
    ///
    /// A thread is blocked if it was asleep for most of the time between two looks: one that waits for a processor is not,
    /// one that asks again and again with a sleep in between is. One that computes is replaced if no other straggler does, and
    /// in any case after a while.
    ///
    /// - Parameters:
    ///   - overdue: What ``look(at:)`` has found.
    ///   - busyTime: How long its thread has run, or has waited for a processor, in nanoseconds.
    ///   - isRunnable: Whether it does so now.
    ///   - now: The time.
    /// - Returns: Whether there is no leader now, so that a follower has to be started.
    mutating func depose(_ overdue: Overdue, busyTime: Int64, isRunnable: Bool = false, at now: UInt64) -> Bool {
        guard leader === overdue.leader, delivery?.number == overdue.delivery else { return false }
        let last = suspect
        suspect = (overdue.delivery, busyTime, now)
        guard let last, last.delivery == overdue.delivery else { return false }
        let isBlocked = !isRunnable && (busyTime - last.busyTime) * 4 < Int64(max(now, last.at) - last.at)
        guard isBlocked || overdue.isLong || !stragglers.values.contains(true) else { return false }
        stragglers[ObjectIdentifier(overdue.leader)] = !isBlocked
        leader = nil
        delivery = nil
        return true
    }
}
#endif
