import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct TimerPublisherTests {
    /// Runs a run loop of a thread of its own until `isDone`, at most a minute.
    private func onRunLoop(_ body: @escaping @Sendable (RunLoop) -> () -> Bool) {
        withWatchdog {
            let isDone = body(.current)
            let limit = Date().addingTimeInterval(60)
            var done = isDone()
            while !done, Date() < limit {
                // A timer that fires does not make it return.
                _ = RunLoop.current.run(mode: .default, before: Date().addingTimeInterval(0.02))
                done = isDone()
            }
            #expect(done)
        }
    }

    @Test func `A timer publisher delivers dates from connect() until the connection is canceled`() {
        onRunLoop { loop in
            let timer = Timer.publish(every: 0.01, on: loop, in: .default)
            let tracker = TrackingSubscriber<Date, Never>(initial: .unlimited)
            timer.subscribe(tracker)
            #expect(tracker.events == [.subscription("Timer")])
            let start = Date()
            let connection = timer.connect()
            return {
                guard tracker.values.count >= 3 else { return false }
                connection.cancel()
                let count = tracker.values.count
                _ = RunLoop.current.run(mode: .default, before: Date().addingTimeInterval(0.05))
                #expect(tracker.values.count == count)
                #expect(tracker.values.allSatisfy { $0 > start })
                return true
            }
        }
    }

    @Test func `A timer publisher drops dates for a subscriber without demand`() {
        onRunLoop { loop in
            let timer = Timer.publish(every: 0.01, on: loop, in: .default)
            let eager = TrackingSubscriber<Date, Never>(initial: .unlimited)
            let slow = TrackingSubscriber<Date, Never>(initial: .max(1))
            timer.subscribe(eager)
            timer.subscribe(slow)
            let connection = timer.connect()
            return {
                guard eager.values.count >= 3 else { return false }
                connection.cancel()
                #expect(slow.values.count == 1)
                return true
            }
        }
    }

    @Test func `A second connect() of a timer publisher does not start a second timer`() {
        onRunLoop { loop in
            let timer = Timer.publish(every: 0.01, on: loop, in: .default)
            let count = Locked(0)
            let cancellable = timer.sink { _ in count.withLock { $0 += 1 } }
            let connections = [timer.connect(), timer.connect()]
            return {
                guard count.withLock({ $0 }) >= 2 else { return false }
                connections[0].cancel()
                let last = count.withLock { $0 }
                _ = RunLoop.current.run(mode: .default, before: Date().addingTimeInterval(0.05))
                #expect(count.withLock { $0 } == last)
                cancellable.cancel()
                return true
            }
        }
    }

    @Test func `A timer publisher on the main run loop fires in a process that does not run this loop`() async {
        let timer = Timer.publish(every: 0.01, on: .main, in: .common)
        let (dates, fire) = AsyncStream.makeStream(of: Date.self)
        let cancellable = timer.sink { fire.yield($0) }
        let connection = timer.connect()
        let started = Date()
        var iterator = dates.makeAsyncIterator()
        let date = await iterator.next()
        #expect(date.map { $0 >= started.addingTimeInterval(-1) } == true)
        connection.cancel()
        cancellable.cancel()
    }
}
