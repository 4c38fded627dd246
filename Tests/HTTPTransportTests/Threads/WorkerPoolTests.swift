import Basics
import Dispatch
import HostileServer
import TestTiers
import Testing

@testable import HTTPTransport

/// Where calls go on that have waited.
@Suite(.tags(.concurrent), .limited) struct WorkerPoolTests {
    @Test func `WorkerPool runs each of 10,000 jobs exactly once`() async throws {
        let done = Locked<[Int]>([])
        for number in 0..<10_000 { WorkerPool.run { done.withLock { $0.append(number) } } }
        #expect(try await holds { done.withLock { $0.count } == 10_000 })
        #expect(done.withLock { $0.sorted() } == Array(0..<10_000))
    }

    /// Work that ends at once and adds the next needs no deeper stack.
    @Test func `WorkerPool runs 100,000 jobs that each add the next without growing the stack`() async throws {
        let (end, left) = (Later<Void>(), Locked(100_000))
        @Sendable func next() {
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { end.set() } else { WorkerPool.run(next) }
        }
        WorkerPool.run(next)
        try await end.value()
    }

    /// Also if there is much of it, and it waits for each other.
    @Test(arguments: [1, 10])
    func `A WorkerPool job runs even while 1 or 10 other jobs block`(count: Int) async throws {
        let (end, goesOn, over) = (Later<Void>(), DispatchSemaphore(value: 0), Locked(0))
        for _ in 0..<count {
            WorkerPool.run {
                goesOn.wait()
                over.withLock { $0 += 1 }
            }
        }
        WorkerPool.run { end.set() }
        try await end.value()
        for _ in 0..<count { goesOn.signal() }
        #expect(try await holds { over.withLock { $0 } == count })
    }

    @Test func `WorkerPool runs a job on another thread while an endless job keeps one busy`() async throws {
        let (end, isOver) = (Later<Void>(), Locked(false))
        defer { isOver.withLock { $0 = true } }
        WorkerPool.run { while !isOver.withLock({ $0 }) {} }
        WorkerPool.run { end.set() }
        try await end.value()
    }

    @Test func `A delayed WorkerPool job runs after its delay, but not if it is canceled before`() async throws {
        let (delay, ended, ran) = (Duration.milliseconds(20), Locked(0), Locked<Set<Int>>([]))
        var cancelled: Set<Int> = []
        var job = 0
        while cancelled.count < 2_000 {
            job += 1
            let (number, start) = (job, ContinuousClock.now)
            WorkerPool.run(after: delay) { ran.withLock { _ = $0.insert(number) } }.cancel()
            // On a slow machine its time may have come before the cancel.
            if ContinuousClock.now - start < delay { cancelled.insert(number) }
        }
        let start = ContinuousClock.now
        for _ in 0..<5_000 { _ = WorkerPool.run(after: delay) { ended.withLock { $0 += 1 } } }
        #expect(try await holds { ended.withLock { $0 } == 5_000 })
        #expect(ContinuousClock.now - start >= delay)
        #expect(ran.withLock { $0 }.isDisjoint(with: cancelled))
    }

    /// A cancel releases the objects that the work holds.
    @Test func `Canceling a delayed WorkerPool job releases the objects that its closure captures`() {
        final class Held: Sendable {}
        var held: Held? = Held()
        weak let left = held
        let wait = WorkerPool.run(after: .seconds(3_600)) { [held] in withExtendedLifetime(held) {} }
        held = nil
        #expect(left != nil)
        wait.cancel()
        #expect(left == nil)
    }
}
