import PortableCombine
import Testing

@Suite struct TimingTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func receiveOnDeliversOnTheScheduler() {
        upstream.receive(on: scheduler).subscribe(tracker)
        #expect(tracker.events == [.subscription("ReceiveOn")])
        upstream.send(1)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(tracker.values == [])
        scheduler.advance()
        #expect(tracker.events == [.subscription("ReceiveOn"), .value(1), .value(2), .finished])
    }

    @Test func whatIsOnItsWayIsDroppedByCancel() {
        upstream.receive(on: scheduler).subscribe(tracker)
        upstream.send(1)
        tracker.cancel()
        scheduler.advance()
        #expect(tracker.values == [])
        #expect(upstream.cancels == 1)
    }

    @Test func subscribeOnSubscribesAsksAndCancelsOnTheScheduler() {
        upstream.subscribe(on: scheduler).subscribe(tracker)
        #expect(upstream.subscriptions == 0)
        scheduler.advance()
        #expect(tracker.events == [.subscription("SubscribeOn")])
        #expect(upstream.requests == [.unlimited])
        tracker.cancel()
        #expect(upstream.cancels == 0)
        upstream.send(1)
        scheduler.advance()
        #expect(upstream.cancels == 1)
        #expect(tracker.values == [])
    }

    @Test func debounceKeepsTheLastOfABurst() {
        upstream.debounce(for: 10, scheduler: scheduler).subscribe(tracker)
        #expect(upstream.requests == [.unlimited])
        upstream.send(1)
        scheduler.advance(by: 9)
        upstream.send(2)
        scheduler.advance(by: 9)
        #expect(tracker.values == [])
        scheduler.advance(by: 1)
        #expect(tracker.values == [2])
        upstream.send(3)
        upstream.send(completion: .finished)
        scheduler.advance(by: 100)
        #expect(tracker.values == [2])
        #expect(tracker.events.last == .finished)
    }

    @Test func debounceDropsWhatNobodyAskedFor() {
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        upstream.debounce(for: 10, scheduler: scheduler).subscribe(tracker)
        for number in 1...3 {
            upstream.send(number)
            scheduler.advance(by: 10)
        }
        #expect(tracker.values == [1])
    }
}
