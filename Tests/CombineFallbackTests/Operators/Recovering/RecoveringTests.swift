import PortableCombine
import Testing

@Suite struct RecoveringTests {
    @Test func `The catch operator requests the remaining demand from the replacement publisher`() {
        let (first, second) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Never>())
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(3))
        first.catch { _ in second }.subscribe(tracker)
        first.send(1)
        first.send(completion: .failure(Boom()))
        #expect(second.requests == [.max(2)])
        // The first publisher has failed.
        first.send(7)
        first.send(completion: .finished)
        second.send(2)
        second.send(completion: .finished)
        #expect(tracker.events == [.subscription("Catch"), .value(1), .value(2), .finished])
        #expect(first.cancels == 0)
    }

    @Test func `Canceling the catch operator after a failure cancels only the replacement publisher`() {
        let (first, second) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Never>())
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(3))
        first.catch { _ in second }.subscribe(tracker)
        first.send(completion: .failure(Boom()))
        tracker.cancel()
        #expect(first.cancels == 0)
        #expect(second.cancels == 1)
    }

    @Test func `The tryCatch operator continues with the publisher from its closure or fails with its error`() {
        struct Worse: Error {}
        var end = ""
        _ = Fail<Int, Boom>(error: Boom()).tryCatch { _ -> Just<Int> in throw Worse() }
            .sink(receiveCompletion: { end = "\($0)" }, receiveValue: { _ in })
        #expect(end.contains("Worse"))
        var values: [Int] = []
        _ = Fail<Int, Boom>(error: Boom()).tryCatch { _ in Just(4) }
            .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        #expect(values == [4])
    }

    @Test(arguments: [0, 1, 3])
    func `The retry(n) operator subscribes n + 1 times if each attempt fails, then delivers the failure`(retries: Int) {
        var attempts = 0
        var end: Subscribers.Completion<Boom>?
        let cancellable = Deferred { () -> AnyPublisher<Int, Boom> in
            attempts += 1
            return Fail(error: Boom()).eraseToAnyPublisher()
        }
        .retry(retries)
        .sink(receiveCompletion: { end = $0 }, receiveValue: { _ in })
        cancellable.cancel()
        #expect(attempts == retries + 1)
        #expect(end == .failure(Boom()))
    }

    @Test func `The retry(1) operator requests only the remaining demand when it subscribes again`() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(5))
        upstream.retry(1).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(upstream.subscriptions == 2)
        #expect(upstream.requests == [.max(5), .max(4)])
        upstream.send(2)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.values == [1, 2])
        #expect(tracker.events.last == .failure("Boom()"))
    }
}
