import Dispatch
import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct SchedulerTests {
    @Test func `A DispatchQueue used as a scheduler runs actions at once, after a delay and repeatedly`() async {
        await check(DispatchQueue(label: "test"), soon: .milliseconds(5))
    }

    @Test func `An OperationQueue used as a scheduler runs actions at once, after a delay and repeatedly`() async {
        await check(OperationQueue(), soon: .milliseconds(5))
    }

    @Test func `A RunLoop used as a scheduler runs actions at once, after a delay and repeatedly`() async {
        let loop: Handed<RunLoop> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                RunLoop.current.add(Timer(timeInterval: 600, repeats: true) { _ in }, forMode: .default)
                continuation.resume(returning: Handed(RunLoop.current))
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 120))
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

    @Test func `ImmediateScheduler runs an action at once even if its date is in the future`() {
        var ran: [Int] = []
        let scheduler = ImmediateScheduler.shared
        scheduler.schedule { ran.append(1) }
        scheduler.schedule(after: scheduler.now.advanced(by: .seconds(100))) { ran.append(2) }
        #expect(ran == [1, 2])
    }

    @Test func `A scheduler time stride of DispatchQueue converts units and is capped when it overflows`() {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) == .milliseconds(2000))
        #expect(Stride.seconds(0.5) == .microseconds(500_000))
        #expect((1.5 as Stride).magnitude == 1_500_000_000)
        #expect(Stride.seconds(Int.max).magnitude == Int.max)
        #expect(Stride.seconds(-Double.infinity).magnitude == Int.min)
        #expect(Stride(.never).magnitude == Int.max)
        #expect(Stride.milliseconds(1) < .milliseconds(2))
        #expect(Stride(exactly: 2 as UInt64) == .seconds(2))
        #expect(Stride(exactly: UInt64.max) == nil)
        let now = DispatchQueue.main.now
        #expect(now.distance(to: now.advanced(by: .seconds(3))) == .seconds(3))
        #expect(now.advanced(by: .seconds(3)).distance(to: now) == .seconds(-3))
    }

    @Test(
        arguments: [
            (.seconds(1), 2, .seconds(2)), (.seconds(-3), 0.5, .seconds(-1.5)),
            (.milliseconds(-2), -2, .milliseconds(4)),
            (.nanoseconds(18), .nanoseconds(1), .zero), (.microseconds(-3), .nanoseconds(10), .zero),
            (.seconds(90_000), 90_000, .seconds(8_100_000_000)), (.seconds(100_000), 100_000, .nanoseconds(.max)),
            (.seconds(100_000), -100_000, .nanoseconds(.min)),
            (.nanoseconds(.min), .nanoseconds(.min), .nanoseconds(.max)),
            (.nanoseconds(.max), 1, .nanoseconds(.max)), (.nanoseconds(.min), 1, .nanoseconds(.min)),
        ] as [(DispatchStride, DispatchStride, DispatchStride)]
    )
    func `The product of two DispatchQueue time strides is in seconds and is capped when it overflows`(
        left: DispatchStride,
        right: DispatchStride,
        product: DispatchStride
    ) {
        #expect(left * right == product)
        var stride = right
        stride *= left
        #expect(stride == product)
    }

    typealias DispatchStride = DispatchQueue.SchedulerTimeType.Stride

    /// With the keys that Combine writes.
    @Test func `Scheduler time strides are encoded as JSON with the keys that Apple's Combine writes`() throws {
        let coded = Data(#"{"_nanoseconds":419872}"#.utf8)
        #expect(try JSONEncoder().encode(DispatchStride.nanoseconds(419_872)) == coded)
        #expect(try JSONDecoder().decode(DispatchStride.self, from: coded) == .nanoseconds(419_872))
        let dates = try JSONEncoder().encode(RunLoop.SchedulerTimeType.Stride.seconds(1024.5))
        #expect(dates == Data(#"{"magnitude":1024.5}"#.utf8))
    }

    @Test func `A delayed action on an OperationQueue is queued at once and does not block other operations`() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let ran = Locked(0)
        queue.schedule(after: queue.now.advanced(by: .seconds(3600))) { ran.withLock { $0 += 1 } }
        #expect(queue.operationCount == 1)
        // It does not hold up those that are ready.
        queue.addOperations([BlockOperation {}], waitUntilFinished: true)
        queue.cancelAllOperations()
        queue.waitUntilAllOperationsAreFinished()
        #expect(ran.withLock { $0 } == 0)
        queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) { ran.withLock { $0 += 1 } }
        queue.waitUntilAllOperationsAreFinished()
        #expect(ran.withLock { $0 } == 1)
    }

    /// Two functions of the same name, which there could not be for one type.
    @Test func `RunLoop and OperationQueue have different types of scheduler time`() {
        func name(_ time: RunLoop.SchedulerTimeType) -> String { "run loop" }
        func name(_ time: OperationQueue.SchedulerTimeType) -> String { "queue" }
        #expect(name(RunLoop.main.now) == "run loop")
        #expect(name(OperationQueue.main.now) == "queue")
    }

    @Test func `A scheduler time stride of RunLoop converts units to seconds and advances a date by them`() {
        typealias Stride = RunLoop.SchedulerTimeType.Stride
        #expect(Stride.seconds(2) == .milliseconds(2000))
        #expect(Stride.nanoseconds(500_000_000).timeInterval == 0.5)
        let now = RunLoop.main.now
        #expect(now.advanced(by: 3).date.timeIntervalSince(now.date) == 3)
    }
}
