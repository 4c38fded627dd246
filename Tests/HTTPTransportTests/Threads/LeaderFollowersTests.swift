#if os(Linux)
import Testing

@testable import HTTPTransport

/// Which thread leads, which is a former leader, and what the watchdog changes.
@Suite struct LeaderFollowersTests {
    final class Thread {}

    typealias Threads = LeaderFollowers<Thread>

    static let timeout = Threads.deliveryTimeout
    let first = Thread()
    let second = Thread()
    let third = Thread()

    func threads() -> Threads {
        var threads = Threads()
        threads.setLeader(first)
        return threads
    }

    struct NotSlow: Error {}

    /// The leader begins a delivery that takes too long, and the watchdog sees it.
    func slow(_ threads: inout Threads, at now: UInt64 = 0) throws -> Threads.SlowDelivery {
        _ = threads.beginDelivery(at: now)
        guard case .replaceLeader(let slow) = threads.check(at: now + 3 * Self.timeout) else {
            throw NotSlow()
        }
        return slow
    }

    /// Two looks at a thread that sleeps in between, or computes, from a time on; whether it is replaced.
    func replaces(
        _ slow: Threads.SlowDelivery,
        in threads: inout Threads,
        isBlocked: Bool,
        from time: UInt64 = 0
    ) -> Bool {
        threads.replaceLeader(slow, busyTime: Int64(time), at: time)
            || threads.replaceLeader(slow, busyTime: Int64(time) + (isBlocked ? 0 : 2_000_000), at: time + 2_000_000)
    }

    /// Makes the leader a former leader, which is blocked or computes, and has another thread lead.
    func replaceLeader(of threads: inout Threads, isBlocked: Bool = true, by new: Thread) throws {
        let slow = try slow(&threads)
        #expect(replaces(slow, in: &threads, isBlocked: isBlocked) == true)
        threads.setLeader(new)
    }

    static func word(_ finding: Threads.Decision) -> String {
        switch finding {
        case .keepWatching: "keep"
        case .stopWatching: "stop"
        case .replaceLeader: "replace"
        }
    }

    // MARK: The leader and the former leaders

    @Test func `LeaderFollowers.endDelivery(of:) returns true only for the thread that leads the event loop`() {
        var threads = threads()
        for _ in 0..<10 {
            #expect(threads.endDelivery(of: first) == true)
            _ = threads.beginDelivery(at: 0)
        }
        #expect(threads.endDelivery(of: first) == true)
        #expect(threads.endDelivery(of: second) == false)
    }

    @Test func `An event loop thread that was replaced as leader ends when its delivery returns`() throws {
        var threads = threads()
        try replaceLeader(of: &threads, by: second)
        #expect(threads.endDelivery(of: first) == false)
        #expect(threads.endDelivery(of: second) == true)
    }

    /// Before the follower has begun there is no leader.
    @Test func `A replaced leader thread of an event loop ends even before the new leader has begun`() throws {
        var threads = threads()
        let slow = try slow(&threads)
        #expect(replaces(slow, in: &threads, isBlocked: true) == true)
        #expect(threads.endDelivery(of: first) == false)
        #expect(Self.word(threads.check(at: 100 * Self.timeout)) == "keep")
        threads.setLeader(second)
        #expect(threads.endDelivery(of: second) == true)
    }

    @Test func `A removed leader thread of an event loop is not replaced, and the watchdog stops`() throws {
        var threads = threads()
        let slow = try slow(&threads)
        threads.removeLeader()
        #expect(replaces(slow, in: &threads, isBlocked: false) == false)
        #expect(threads.endDelivery(of: first) == false)
        var looks: [String] = []
        for _ in 0..<3 { looks.append(Self.word(threads.check(at: 100 * Self.timeout))) }
        #expect(looks.contains("stop"))
        #expect(!looks.contains("replace"))
        threads.setLeader(second)
        #expect(threads.endDelivery(of: second) == true)
    }

    // MARK: The watchdog

