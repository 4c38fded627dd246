import Dispatch
import Foundation
import Basics
import PortableCombine
import Testing

@Suite(.timeLimit(.minutes(5))) struct SchedulerTests {
    @Test func aDispatchQueueRunsNowLaterAndAgain() async {
        await check(DispatchQueue(label: "test"), soon: .milliseconds(5))
    }

    @Test func anOperationQueueRunsNowLaterAndAgain() async {
        await check(OperationQueue(), soon: .milliseconds(5))
    }

    @Test func aRunLoopRunsNowLaterAndAgain() async {
        let loop: Handed<RunLoop> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                RunLoop.current.add(Timer(timeInterval: 600, repeats: true) { _ in }, forMode: .default)
                continuation.resume(returning: Handed(RunLoop.current))
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 60))
            }
        }
        await check(loop.value, soon: .milliseconds(5))
    }

    /// Waits until the scheduler has run something now, later, and three times in a row.
    private func check<S: Scheduler>(_ scheduler: S, soon: S.SchedulerTimeType.Stride) async {
        let (ran, run) = AsyncStream.makeStream(of: String.self)
        scheduler.schedule { run.yield("now") }
        let date = scheduler.now.advanced(by: soon)
        scheduler.schedule(after: date) { run.yield("later") }
        let repeating = scheduler.schedule(after: date, interval: soon) { run.yield("again") }
        var counts: [String: Int] = [:]
        for await event in ran {
            counts[event, default: 0] += 1
            if counts["again", default: 0] >= 3, counts["now"] == 1, counts["later"] == 1 { break }
        }
        repeating.cancel()
        #expect(scheduler.now >= date)
    }

    @Test func theImmediateSchedulerDoesNotWait() {
        var ran: [Int] = []
        let scheduler = ImmediateScheduler.shared
        scheduler.schedule { ran.append(1) }
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(100))) { ran.append(2) }
        #expect(ran == [1, 2])
    }

    @Test func stridesOfTheDispatchQueue() {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) == .milliseconds(2000))
        #expect(Stride.seconds(0.5) == .microseconds(500_000))
        #expect((1.5 as Stride).magnitude == 1_500_000_000)
        #expect(Stride.seconds(Int.max).magnitude == Int.max)
        #expect(Stride.seconds(-Double.infinity).magnitude == Int.min)
        #expect(Stride(.never).magnitude == Int.max)
        #expect(Stride.milliseconds(1) < .milliseconds(2))
        let now = DispatchQueue.main.now
        #expect(now.distance(to: now.advanced(by: .seconds(3))) == .seconds(3))
        #expect(now.advanced(by: .seconds(3)).distance(to: now) == .seconds(-3))
    }

    @Test func stridesOfDates() {
        typealias Stride = RunLoop.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) == .milliseconds(2000))
        #expect(Stride.nanoseconds(500_000_000).timeInterval == 0.5)
        let now = RunLoop.main.now
        #expect(now.advanced(by: 3).date.timeIntervalSince(now.date) == 3)
    }
}
