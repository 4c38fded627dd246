import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.limited) struct DebuggingTests {
    final class Page: TextOutputStream, Sendable {
        let text = Locked("")
        func write(_ string: String) { text.withLock { $0 += string } }
        var lines: [Substring] { text.withLock { $0 }.split(separator: "\n") }
    }

    @Test func `print() logs the subscription, requests, values and completion with its prefix`() {
        let page = Page()
        let tracker = TrackingSubscriber<Int, any Error>(
            onSubscription: { $0.request(.max(2)) },
            onValue: { $0 == 2 ? .unlimited : .none }
        )
        [1, 2].publisher.tryMap { $0 }.print("p", to: page).subscribe(tracker)
        #expect(
            page.lines == [
                "p: receive subscription: (TryMap)",
                "p: request max: (2)",
                "p: receive value: (1)",
                "p: receive value: (2)",
                "p: request unlimited (synchronous)",
                "p: receive finished",
            ]
        )
    }

    @Test func `print() logs a failure, and a cancel only if the stream has not ended`() {
        let page = Page()
        Fail<Int, Boom>(error: Boom()).print(to: page).subscribe(TrackingSubscriber(initial: .none))
        #expect(page.lines == ["receive subscription: (Empty)", "receive error: (Boom())"])
        let other = Page()
        Just(1).print(to: other).sink { _ in }.cancel()
        #expect(other.lines.last == "receive finished")
        let third = Page()
        PassthroughSubject<Int, Never>().print(to: third).sink { _ in }.cancel()
        #expect(third.lines == ["receive subscription: (PassthroughSubject)", "request unlimited", "receive cancel"])
    }

    @Test func `The handleEvents operator calls its closures before it passes on the events`() {
        var events: [String] = []
        let upstream = ManualPublisher<Int, Never>()
        let cancellable = upstream.handleEvents(
            receiveSubscription: { _ in events.append("subscription") },
            receiveOutput: { events.append("output \($0)") },
            receiveCompletion: { _ in events.append("completion") },
            receiveCancel: { events.append("cancel \(upstream.cancels)") },
            receiveRequest: { events.append("request \($0) \(upstream.requests.count)") }
        )
        .sink { events.append("value \($0)") }
        upstream.send(1)
        cancellable.cancel()
        cancellable.cancel()
        upstream.send(completion: .finished)
        #expect(events == ["subscription", "request unlimited 0", "output 1", "value 1", "cancel 0"])
    }

    @Test func `The handleEvents operator does not report demand that a subscriber returns after canceling`() {
        var requests = 0
        let subscription = Locked<(any Subscription)?>(nil)
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(
            onSubscription: { given in subscription.withLockUnchecked { $0 = given } },
            onValue: { _ in
                subscription.withLock { $0 }?.cancel()
                return .max(1)
            }
        )
        upstream.handleEvents(receiveRequest: { _ in requests += 1 }).subscribe(tracker)
        #expect(upstream.send(1) == .none)
        #expect(requests == 0)
    }

    @Test func `The measureInterval operator delivers the time since the previous value or the subscription`() {
        let scheduler = TestScheduler()
        let upstream = ManualPublisher<String, Never>()
        let tracker = TrackingSubscriber<TestScheduler.SchedulerTimeType.Stride, Never>(initial: .unlimited)
        let intervals = upstream.measureInterval(using: scheduler)
        scheduler.advance(by: 5)
        intervals.subscribe(tracker)
        for step in [2, 3] {
            scheduler.advance(by: .init(integerLiteral: step))
            upstream.send("x")
        }
        upstream.send(completion: .finished)
        #expect(tracker.events == [.subscription("MeasureInterval"), .value(2), .value(3), .finished])
    }

    @Test func `The breakpoint operator stops the process with SIGTRAP when its condition is true`() async {
        await #expect(processExitsWith: .signal(SIGTRAP)) {
            _ = Just(1).breakpoint(receiveOutput: { $0 == 1 }).sink { _ in }
        }
        await #expect(processExitsWith: .signal(SIGTRAP)) {
            _ = Empty<Int, Never>().breakpoint(receiveSubscription: { _ in true }).sink { _ in }
        }
        await #expect(processExitsWith: .signal(SIGTRAP)) {
            _ = Fail<Int, Boom>(error: Boom()).breakpointOnError().sink(receiveCompletion: { _ in }) { _ in }
        }
        #expect(recorded(Just(1).breakpointOnError()).end == .finished)
    }

    @Test func `assertNoFailure ends the process when upstream fails`() async {
        await #expect(processExitsWith: .failure) {
            _ = Fail<Int, Boom>(error: Boom()).assertNoFailure("never").sink { _ in }
        }
    }
}