    @Test func `LeaderFollowers.beginDelivery(at:) starts the watchdog once, and again after it has stopped`() {
        var threads = threads()
        #expect(threads.beginDelivery(at: 0) == true)
        #expect(threads.beginDelivery(at: 0) == false)
        #expect(threads.endDelivery(of: first) == true)
        // There have been deliveries since the look before.
        for look in ["keep", "keep", "stop"] { #expect(Self.word(threads.check(at: 1)) == look) }
        #expect(threads.beginDelivery(at: 2) == true)
    }

    @Test func `The watchdog of an event loop does not stop while a delivery to a subscriber lasts`() {
        var threads = threads()
        _ = threads.beginDelivery(at: 0)
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.check(at: now)) == "keep") }
        for now in 0..<20 as Range<UInt64> { #expect(Self.word(threads.check(at: Self.timeout + now)) == "replace") }
        #expect(threads.beginDelivery(at: 0) == false)
    }

    @Test(arguments: [
        (0, "keep"), (1, "keep"), (timeout - 1, "keep"), (timeout, "replace"), (timeout * 100, "replace"),
    ])
    func `The watchdog of an event loop finds a delivery slow once it has lasted for the timeout`(
        after time: UInt64,
        finding: String
    ) {
        var threads = threads()
        _ = threads.beginDelivery(at: 1_000)
        #expect(Self.word(threads.check(at: 1_000 + time)) == finding)
        #expect(threads.endDelivery(of: first) == true)
        #expect(Self.word(threads.check(at: 1_000 + time)) == "keep")
    }

    /// Beside former leaders there is more time, up to three times as much.
    @Test(arguments: [(0, 1), (1, 2), (2, 3), (3, 3), (9, 3)])
    func `The timeout of a delivery doubles beside one former leader thread, and triples beside more`(
        formerLeaders: Int,
        times: UInt64
    ) throws {
        var threads = threads()
        let kept = (0..<formerLeaders).map { _ in Thread() }
        for thread in kept { try replaceLeader(of: &threads, by: thread) }
        _ = threads.beginDelivery(at: 0)
        #expect(Self.word(threads.check(at: times * Self.timeout - 1)) == "keep")
        #expect(Self.word(threads.check(at: times * Self.timeout)) == "replace")
    }

    // MARK: Followers

    /// The busy times of the thread at checks two milliseconds apart, beside a former leader that computes; and the
    /// check at which it is replaced.
    @Test(
        arguments: [
            ([5, 5], 1), ([0, 2_000_000], nil), ([0, 499_999], 1), ([0, 500_000], nil), ([0, 2_000_000, 2_000_000], 2),
            ([0, 400_000, 800_000], 1), ([7], nil),
        ] as [([Int64], Int?)]
    )
    func `A slow leader thread counts as blocked, and is replaced, if busy under a quarter of the time`(
        busyTimes: [Int64],
        replaced: Int?
    ) throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        let slow = try slow(&threads)
        let found = busyTimes.indices.first { look in
            threads.replaceLeader(slow, busyTime: busyTimes[look], at: UInt64(look) * 2_000_000)
        }
        #expect(found == replaced)
    }

    /// However many others compute.
    @Test func `A leader thread is replaced after 25 timeouts even if a former leader still computes`() throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        _ = threads.beginDelivery(at: 0)
        for (time, isReplaced) in [(24, false), (25, true)] as [(UInt64, Bool)] {
            guard case .replaceLeader(let slow) = threads.check(at: time * Self.timeout) else {
                throw NotSlow()
            }
            let time = time * Self.timeout
            #expect(replaces(slow, in: &threads, isBlocked: false, from: time) == isReplaced)
        }
    }

    @Test func `A leader thread is not replaced for a slow delivery that has ended before the check`() throws {
        var threads = threads()
        let ended = try slow(&threads)
        #expect(threads.endDelivery(of: first) == true)
        #expect(replaces(ended, in: &threads, isBlocked: true) == false)
        // Nor is the next one of the same thread, nor does a look at the last one count for it.
        let next = try slow(&threads)
        #expect(replaces(ended, in: &threads, isBlocked: true) == false)
        #expect(threads.replaceLeader(next, busyTime: 0, at: 4_000_000) == false)
        #expect(threads.endDelivery(of: first) == true)
    }

    @Test func `A leader thread is replaced only once for one slow delivery`() throws {
        var threads = threads()
        let slow = try slow(&threads)
        #expect(replaces(slow, in: &threads, isBlocked: false) == true)
        #expect(replaces(slow, in: &threads, isBlocked: false) == false)
        threads.setLeader(second)
        #expect(replaces(slow, in: &threads, isBlocked: false) == false)
        #expect(threads.endDelivery(of: second) == true)
    }

    /// Whether each former leader is blocked, whether the leader is, and whether it is replaced.
    @Test(
        arguments: [
            ([], true, true), ([], false, true), ([false], true, true), ([false], false, false), ([true], true, true),
            ([true], false, true), ([true, true, true], false, true), ([true, false], false, false),
            ([false, true, true], false, false), ([false, true, true], true, true),
        ] as [([Bool], Bool, Bool)]
    )
    func `A slow leader thread is replaced if it is blocked or if each former leader is blocked`(
        formerLeaders: [Bool],
        isBlocked: Bool,
        isReplaced: Bool
    ) throws {
        var threads = threads()
        let kept = formerLeaders.map { _ in Thread() }
        for (thread, isBlocked) in zip(kept, formerLeaders) {
            try replaceLeader(of: &threads, isBlocked: isBlocked, by: thread)
        }
        let slow = try slow(&threads)
        #expect(replaces(slow, in: &threads, isBlocked: isBlocked) == isReplaced)
    }

    /// The former leader may have ended at the next look.
    @Test func `A computing leader thread is replaced only after a computing former leader has ended`() throws {
        var threads = threads()
        try replaceLeader(of: &threads, isBlocked: false, by: second)
        let slow = try slow(&threads)
        #expect(replaces(slow, in: &threads, isBlocked: false) == false)
        #expect(threads.endDelivery(of: first) == false)
        #expect(replaces(slow, in: &threads, isBlocked: false, from: 10_000_000) == true)
        threads.setLeader(third)
        #expect(threads.endDelivery(of: third) == true)
    }
}
#endif
