import PortableCombine
import Testing

@Suite struct FlatMapTests {
    @Test func `flatMap with maxPublishers 2 subscribes to at most two publishers at a time`() {
        let inners = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)
        upstream.flatMap(maxPublishers: .max(2)) { inners[$0] }.subscribe(tracker)
        #expect(upstream.requests == [.max(2)])
        upstream.send(0)
        upstream.send(1)
        inners[0].send(10)
        inners[1].send(11)
        inners[0].send(completion: .finished)
        #expect(upstream.requests == [.max(2), .max(1)])
        upstream.send(2)
        upstream.send(completion: .finished)
        inners[2].send(12)
        inners[1].send(completion: .finished)
        #expect(tracker.endings == 0)
        inners[2].send(completion: .finished)
        #expect(tracker.values == [10, 11, 12])
        #expect(tracker.events.last == .finished)
    }

    @Test func `The flatMap operator cancels the other publishers and discards waiting values when one fails`() {
        let upstream = ManualPublisher<Int, Boom>()
        let inners = (0..<2).map { _ in ManualPublisher<Int, Boom>() }
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(1))
        upstream.flatMap { inners[$0] }.subscribe(tracker)
        upstream.send(0)
        upstream.send(1)
        inners[0].send(1)
        inners[1].send(2)
        #expect(tracker.values == [1])
        inners[1].send(completion: .failure(Boom()))
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(upstream.cancels == 1)
        #expect(inners[0].cancels == 1)
        #expect(inners[1].cancels == 0)
    }

    @Test func `The flatMap operator requests one value at a time from an inner publisher if demand is limited`() {
        let upstream = ManualPublisher<Int, Never>()
        let inner = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(2))
        upstream.flatMap { _ in inner }.subscribe(tracker)
        upstream.send(0)
        #expect(inner.requests == [.max(1)])
        #expect(inner.send(1) == .max(1))
        #expect(inner.send(2) == .max(1))
        #expect(inner.send(3) == .none)
        #expect(inner.requests == [.max(1)])
        #expect(tracker.values == [1, 2])
        tracker.request(.unlimited)
        #expect(tracker.values == [1, 2, 3])
        #expect(inner.requests.contains(.unlimited))
    }

    @Test func `The flatMap operator accepts inner or outer publishers whose failure type is Never`() {
        var values: [Int] = []
        let failing = Just(1).setFailureType(to: Boom.self)
        _ = failing.flatMap { Just($0 + 1) }.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        _ = Just(1).flatMap { _ in failing }.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        _ = Just(1).flatMap { Just($0 + 2) }.sink { values.append($0) }
        #expect(values == [2, 1, 3])
    }
}
