import PortableCombine
import Testing

@Suite struct TimeoutTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func `The timeout operator finishes and cancels upstream after an interval without values`() {
        upstream.timeout(10, scheduler: scheduler).subscribe(tracker)
        scheduler.advance(by: 9)
        upstream.send(1)
        scheduler.advance(by: 9)
        #expect(tracker.values == [1])
        #expect(tracker.endings == 0)
        scheduler.advance(by: 1)
        #expect(tracker.events.last == .finished)
        #expect(upstream.cancels == 1)
        upstream.send(2)
        scheduler.advance(by: 100)
        #expect(tracker.values == [1])
    }

    @Test func `The timeout operator with customError fails with that error and cancels upstream`() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        upstream.timeout(10, scheduler: scheduler, customError: { Boom() }).subscribe(tracker)
        scheduler.advance(by: 10)
        #expect(tracker.events == [.subscription("Timeout"), .failure("Boom()")])
        #expect(upstream.cancels == 1)
    }

    @Test func `The timeout operator does nothing after upstream has finished`() {
        upstream.timeout(10, scheduler: scheduler).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .finished)
        scheduler.advance(by: 100)
        #expect(tracker.events == [.subscription("Timeout"), .value(1), .finished])
        #expect(upstream.cancels == 0)
    }

    @Test func `The timeout operator releases its customError closure when it is canceled`() {
        final class Token {}
        weak var weakToken: Token?
        let upstream = ManualPublisher<Int, Boom>()
        do {
            let token = Token()
            weakToken = token
            let cancellable =
                upstream
                .timeout(10, scheduler: scheduler, customError: { withExtendedLifetime(token) { Boom() } })
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            cancellable.cancel()
            upstream.release()
        }
        #expect(weakToken == nil)
    }

    @Test func `The timeout operator on ImmediateScheduler finishes at once, without waiting for its interval`() {
        upstream.timeout(.seconds(1), scheduler: ImmediateScheduler.shared).subscribe(tracker)
        #expect(tracker.events.last == .finished)
    }
}
