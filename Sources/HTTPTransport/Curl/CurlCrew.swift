#if os(Linux) || os(Android)
/// Which of a session's threads does what. Calls nobody.
///
/// One thread leads: it works with libcurl, and in between delivers what has come of it, because handing that over to
/// another thread would cost more than the rest of a small exchange. A delivery runs a user's code, which may take long.
/// Where it does, helpers deliver while the leader goes on. And because nobody knows beforehand, the deputy looks at the
/// leader while it delivers, and leads in its place if one delivery takes longer than ``patience``.
struct CurlCrew {
    typealias Delivery = any ExchangeDelivery

    /// Nanoseconds that all others can wait for one delivery: more than a thread is kept from its core on a busy machine.
    static let patience: UInt64 = 4_000_000
    /// Nanoseconds of an ordinary delivery from which on others deliver than the leader.
    private static let most: UInt64 = 100_000
    /// Looks with no delivery between them after which the deputy rests.
    private static let idleLooks = 2

    /// What a thread is to do next.
    enum Duty {
        case lead
        case deliver(Delivery)
        /// To hand the delivery to somebody else, since there are no threads left.
        case pass(Delivery)
        /// To look again soon.
        case watch
        /// To wait for the bell; for ever, or until it is not worth keeping the thread.
        case rest(forever: Bool)
        case end
    }

    /// Who is needed beside the thread that has asked.
    enum Call {
        case nobody
        case bell(CurlHand)
        case newHand
        case leader
    }

    /// Threads there may be.
    private static let room = 512

    private var isOver = false
    private var leader: CurlHand?
    private var deputy: CurlHand?
    private var idle: [CurlHand] = []
    private var count = 0
    /// Times that a new thread is not asked for, after there could be none.
    private var shortage = 0
    private var isHiring = false
    private var isCalling = false

    private var deliveries = Queue<Delivery>()

    /// When the leader began the delivery it is at.
    private var since: UInt64?
    private var begun = 0
    private var seen = 0
    private var looks = 0
    private var isWatching = false
    /// What a delivery takes, in nanoseconds; those of late count most.
    private var cost: UInt64 = 0

    var hasLeader: Bool { leader != nil || (isHiring && count == 0 && !isOver) }
    var hasDeliveries: Bool { !deliveries.isEmpty }

    /// Whether there is something to deliver, and no helper on the way to it.
    var needsLeader: Bool { hasDeliveries && !isCalling }

    mutating func add(_ delivery: Delivery) {
        deliveries.append(delivery)
    }
}

// MARK: Coming and going

extension CurlCrew {
    /// Says that a thread will be started; ``begins(_:)`` or ``isMissing()`` follows.
    mutating func hire() {
        isHiring = true
    }

    /// A new thread is there. The first one leads.
    mutating func begins(_ hand: CurlHand) {
        isHiring = false
        if count == 0, !isOver { leader = hand }
        count += 1
    }

    /// There could be no new thread.
    mutating func isMissing() {
        isHiring = false
        isCalling = false
        shortage = 32
    }

    /// Lets a thread end that has rested for long; false if it is needed after all.
    mutating func leaves(_ hand: CurlHand) -> Bool {
        guard let index = idle.firstIndex(where: { $0 === hand }) else { return false }
        idle.remove(at: index)
        count -= 1
        return true
    }

    /// Takes what nobody of the crew will deliver; nil if nothing is left.
    mutating func takeDelivery() -> Delivery? { deliveries.popFirst() }

    /// The session is over: the leader ends now. Returns who rests.
    mutating func close() -> [CurlHand] {
        isOver = true
        leader = nil
        count -= 1
        defer { idle = [] }
        return idle + [deputy].compactMap(\.self)
    }
}

// MARK: Duties

