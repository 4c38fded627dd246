import Basics
import PortableCombine
import Testing

/// Rule 7, for every operator: a stack that grows with the stream would overflow here.
@Suite struct ReentrancyTests {
    typealias Tracker = TrackingSubscriber<Int, any Error>

    static let length = 8_000

    @Test(arguments: OperatorCase.streaming.filter { $0.name != "combineLatest" })
    func pullingOneByOneByReturnValue(through operation: OperatorCase) {
        let count = Locked(0)
        let subscriber = AnySubscriber<Int, any Error>(
            receiveSubscription: { $0.request(.max(1)) },
            receiveValue: { _ in
                count.withLock { $0 += 1 }
                return .max(1)
            }
        )
        operation.apply(DemandContractTests.numbers(Self.length)).subscribe(subscriber)
        #expect(count.withLock { $0 } == Self.length)
    }

    @Test(arguments: OperatorCase.streaming.filter { $0.name != "combineLatest" })
    func pullingOneByOneByRequest(through operation: OperatorCase) {
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
        #expect(count.withLock { $0 } == Self.length)
    }

    @Test func aMillionElementsOneByOne() {
        var count = 0
        (1...1_000_000).publisher.subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { _ in
                    count += 1
                    return .max(1)
                }
            )
        )
        #expect(count == 1_000_000)
    }

    @Test(arguments: OperatorCase.streaming.filter { !$0.asksForLess })
    func sendingFromInsideADelivery(through operation: OperatorCase) {
        let subject = PassthroughSubject<Int, any Error>()
        var received: [Int] = []
        let cancellable = operation.apply(subject.eraseToAnyPublisher()).sink(
            receiveCompletion: { _ in },
            receiveValue: { value in
                if value < 5000 { subject.send(value + 1) }
                received.append(value)
            }
        )
        subject.send(1)
        #expect(received == Array(1...5000))
        cancellable.cancel()
    }

    @Test func retryingAtOnceDoesNotGrowTheStack() {
        var failures = 0
        let cancellable = Deferred { () -> Fail<Int, Boom> in
            failures += 1
            return Fail(error: Boom())
        }
        .retry(50_000)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        #expect(failures == 50_001)
        cancellable.cancel()
    }
}
