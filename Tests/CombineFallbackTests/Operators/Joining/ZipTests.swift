import PortableCombine
import Testing

@Suite struct ZipTests {
    @Test func `The zip operator pairs the values of two publishers in the order in which each sends them`() {
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
        var pairs: [String] = []
        let cancellable = a.zip(b) { "\($0)\($1)" }.sink { pairs.append($0) }
        a.send(1)
        a.send(2)
        b.send("x")
        #expect(pairs == ["1x"])
        b.send("y")
        b.send("z")
        a.send(3)
        #expect(pairs == ["1x", "2y", "3z"])
        cancellable.cancel()
    }

    @Test func `The zip operator with three or four publishers delivers as many values as the shortest sends`() {
        var three: [Int] = []
        var four: [Int] = []
        let (numbers, more) = ([1, 2, 3].publisher, [10, 20].publisher)
        _ = numbers.zip(more, [100, 200, 300].publisher).sink { three.append($0 + $1 + $2) }
        _ = numbers.zip(more, numbers, [100, 200].publisher) { $0 + $1 + $2 + $3 }.sink { four.append($0) }
        #expect(three == [111, 222])
        #expect(four == [112, 224])
    }

    @Test func `The zip operator finishes when one publisher has finished and all its values are used`() {
        let (a, b) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Boom>())
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        a.zip(b, +).subscribe(tracker)
        a.send(1)
        a.send(2)
        a.send(completion: .finished)
        b.send(10)
        #expect(tracker.endings == 0)
        b.send(20)
        #expect(tracker.values == [11, 22])
        #expect(tracker.events.last == .finished)
        #expect(a.cancels == 0)
        #expect(b.cancels == 1)
    }

    @Test func `The zip operator passes the subscriber's demand on to each publisher`() {
        let (a, b) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(2), more: .max(1))
        a.zip(b, +).subscribe(tracker)
        #expect(a.requests == [.max(2)])
        #expect(a.send(1) == .none)
        #expect(b.send(1) == .max(1))
        #expect(a.requests == [.max(2), .max(1)])
        #expect(b.requests == [.max(2)])
    }
}
