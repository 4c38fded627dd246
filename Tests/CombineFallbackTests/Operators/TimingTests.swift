import Basics
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

    @Test func debounceHasOneJobForManyValues() {
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

    @Test func debounceKeepsNoValueAfterCancel() {
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

    @Test func debounceDropsWhatWasNotAskedFor() {
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        upstream.debounce(for: 10, scheduler: scheduler).subscribe(tracker)
        for number in 1...3 {
            upstream.send(number)
            scheduler.advance(by: 10)
        }
        #expect(tracker.values == [1])
    }

    @Test func whatIsAskedForWhenTheSubscriptionComesIsDeliveredAfterIt() {
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

    @Test func aReceivedValueIsDeliveredByTheJobThatFollowsIt() {
        upstream.receive(on: scheduler).subscribe(tracker)
        upstream.send(1)
        scheduler.schedule(options: nil) { [upstream] in upstream.send(2) }
        scheduler.advance()
        #expect(tracker.values == [1, 2])
    }

    @Test func delayDelaysValuesAndTheEnd() {
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

    @Test func delayDelaysAFailureToo() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        upstream.delay(for: 10, scheduler: scheduler).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.events.count == 1)
        scheduler.advance(by: 10)
        #expect(tracker.events == [.subscription("Delay"), .value(1), .failure("Boom()")])
    }

    @Test(arguments: [(true, [1, 3]), (false, [1, 2])])
    func throttlePublishesOneInEachInterval(latest: Bool, expected: [Int]) {
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

    @Test func throttleLetsTheEndWaitForAValue() {
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

    @Test func timeoutFinishesAndCancels() {
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

    @Test func timeoutFailsWithTheErrorThatIsMade() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        upstream.timeout(10, scheduler: scheduler, customError: { Boom() }).subscribe(tracker)
        scheduler.advance(by: 10)
        #expect(tracker.events == [.subscription("Timeout"), .failure("Boom()")])
        #expect(upstream.cancels == 1)
    }

    @Test func timeoutDoesNotFollowTheEnd() {
        upstream.timeout(10, scheduler: scheduler).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .finished)
        scheduler.advance(by: 100)
        #expect(tracker.events == [.subscription("Timeout"), .value(1), .finished])
        #expect(upstream.cancels == 0)
    }

    @Test func timeoutLetsGoOfTheClosureAtTheEnd() {
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

    @Test func timeoutOnAClockThatStandsStill() {
        upstream.timeout(.seconds(1), scheduler: ImmediateScheduler.shared).subscribe(tracker)
        #expect(tracker.events.last == .finished)
    }

    @Test func collectByTimeCollectsWhatAnIntervalBrings() {
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

    @Test func collectByTimeOrCountDoesNotWaitForTheInterval() {
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

    @Test func collectByTimeLosesWhatIsLeftWhenUpstreamFails() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<[Int], Boom>(initial: .unlimited)
        upstream.collect(.byTime(scheduler, 10)).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        scheduler.advance()
        #expect(tracker.events == [.subscription("CollectByTime"), .failure("Boom()")])
    }

    @Test func collectByTimeStopsItsTimer() {
        let tracker = TrackingSubscriber<[Int], Never>(initial: .unlimited)
        upstream.collect(.byTime(scheduler, 10)).subscribe(tracker)
        tracker.cancel()
        scheduler.advance(by: 100)
        #expect(scheduler.state.withLock { $0.jobs.count } == 0)
        #expect(upstream.cancels == 1)
    }
}
