import PortableCombine
import Testing

@Suite struct ThrottleTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test(arguments: [(true, [1, 3]), (false, [1, 2])])
    func `The throttle operator delivers the latest value of each interval, or the first if latest is false`(
        latest: Bool,
        expected: [Int]
    ) {
        upstream.throttle(for: 10, scheduler: scheduler, latest: latest).subscribe(tracker)
        #expect(upstream.requests == [.unlimited])
        upstream.send(1)
        scheduler.advance()
        #expect(tracker.values == [1])
        scheduler.advance(by: 2)
        upstream.send(2)
        upstream.send(3)
        scheduler.advance(by: 7)
        #expect(tracker.values == [1])
        scheduler.advance(by: 1)
        #expect(tracker.values == expected)
        scheduler.advance(by: 100)
        upstream.send(4)
        upstream.send(completion: .finished)
        #expect(tracker.values == expected)
        scheduler.advance()
        #expect(tracker.values == expected + [4])
        #expect(tracker.events.last == .finished)
    }

    @Test func `The throttle operator delivers its waiting value before the completion`() {
        upstream.throttle(for: 10, scheduler: scheduler, latest: true).subscribe(tracker)
        upstream.send(1)
        scheduler.advance()
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.advance(by: 9)
        #expect(tracker.values == [1])
        #expect(tracker.endings == 0)
        scheduler.advance(by: 1)
        #expect(tracker.values == [1, 2])
        #expect(tracker.events.last == .finished)
    }
}
