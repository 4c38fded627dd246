import PortableCombine
import Testing

@Suite struct SubscribeOnTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func `subscribe(on:) subscribes, requests and cancels on the scheduler`() {
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
}
