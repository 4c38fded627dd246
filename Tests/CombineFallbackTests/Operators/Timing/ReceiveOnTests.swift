import PortableCombine
import Testing

@Suite struct ReceiveOnTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func `receive(on:) delivers values and completion on the scheduler`() {
        upstream.receive(on: scheduler).subscribe(tracker)
        #expect(tracker.events == [.subscription("ReceiveOn")])
        upstream.send(1)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(tracker.values == [])
        scheduler.advance()
        #expect(tracker.events == [.subscription("ReceiveOn"), .value(1), .value(2), .finished])
    }

    @Test func `receive(on:) drops scheduled values when it is canceled`() {
        upstream.receive(on: scheduler).subscribe(tracker)
        upstream.send(1)
        tracker.cancel()
        scheduler.advance()
        #expect(tracker.values == [])
        #expect(upstream.cancels == 1)
    }

    @Test func `The receive(on:) operator delivers no value before receive(subscription:) has returned`() {
        let tracker = TrackingSubscriber<Int, Never>(
            onSubscription: { subscription in
                subscription.request(.unlimited)
                scheduler.advance()
            }
        )
        [1, 2].publisher.receive(on: scheduler).subscribe(tracker)
        #expect(tracker.events == [.subscription("ReceiveOn")])
        scheduler.advance()
        #expect(tracker.events == [.subscription("ReceiveOn"), .value(1), .value(2), .finished])
        #expect(tracker.overlaps == 0)
    }

    @Test func `receive(on:) delivers a value that is sent by a job of the same scheduler`() {
        upstream.receive(on: scheduler).subscribe(tracker)
        upstream.send(1)
        scheduler.schedule(options: nil) { [upstream] in upstream.send(2) }
        scheduler.advance()
        #expect(tracker.values == [1, 2])
    }

    @Test func `delay(for:) delays values and the normal completion by its interval`() {
        upstream.delay(for: 10, scheduler: scheduler).subscribe(tracker)
        #expect(tracker.events == [.subscription("Delay")])
        upstream.send(1)
        scheduler.advance(by: 5)
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.advance(by: 5)
        #expect(tracker.values == [1])
        scheduler.advance(by: 4)
        #expect(tracker.values == [1])
        scheduler.advance(by: 1)
        #expect(tracker.values == [1, 2])
        #expect(tracker.events.last == .finished)
    }

    @Test func `delay(for:) delays a failure by its interval`() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        upstream.delay(for: 10, scheduler: scheduler).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.events.count == 1)
        scheduler.advance(by: 10)
        #expect(tracker.events == [.subscription("Delay"), .value(1), .failure("Boom()")])
    }
}
