import Basics
import Foundation
import PortableCombine
import TestTiers
import Testing

/// Rule 7, for every operator: a stack that grows with the stream would overflow here, since it is small.
@Suite(.limited) struct ReentrancyTests {
    private static let length = 500

    /// The result of `body`, run on a thread with a stack of 256 KiB.
    private func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    @Test(arguments: OperatorCase.streaming.filter { $0.name != "combineLatest" })
    func `A subscriber that returns demand for one value from each receive(_:) does not grow the stack`(
        through operation: OperatorCase
    )
        async
    {
        let count = await onSmallStack {
            let count = Locked(0)
            let subscriber = AnySubscriber<Int, any Error>(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { _ in
                    count.withLock { $0 += 1 }
                    return .max(1)
                }
            )
            operation.apply(DemandContractTests.numbers(Self.length)).subscribe(subscriber)
            return count.withLock { $0 }
        }
        #expect(count == Self.length)
    }

    @Test(arguments: OperatorCase.streaming.filter { $0.name != "combineLatest" })
    func `A subscriber that requests one value during each delivery does not grow the stack`(
        through operation: OperatorCase
    ) async {
        let count = await onSmallStack {
            let subscription = Locked<(any Subscription)?>(nil)
            let count = Locked(0)
            let subscriber = AnySubscriber<Int, any Error>(
                receiveSubscription: { given in
                    subscription.withLockUnchecked { $0 = given }
                    given.request(.max(1))
                },
                receiveValue: { _ in
                    count.withLock { $0 += 1 }
                    subscription.withLock { $0 }?.request(.max(1))
                    return .none
                }
            )
            operation.apply(DemandContractTests.numbers(Self.length)).subscribe(subscriber)
            return count.withLock { $0 }
        }
        #expect(count == Self.length)
    }

    @Test func `A sequence of 100,000 values requested one by one does not grow the stack`() async {
        let count = await onSmallStack {
            var count = 0
            (1...100_000).publisher.subscribe(
                AnySubscriber<Int, Never>(
                    receiveSubscription: { $0.request(.max(1)) },
                    receiveValue: { _ in
                        count += 1
                        return .max(1)
                    }
                )
            )
            return count
        }
        #expect(count == 100_000)
    }

    @Test(arguments: OperatorCase.streaming.filter { !$0.asksForLess })
    func `Values sent to a subject during a delivery do not grow the stack`(through operation: OperatorCase) async {
        let received = await onSmallStack {
            let subject = PassthroughSubject<Int, any Error>()
            var received: [Int] = []
            let cancellable = operation.apply(subject.eraseToAnyPublisher()).sink(
                receiveCompletion: { _ in },
                receiveValue: { value in
                    if value < Self.length { subject.send(value + 1) }
                    received.append(value)
                }
            )
            subject.send(1)
            cancellable.cancel()
            return received
        }
        #expect(received == Array(1...Self.length))
    }

    @Test func `The retry operator does not grow the stack when it meets 5,000 immediate failures`() async {
        let failures = await onSmallStack {
            var failures = 0
            let cancellable = Deferred { () -> Fail<Int, Boom> in
                failures += 1
                return Fail(error: Boom())
            }
            .retry(5_000)
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            cancellable.cancel()
            return failures
        }
        #expect(failures == 5_001)
    }
}
