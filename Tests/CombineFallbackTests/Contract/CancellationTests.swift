import Basics
import PortableCombine
import TestTiers
import Testing

/// Rule 6, for every operator.
@Suite(.tags(.concurrent), .limited) struct CancellationTests {
    typealias Upstream = ManualPublisher<Int, any Error>
    typealias Tracker = TrackingSubscriber<Int, any Error>

    @Test(arguments: OperatorCase.own)
    func `However often a Combine operator is canceled, upstream gets one cancel and downstream no value`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        let tracker = Tracker(initial: .unlimited)
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        onThreads(4) { _ in tracker.cancel() }
        tracker.cancel()
        #expect(upstream.cancels == 1)
        upstream.send(1)
        upstream.send(completion: .finished)
        tracker.request(.max(1))
        #expect(tracker.events.count == 1)
    }

    @Test(arguments: OperatorCase.all)
    func `Canceling a subscription in receive(subscription:) prevents demand, values and completion`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        let tracker = Tracker(onSubscription: { $0.cancel() })
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        #expect(upstream.cancels == (operation.isFirst ? 0 : 1))
        #expect(upstream.requested == .none)
        if !operation.isTransparent {
            upstream.send(1)
            upstream.send(completion: .finished)
        }
        #expect(tracker.events.count == 1)
    }

    @Test(arguments: OperatorCase.all)
    func `Canceling a subscription while it delivers a value prevents further values and the completion`(
        of operation: OperatorCase
    ) {
        let subscription = Locked<(any Subscription)?>(nil)
        let tracker = Tracker(
            onSubscription: { given in
                subscription.withLockUnchecked { $0 = given }
                given.request(.unlimited)
            },
            onValue: { _ in
                subscription.withLock { $0 }?.cancel()
                return .max(1)
            }
        )
        operation.apply(DemandContractTests.numbers(100)).subscribe(tracker)
        #expect(tracker.values.count == (operation.result == [] ? 0 : 1))
        #expect(tracker.endings == (operation.result == [] ? 1 : 0))
    }

    @Test(arguments: OperatorCase.own)
    func `Canceling a subscription during or after its completion does not cancel upstream`(of operation: OperatorCase)
    {
        let upstream = Upstream()
        let subscription = Locked<(any Subscription)?>(nil)
        let tracker = Tracker(
            onSubscription: { given in
                subscription.withLockUnchecked { $0 = given }
                given.request(.unlimited)
            },
            onEnd: { subscription.withLock { $0 }?.cancel() }
        )
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        upstream.send(completion: .finished)
        tracker.cancel()
        #expect(tracker.endings == 1)
        #expect(upstream.cancels == 0)
    }

    @Test(arguments: OperatorCase.all)
    func `A sink that is canceled before its upstream subscription arrives cancels it on arrival`(
        of operation: OperatorCase
    ) {
        let scheduler = TestScheduler()
        let upstream = Upstream()
        let cancellable = operation.apply(upstream.subscribe(on: scheduler).eraseToAnyPublisher())
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        cancellable.cancel()
        scheduler.advance()
        #expect(upstream.subscriptions == 1)
        #expect(upstream.requested == .none || operation.gathers)
        #expect(upstream.cancels == 1)
    }

    @Test(arguments: OperatorCase.all)
    func `Releasing the AnyCancellable of a sink cancels upstream, and the sink receives nothing more`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        var received = 0
        var cancellable: AnyCancellable? = operation.apply(upstream.eraseToAnyPublisher())
            .sink(receiveCompletion: { _ in received += 1 }, receiveValue: { _ in received += 1 })
        #expect(upstream.cancels == 0)
        #expect(cancellable != nil)
        cancellable = nil
        #expect(upstream.cancels == 1)
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(received == 0)
    }
}
