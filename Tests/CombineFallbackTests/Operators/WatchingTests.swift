import Locking
import PortableCombine
import Testing

@Suite struct WatchingTests {
    final class Page: TextOutputStream, Sendable {
        let text = Locked("")
        func write(_ string: String) { text.withLock { $0 += string } }
        var lines: [Substring] { text.withLock { $0 }.split(separator: "\n") }
    }

    @Test func printShowsEverythingThatPasses() {
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

    @Test func printShowsFailureAndCancel() {
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

    @Test func handleEventsTellsBeforeItHappens() {
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
}