extension CurlCrew {
    /// What a thread does next, and who else is needed.
    ///
    /// - Parameters:
    ///   - hand: The thread.
    ///   - took: Nanoseconds of the delivery it has just made; nil if that was not what it did.
    ///   - isLast: Whether the session has nothing else to do than to deliver.
    ///   - isClosing: Whether it ends when that is done.
    ///   - now: The time.
    /// - Returns: What to do, and whom to call first.
    mutating func next(
        for hand: CurlHand,
        after took: UInt64?,
        isLast: Bool,
        isClosing: Bool = false,
        at now: @autoclosure () -> UInt64
    ) -> (Duty, Call) {
        if let took { note(took) }
        if hand === leader {
            since = nil
            return lead(isLast: isLast, isClosing: isClosing, at: now())
        }
        if isOver {
            count -= 1
            return (.end, .nobody)
        }
        if !idle.isEmpty { idle.removeAll { $0 === hand } }
        if hand === deputy { return watch(hand, at: now()) }
        // Who has been called helps, even if there is no deputy.
        if isCalling || deputy != nil, let delivery = deliveries.popFirst() {
            isCalling = false
            if hasDeliveries {
                let call = helper()
                // Without a helper for the rest, the leader has to see to it.
                return (.deliver(delivery), isCalling ? call : .leader)
            }
            // Somebody has to look at the leader when this delivery takes long as well.
            return (.deliver(delivery), deputy == nil && since != nil ? newHand() : .nobody)
        }
        isCalling = false
        if deputy == nil {
            deputy = hand
            return watch(hand, at: now())
        }
        idle.append(hand)
        return (.rest(forever: false), .nobody)
    }

    private mutating func lead(
        isLast: Bool,
        isClosing: Bool = false,
        at now: @autoclosure () -> UInt64
    ) -> (Duty, Call) {
        guard hasDeliveries else { return (.lead, .nobody) }
        if cost >= Self.most, !isClosing, !isLast || deliveries.count > 1 {
            if isCalling { return (.lead, .nobody) }
            let call = helper()
            if isCalling { return (.lead, call) }
        }
        guard let delivery = deliveries.popFirst() else { return (.lead, .nobody) }
        if isWatching, deputy != nil { return begin(delivery, at: now(), calling: .nobody) }
        if deputy == nil { deputy = idle.popLast() }
        if let deputy { return begin(delivery, at: now(), calling: .bell(deputy)) }
        let call = newHand()
        guard isHiring else { return (.pass(delivery), .nobody) }
        return begin(delivery, at: now(), calling: call)
    }

    private mutating func begin(_ delivery: Delivery, at now: UInt64, calling call: Call) -> (Duty, Call) {
        since = now
        begun += 1
        isWatching = true
        return (.deliver(delivery), call)
    }

    private mutating func note(_ time: UInt64) {
        // A thread may have been kept from its core for a while, which says nothing.
        let time = min(time, Self.most * 10)
        cost = cost - cost / 16 + time / 16
    }

    private mutating func watch(_ hand: CurlHand, at now: UInt64) -> (Duty, Call) {
        if let since, now >= since + Self.patience {
            leader = hand
            deputy = nil
            isWatching = false
            self.since = nil
            cost = max(cost, Self.most * 4)
            return lead(isLast: false, at: now)
        }
        looks = begun == seen ? looks + 1 : 0
        seen = begun
        if since == nil, looks >= Self.idleLooks { isWatching = false }
        return (isWatching ? .watch : .rest(forever: true), .nobody)
    }

    /// Calls somebody who rests, or somebody new; there may be nobody.
    private mutating func helper() -> Call {
        guard !isCalling else { return .nobody }
        if let hand = idle.popLast() {
            isCalling = true
            return .bell(hand)
        }
        let call = newHand()
        if case .newHand = call { isCalling = true }
        return call
    }

    private mutating func newHand() -> Call {
        guard !isHiring, count < Self.room else { return .nobody }
        if shortage > 0 {
            shortage -= 1
            return .nobody
        }
        isHiring = true
        return .newHand
    }
}
#endif
