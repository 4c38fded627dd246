import PortableCombine
import Testing

@Suite struct BufferTests {
    let upstream = ManualPublisher<Int, Boom>()
    let tracker = TrackingSubscriber<Int, Boom>(initial: .none)

    @Test(arguments: [(true, [1, 2]), (false, [2, 3])])
    func `A full buffer operator drops the newest value with dropNewest and the oldest with dropOldest`(
        newest: Bool,
        left: [Int]
    ) {
        upstream.buffer(size: 2, prefetch: .byRequest, whenFull: newest ? .dropNewest : .dropOldest).subscribe(tracker)
        #expect(upstream.requests == [.unlimited])
        for number in 1...3 { upstream.send(number) }
        upstream.send(completion: .finished)
        #expect(tracker.endings == 0)
        tracker.request(.max(1))
        #expect(tracker.values == [left[0]])
        tracker.request(.max(1))
        #expect(tracker.values == left)
        #expect(tracker.events.last == .finished)
    }

    @Test func `A full buffer operator with customError cancels upstream and fails after the buffered values`() {
        upstream.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { Boom() }).subscribe(tracker)
        upstream.send(1)
        #expect(tracker.endings == 0)
        upstream.send(2)
        #expect(upstream.cancels == 1)
        #expect(tracker.events == [.subscription("Buffer")])
        tracker.request(.max(1))
        #expect(tracker.events == [.subscription("Buffer"), .value(1), .failure("Boom()")])
    }

    @Test func `The buffer operator delivers an upstream failure at once and discards the buffered values`() {
        upstream.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.events == [.subscription("Buffer"), .failure("Boom()")])
    }

    @Test func `The buffer operator with keepFull requests its size first, then one value per delivered value`() {
        upstream.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(tracker)
        #expect(upstream.requests == [.max(2)])
        upstream.send(1)
        upstream.send(2)
        #expect(upstream.requested == .max(2))
        tracker.request(.unlimited)
        #expect(tracker.values == [1, 2])
        #expect(upstream.requested == .max(4))
    }

    @Test func `The buffer operator of size 0 with keepFull requests nothing and drops every value`() {
        upstream.buffer(size: 0, prefetch: .keepFull, whenFull: .dropOldest).subscribe(tracker)
        #expect(upstream.requests == [])
        tracker.request(.unlimited)
        upstream.send(1)
        #expect(tracker.values == [])
    }
}
