import PortableCombine
import Testing

@Suite struct SwitchToLatestTests {
    let outer = ManualPublisher<ManualPublisher<Int, Boom>, Boom>()
    let inners = (0..<2).map { _ in ManualPublisher<Int, Boom>() }

    @Test func `The switchToLatest operator cancels the old publisher and requests remaining demand from the new`() {
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(3))
        outer.switchToLatest().subscribe(tracker)
        #expect(outer.requests == [.unlimited])
        outer.send(inners[0])
        #expect(inners[0].requests == [.max(3)])
        inners[0].send(1)
        outer.send(inners[1])
        #expect(inners[0].cancels == 1)
        #expect(inners[1].requests == [.max(2)])
        inners[0].send(9)
        inners[1].send(2)
        #expect(tracker.values == [1, 2])
        outer.send(completion: .finished)
        #expect(tracker.endings == 0)
        inners[1].send(completion: .finished)
        #expect(tracker.events.last == .finished)
        #expect(inners[1].cancels == 0)
    }

    @Test func `The switchToLatest operator fails if the outer or inner publisher fails, and cancels the other one`() {
        for isOuter in [true, false] {
            let (outer, inner) = (ManualPublisher<ManualPublisher<Int, Boom>, Boom>(), ManualPublisher<Int, Boom>())
            let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
            outer.switchToLatest().subscribe(tracker)
            outer.send(inner)
            if isOuter { outer.send(completion: .failure(Boom())) } else { inner.send(completion: .failure(Boom())) }
            #expect(tracker.events.last == .failure("Boom()"))
            #expect(outer.cancels == (isOuter ? 0 : 1))
            #expect(inner.cancels == (isOuter ? 1 : 0))
        }
    }

    @Test func `The switchToLatest operator accepts inner or outer publishers whose failure type is Never`() {
        var values: [Int] = []
        let failing = Just(1).setFailureType(to: Boom.self)
        _ = failing.map { Just($0 + 1) }.switchToLatest()
            .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        _ = Just(1).map { _ in failing }.switchToLatest()
            .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        _ = Just(1).map { Just($0 + 2) }.switchToLatest().sink { values.append($0) }
        #expect(values == [2, 1, 3])
    }
}
