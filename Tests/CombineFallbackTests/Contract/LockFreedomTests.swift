import Dispatch
import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

/// Rule 8: no call-out under a lock. From inside each call another thread calls the operator, and must not have to
/// wait.
@Suite(.tags(.concurrent), .limited) struct LockFreedomTests {
    typealias Tracker = TrackingSubscriber<Int, any Error>

    /// Calls `body` on another thread and waits for it.
    static func elsewhere(_ stuck: Locked<Int>, _ body: @escaping () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let body = Handed(body)
        Thread.detachNewThread {
            body.value()
            done.signal()
        }
        if done.wait(timeout: .now() + 60) == .timedOut { stuck.withLock { $0 += 1 } }
    }

    @Test(arguments: OperatorCase.all)
    func `A subscriber can request or cancel on another thread during a delivery without a deadlock`(
        of operation: OperatorCase
    ) {
        let stuck = Locked(0)
        let subscription = Locked<(any Subscription)?>(nil)
        let tracker = Tracker(
            onSubscription: { given in
                subscription.withLockUnchecked { $0 = given }
                Self.elsewhere(stuck) { given.request(.max(1)) }
            },
            onValue: { _ in
                Self.elsewhere(stuck) { subscription.withLockUnchecked { $0 }?.request(.max(1)) }
                return .none
            },
            onEnd: { Self.elsewhere(stuck) { subscription.withLockUnchecked { $0 }?.cancel() } }
        )
        operation.apply(DemandContractTests.numbers(3)).subscribe(tracker)
        #expect(stuck.withLock { $0 } == 0)
        #expect(tracker.endings == 1)
    }

    /// Its release calls back into the stream it was captured by.
    final class Tripwire: Sendable {
        let action = Locked<(() -> Void)?>(nil)
        deinit { action.withLock { $0 }?() }
    }

    @Test(arguments: OperatorCase.all)
    func `A deinit run by the end of a stream can use the subscription and subject without a deadlock`(
        of operation: OperatorCase
    ) {
        for cancels in [false, true] {
            let releases = Locked(0)
            withWatchdog {
                let subscription = Locked<(any Subscription)?>(nil)
                let subject = PassthroughSubject<Int, any Error>()
                do {
                    let tripwire = Tripwire()
                    tripwire.action.withLockUnchecked { action in
                        action = {
                            releases.withLock { $0 += 1 }
                            subscription.withLockUnchecked { $0 }?.request(.max(1))
                            subscription.withLockUnchecked { $0 }?.cancel()
                            subject.send(9)
                        }
                    }
                    let subscriber = AnySubscriber<Int, any Error>(
                        receiveSubscription: { given in
                            subscription.withLockUnchecked { $0 = given }
                            given.request(.unlimited)
                        },
                        receiveValue: { _ in withExtendedLifetime(tripwire) { .none } }
                    )
                    operation.apply(subject.eraseToAnyPublisher()).subscribe(subscriber)
                }
                subject.send(1)
                if cancels {
                    subscription.withLockUnchecked { $0 }?.cancel()
                } else {
                    subject.send(completion: .finished)
                }
            }
            #expect(releases.withLock { $0 } == 1)
        }
    }
}
