#if os(Linux) || os(Android)
/// Which of a session's threads does what. Calls nobody.
///
/// One thread leads: it works with libcurl, and in between delivers what has come of it, because handing that over to
/// another thread would cost more than the rest of a small exchange. A delivery runs a user's code, which may block. So
/// the deputy looks at the leader while it delivers, and leads in its place if one delivery takes longer than
/// ``patience``. Helpers are called if there is more to deliver than a moment's work.
struct CurlCrew {
    typealias Delivery = any ExchangeDelivery

    /// Nanoseconds that all others can wait for one delivery.
    static let patience: UInt64 = 1_000_000
    /// Nanoseconds of work in the queue that are worth a helper, if one delivery is not less than ``least``.
    private static let load: UInt64 = 200_000
    private static let least: UInt64 = 20_000
    /// Looks with no delivery between them after which the deputy rests.
    private static let idleLooks = 3
    /// Threads there may be.
    private static let most = 512

    /// What a thread is to do next.
    enum Duty {
        case lead
        case deliver(Delivery)
        /// To look again in ``patience``.
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
    }

    private(set) var isOver = false
    private var leader: CurlHand?
    private var deputy: CurlHand?
    private var idle: [CurlHand] = []
    private var count = 0
    private var isHiring = false
    private var isCalling = false

    private var deliveries = Queue<Delivery>()

    /// When the leader began the delivery it is at.
    private var since: UInt64?
    private var begun = 0
    private var seen = 0
    private var looks = 0
    private var isWatching = false
    /// What a delivery takes, in nanoseconds.
    private var cost: UInt64 = 0

    var hasLeader: Bool { leader != nil || (isHiring && count == 0 && !isOver) }
    var hasDeliveries: Bool { !deliveries.isEmpty }

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
    }

    /// Lets a thread end that has rested for long; false if it is needed after all.
    mutating func leaves(_ hand: CurlHand) -> Bool {
        guard let index = idle.firstIndex(where: { $0 === hand }) else { return false }
        idle.remove(at: index)
        count -= 1
        return true
    }

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
    mutating func next(for hand: CurlHand, at now: @autoclosure () -> UInt64) -> (Duty, Call) {
        if hand === leader { return lead(at: now()) }
        if isOver {
            count -= 1
            return (.end, .nobody)
        }
        if !idle.isEmpty { idle.removeAll { $0 === hand } }
        if deputy == nil { deputy = hand }
        if hand === deputy { return watch(hand, at: now()) }
        isCalling = false
        guard let delivery = deliveries.popFirst() else {
            idle.append(hand)
            return (.rest(forever: false), .nobody)
        }
        return (.deliver(delivery), helper())
    }

    private mutating func lead(at now: @autoclosure () -> UInt64) -> (Duty, Call) {
        guard since != nil || hasDeliveries else { return (.lead, .nobody) }
        let now = now()
        if let since { note(now - min(since, now)) }
        self.since = nil
        guard let delivery = deliveries.popFirst() else { return (.lead, .nobody) }
        since = now
        begun += 1
        if deputy != nil, isWatching { return (.deliver(delivery), helper()) }
        isWatching = true
        if deputy == nil { deputy = idle.popLast() }
        return (.deliver(delivery), deputy.map(Call.bell) ?? newHand())
    }

    /// What one delivery took. The least counts most, since a thread may have been held up by others.
    private mutating func note(_ time: UInt64) {
        cost = time < cost ? (cost + time) / 2 : cost + (min(time, Self.patience) - min(cost, time, Self.patience)) / 16
    }

    private mutating func watch(_ hand: CurlHand, at now: UInt64) -> (Duty, Call) {
        if let since, now >= since + Self.patience {
            leader = hand
            deputy = nil
            isWatching = false
            self.since = nil
            cost = max(cost, Self.load)
            return lead(at: now)
        }
        looks = begun == seen ? looks + 1 : 0
        seen = begun
        if since == nil, looks >= Self.idleLooks { isWatching = false }
        return (isWatching ? .watch : .rest(forever: true), .nobody)
    }

    /// Somebody to share the rest of the queue with, if it is worth that and nobody is on the way.
    private mutating func helper() -> Call {
        let left = UInt64(deliveries.count)
        guard !isCalling, left > 0, cost >= Self.least, left * cost >= Self.load else { return .nobody }
        if let hand = idle.popLast() {
            isCalling = true
            return .bell(hand)
        }
        let call = newHand()
        if case .newHand = call { isCalling = true }
        return call
    }

    private mutating func newHand() -> Call {
        guard !isHiring, count < Self.most else { return .nobody }
        isHiring = true
        return .newHand
    }
}
#endif
