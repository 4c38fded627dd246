import PortableCombine
import Testing

@Suite struct CombineLatestTests {
    @Test func `combineLatest delivers the latest values of two, three or four publishers`() {
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
        var two: [String] = []
        var three: [String] = []
        var four: [String] = []
        let c2 = a.combineLatest(b) { "\($0)\($1)" }.sink { two.append($0) }
        let c3 = a.combineLatest(b, Just(true)).sink { three.append("\($0.0)\($0.1)\($0.2)") }
        let c4 = a.combineLatest(b, Just(1), Just(2)).sink { four.append("\($0.0)\($0.1)\($0.2)\($0.3)") }
        a.send(1)
        b.send("x")
        a.send(2)
        b.send("y")
        #expect(two == ["1x", "2x", "2y"])
        #expect(three == ["1xtrue", "2xtrue", "2ytrue"])
        #expect(four == ["1x12", "2x12", "2y12"])
        for cancellable in [c2, c3, c4] { cancellable.cancel() }
    }

    @Test func `The combineLatest operator finishes only when all its publishers have finished`() {
        let (a, b) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Boom>())
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        a.combineLatest(b, +).subscribe(tracker)
        a.send(1)
        a.send(completion: .finished)
        b.send(2)
        #expect(tracker.endings == 0)
        b.send(completion: .finished)
        #expect(tracker.values == [3])
        #expect(tracker.events.last == .finished)
    }

    @Test func `combineLatest continues when one publisher finishes and fails when another fails`() {
        let (a, b) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Boom>())
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(3))
        a.combineLatest(b, +).subscribe(tracker)
        #expect(a.requests == [.max(3)])
        #expect(b.requests == [.max(3)])
        a.send(1)
        a.send(completion: .finished)
        a.send(completion: .finished)
        b.send(2)
        #expect(tracker.values == [3])
        #expect(tracker.endings == 0)
        b.send(completion: .failure(Boom()))
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(a.cancels == 0)
    }
}
