#if os(Linux) || os(Android)
import Basics

/// Which thread of an event loop does what: the leader/followers pattern with a watchdog.
///
/// The **leader** works with libcurl, and in between delivers what has come of it, because handing that over to another
/// thread would cost more than the rest of a small exchange. A delivery runs a user's code, which may block. So the
/// **watchdog** looks at the leader every few milliseconds while there are deliveries. If one takes longer than
/// ``patience``, a **follower** becomes the leader and goes on with everything else; the old leader is a **straggler**
/// until its delivery returns, and then a follower. One follower is **parked** for the next time; more than that end.
///
/// A delivery that computes for long gets no help beyond one more thread for the loop: more of them would not be faster.
///
/// A value: it decides, and ``EventLoop`` acts.
struct LeaderFollowers<Thread: AnyObject> {
    /// What a thread is.
    enum Role: Equatable {
        case leader, straggler, parked
    }

    /// What a thread does next.
    enum Duty: Equatable {
        /// Lead, or go on leading.
        case lead
        /// Wait to be made the leader.
        case park
        case end
    }

    /// What the watchdog has found.
    enum Finding {
        case fine
        /// There has been nothing to deliver: it need not look again until there is.
        case quiet
        /// The leader's delivery takes too long.
        case overdue(Overdue)
    }

    /// A delivery that takes too long, and who makes it.
    struct Overdue {
        let leader: Thread
        fileprivate let delivery: UInt64
    }

    /// Who takes the leader's place.
    enum Successor {
        case parked(Thread)
        /// A thread that has to be started. It is the leader when it has begun.
        case new
    }

    /// Nanoseconds that all others can wait for one delivery: more than a thread is kept from its core on a busy machine.
    static var patience: UInt64 { 4_000_000 }

    /// Looks without a delivery between them after which the watchdog stops looking.
    private static var quietLooks: Int { 2 }

    /// Stragglers of a loop that compute, rather than wait for something.
    private static var busyStragglers: Int { 1 }

    private var leader: Thread?
    private var parkedThread: Thread?
    private var stragglers: [ObjectIdentifier: Bool] = [:]  // and whether they compute

    /// Deliveries that have begun; which one the leader is at, and since when.
    private var begun: UInt64 = 0
    private var delivery: (number: UInt64, since: UInt64)?

    private var seen: UInt64 = 0
    private var quiet = 0
    /// Whether the watchdog looks.
    private(set) var isWatched = false

    /// A new thread is there, and leads.
    mutating func begin(_ thread: Thread) { leader = thread }

    /// What a thread is; nil if it is none of this loop's any more.
    func role(of thread: Thread) -> Role? {
        if leader === thread { return .leader }
        if parkedThread === thread { return .parked }
        return stragglers[ObjectIdentifier(thread)] == nil ? nil : .straggler
    }

    /// The leader begins a delivery. Returns whether the watchdog has to be told.
    mutating func beginDelivery(at now: UInt64) -> Bool {
        begun += 1
        delivery = (begun, now)
        defer { isWatched = true }
        return !isWatched
    }

    /// What a thread does that has made its delivery, or that has been woken.
    mutating func next(for thread: Thread) -> Duty {
        switch role(of: thread) {
        case .leader:
            delivery = nil
            return .lead
        case .parked: return .park
        case .straggler:
            stragglers[ObjectIdentifier(thread)] = nil
            guard parkedThread == nil, leader != nil else { return .end }
            parkedThread = thread
            return .park
        case nil: return .end
        }
    }

    /// A parked thread has waited long enough; false if it has been made the leader meanwhile.
    mutating func retire(_ thread: Thread) -> Bool {
        guard parkedThread === thread else { return false }
        parkedThread = nil
        return true
    }

    /// The last thread ends, or the loop does. Returns the parked thread, which has to be woken to end.
    mutating func end() -> Thread? {
        leader = nil
        delivery = nil
        return parkedThread.take()
    }
}

// MARK: The watchdog

extension LeaderFollowers {
    /// What the watchdog sees.
    mutating func look(at now: UInt64) -> Finding {
        if let leader, let delivery, now >= delivery.since + Self.patience {
            seen = begun
            return .overdue(Overdue(leader: leader, delivery: delivery.number))
        }
        quiet = begun == seen ? quiet + 1 : 0
        seen = begun
        guard delivery == nil, quiet >= Self.quietLooks else { return .fine }
        isWatched = false
        quiet = 0
        return .quiet
    }

    /// Has another thread lead, unless the delivery has ended meanwhile, or another thread would not help.
    ///
    /// - Parameters:
    ///   - overdue: What ``look(at:)`` has found.
    ///   - isBlocked: Whether its thread waits for something, rather than computes.
    mutating func replace(_ overdue: Overdue, isBlocked: Bool) -> Successor? {
        guard leader === overdue.leader, delivery?.number == overdue.delivery else { return nil }
        guard isBlocked || stragglers.values.count(where: { $0 }) < Self.busyStragglers else { return nil }
        stragglers[ObjectIdentifier(overdue.leader)] = !isBlocked
        delivery = nil
        leader = parkedThread.take()
        return leader.map(Successor.parked) ?? .new
    }
}
#endif
