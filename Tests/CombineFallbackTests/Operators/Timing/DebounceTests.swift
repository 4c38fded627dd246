import Basics
import PortableCombine
import Testing

@Suite struct DebounceTests {
    let scheduler = TestScheduler()
    let upstream = ManualPublisher<Int, Never>()
    let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)

    @Test func `The debounce operator delivers the last value of a burst after a pause`() {
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

    @Test func `The debounce operator has one scheduled job at a time for any number of values`() {
        upstream.debounce(for: 10, scheduler: scheduler).subscribe(tracker)
        for number in 1...100 { upstream.send(number) }
        #expect(scheduler.state.withLock { $0.jobs.count } == 1)
        scheduler.advance(by: 10)
        #expect(tracker.values == [100])
        upstream.send(101)
        scheduler.advance(by: 5)
        upstream.send(102)
        #expect(scheduler.state.withLock { $0.jobs.count } == 1)
        scheduler.advance(by: 9)
        #expect(tracker.values == [100])
        scheduler.advance(by: 1)
        #expect(tracker.values == [100, 102])
    }

    @Test func `The debounce operator releases its waiting value when it is canceled`() {
        final class Token {}
        weak var weakToken: Token?
        let subject = PassthroughSubject<Token, Never>()
        let cancellable = subject.debounce(for: 10, scheduler: scheduler).sink { _ in }
        do {
            let token = Token()
            weakToken = token
            subject.send(token)
        }
        #expect(weakToken != nil)
        cancellable.cancel()
        #expect(weakToken == nil)
    }

    @Test func `The debounce operator drops values for which there is no demand`() {
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        upstream.debounce(for: 10, scheduler: scheduler).subscribe(tracker)
        for number in 1...3 {
            upstream.send(number)
            scheduler.advance(by: 10)
        }
        #expect(tracker.values == [1])
    }
}
