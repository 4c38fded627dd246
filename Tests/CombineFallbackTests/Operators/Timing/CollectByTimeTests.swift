import Basics
import PortableCombine
import Testing

@Suite struct CollectByTimeTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func `The collect(.byTime) operator delivers the values of each interval as one array`() {
        let tracker = TrackingSubscriber<[Int], Never>(initial: .unlimited)
        upstream.collect(.byTime(scheduler, 10)).subscribe(tracker)
        #expect(upstream.requests == [.unlimited])
        upstream.send(1)
        upstream.send(2)
        scheduler.advance(by: 10)
        scheduler.advance(by: 10)
        upstream.send(3)
        scheduler.advance(by: 10)
        #expect(tracker.values == [[1, 2], [3]])
        upstream.send(4)
        upstream.send(completion: .finished)
        scheduler.advance()
        #expect(tracker.values == [[1, 2], [3], [4]])
        #expect(tracker.events.last == .finished)
    }

    @Test func `The collect(.byTimeOrCount) operator delivers an array as soon as the count is reached`() {
        let tracker = TrackingSubscriber<[Int], Never>(initial: .max(2))
        upstream.collect(.byTimeOrCount(scheduler, 10, 2)).subscribe(tracker)
        for number in 1...3 { upstream.send(number) }
        scheduler.advance()
        #expect(tracker.values == [[1, 2]])
        scheduler.advance(by: 10)
        #expect(tracker.values == [[1, 2], [3]])
        for number in 4...8 { upstream.send(number) }
        scheduler.advance(by: 10)
        #expect(tracker.values == [[1, 2], [3]], "values wait while there is no demand")
        tracker.request(.max(9))
        scheduler.advance(by: 10)
        #expect(tracker.values == [[1, 2], [3], [4, 5], [6, 7], [8]])
    }

    @Test func `The collect(.byTime) operator discards gathered values when upstream fails`() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<[Int], Boom>(initial: .unlimited)
        upstream.collect(.byTime(scheduler, 10)).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        scheduler.advance()
        #expect(tracker.events == [.subscription("CollectByTime"), .failure("Boom()")])
    }

    @Test func `Canceling the collect(.byTime) operator removes its timer from the scheduler`() {
        let tracker = TrackingSubscriber<[Int], Never>(initial: .unlimited)
        upstream.collect(.byTime(scheduler, 10)).subscribe(tracker)
        tracker.cancel()
        scheduler.advance(by: 100)
        #expect(scheduler.state.withLock { $0.jobs.count } == 0)
        #expect(upstream.cancels == 1)
    }
}
