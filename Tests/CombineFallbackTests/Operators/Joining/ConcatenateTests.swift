import PortableCombine
import Testing

@Suite struct ConcatenateTests {
    @Test func `The operators append and prepend deliver elements, sequences and publishers in order`() {
        var values: [Int] = []
        let appended = [3].publisher.append(4, 5).append([6]).append(Just(7))
        _ = appended.prepend(2).prepend([1]).prepend(Just(0)).sink { values.append($0) }
        #expect(values == Array(0...7))
    }

    @Test func `The append operator requests the remaining demand from the second publisher when the first finishes`() {
        let (first, second) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Boom>())
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(2))
        first.append(second).subscribe(tracker)
        first.send(1)
        #expect(second.subscriptions == 0)
        first.send(completion: .finished)
        #expect(second.requests == [.max(1)])
        second.send(2)
        second.send(completion: .failure(Boom()))
        #expect(tracker.values == [1, 2])
        #expect(tracker.events.last == .failure("Boom()"))
    }

    @Test func `The append operator does not subscribe to the second publisher if the first fails or is canceled`() {
        let second = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(2))
        Fail(error: Boom()).append(second).subscribe(tracker)
        #expect(tracker.events.last == .failure("Boom()"))
        let first = ManualPublisher<Int, Boom>()
        let canceller = TrackingSubscriber<Int, Boom>(initial: .max(2))
        first.append(second).subscribe(canceller)
        canceller.cancel()
        first.send(completion: .finished)
        #expect(first.cancels == 1)
        #expect(second.subscriptions == 0)
    }
}
