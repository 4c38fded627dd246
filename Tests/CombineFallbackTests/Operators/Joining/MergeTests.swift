import PortableCombine
import Testing

@Suite struct MergeTests {
    typealias Subject = PassthroughSubject<Int, Never>

    @Test func `A merge of eight publishers delivers each value on arrival and finishes when all have finished`() {
        let subjects = (0..<8).map { _ in Subject() }
        let (s, tracker) = (subjects, TrackingSubscriber<Int, Never>(initial: .unlimited))
        s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7]).subscribe(tracker)
        for index in [3, 0, 7, 5, 1, 2, 6, 4] { s[index].send(index) }
        #expect(tracker.values == [3, 0, 7, 5, 1, 2, 6, 4])
        for subject in s.dropLast() { subject.send(completion: .finished) }
        #expect(tracker.endings == 0)
        s[7].send(8)
        s[7].send(completion: .finished)
        #expect(tracker.events.last == .finished)
        #expect(tracker.values.last == 8)
    }

    @Test func `A merge publisher that is merged with more publishers delivers the values of all in order`() {
        let one = Just(1)
        let two = one.merge(with: [2].publisher)
        let three: Publishers.Merge3<Just<Int>, Publishers.Sequence<[Int], Never>, Empty<Int, Never>> =
            two.merge(with: Empty())
        let six = three.merge(with: Just(3), Just(4), Just(5))
        let eight = six.merge(with: [6].publisher, [7].publisher)
        var values: [Int] = []
        _ = eight.sink { values.append($0) }
        #expect(values == [1, 2, 3, 4, 5, 6, 7])
        let many: Publishers.MergeMany<Just<Int>> = one.merge(with: Just(8))
        values = []
        _ = many.merge(with: Just(9)).sink { values.append($0) }
        #expect(values == [1, 8, 9])
    }

    @Test func `A merge publisher keeps one value of each merged publisher until there is demand`() {
        let (a, b) = (ManualPublisher<Int, Boom>(), ManualPublisher<Int, Boom>())
        let tracker = TrackingSubscriber<Int, Boom>(initial: .max(1))
        a.merge(with: b).subscribe(tracker)
        #expect(a.requests == [.max(1)])
        #expect(b.requests == [.max(1)])
        #expect(a.send(1) == .max(1))
        #expect(b.send(2) == .none)
        #expect(tracker.values == [1])
        #expect(a.requests == [.max(1)])
        #expect(b.requests == [.max(1)])
        tracker.request(.max(1))
        #expect(tracker.values == [1, 2])
        #expect(b.requests == [.max(1), .max(1)])
        tracker.request(.unlimited)
        #expect(a.requested == .unlimited)
        #expect(b.requested == .unlimited)
    }

    @Test func `A merge fails and cancels the other publishers when one publisher fails`() {
        let all = (0..<3).map { _ in ManualPublisher<Int, Boom>() }
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        Publishers.MergeMany(all).subscribe(tracker)
        all[1].send(completion: .failure(Boom()))
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(all.map(\.cancels) == [1, 0, 1])
    }

    @Test func `A merge publisher does not subscribe to the next publisher when one fails immediately`() {
        let late = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        Fail<Int, Boom>(error: Boom()).merge(with: late).subscribe(tracker)
        #expect(late.subscriptions == 0)
        #expect(tracker.events.last == .failure("Boom()"))
    }

    @Test func `A merge of zero publishers finishes without demand`() {
        let tracker = TrackingSubscriber<Int, Never>(initial: .none)
        Publishers.MergeMany([Subject]()).subscribe(tracker)
        #expect(tracker.events == [.subscription("Merge"), .finished])
    }

    @Test func `Merge and zip publishers are equal if their upstream publishers are equal`() {
        #expect(Publishers.Merge(Just(1), Just(2)) == Publishers.Merge(Just(1), Just(2)))
        #expect(Publishers.MergeMany([Just(1)]) != Publishers.MergeMany([Just(2)]))
        #expect(Just(1).zip(Just("a")) == Just(1).zip(Just("a")))
        #expect(Just(1).zip(Just("a"), Just(2)) != Just(1).zip(Just("b"), Just(2)))
    }
}
