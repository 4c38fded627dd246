import Basics
import Dispatch
import HostileServer
import Testing

@testable import HTTPTransport

/// Where calls go on that have waited.
@Suite(.timeLimit(.minutes(5))) struct WorkerPoolTests {
    @Test func `WorkerPool runs each of 10,000 jobs exactly once`() async throws {
        let done = Locked<[Int]>([])
        for number in 0..<10_000 { WorkerPool.run { done.withLock { $0.append(number) } } }
        #expect(try await holds { done.withLock { $0.count } == 10_000 })
        #expect(done.withLock { $0.sorted() } == Array(0..<10_000))
    }

    /// Work that ends at once and adds the next needs no deeper stack.
    @Test func `A chain of 200,000 jobs that each add the next does not grow the stack`() async throws {
        let (end, left) = (Later<Void>(), Locked(200_000))
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
    @Test(arguments: [1, 40])
    func `A job in WorkerPool runs even while 1 or 40 other jobs block`(count: Int) async throws {
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

    @Test func `A job in WorkerPool runs even while another job computes`() async throws {
        let (end, isOver) = (Later<Void>(), Locked(false))
        WorkerPool.run { while !isOver.withLock({ $0 }) {} }
        WorkerPool.run { end.set() }
        try await end.value()
        isOver.withLock { $0 = true }
    }

    @Test func `A delayed job runs after its delay, and a canceled job does not run`() async throws {
        let (ended, cancelled) = (Locked(0), Locked(0))
        let waits = (0..<5_000).map { _ in WorkerPool.run(after: .seconds(3_600)) { cancelled.withLock { $0 += 1 } } }
        for _ in 0..<5_000 { _ = WorkerPool.run(after: .milliseconds(5)) { ended.withLock { $0 += 1 } } }
        for wait in waits { wait.cancel() }
        #expect(try await holds { ended.withLock { $0 } == 5_000 })
        #expect(cancelled.withLock { $0 } == 0)
    }

    /// A cancel releases the objects that the work holds.
    @Test func `A canceled delayed job releases the objects that it holds`() {
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
