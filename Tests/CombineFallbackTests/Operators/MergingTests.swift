import PortableCombine
import Testing

@Suite struct MergeTests {
    typealias Subject = PassthroughSubject<Int, Never>

    @Test func valuesOfAllAsTheyComeAndTheEndWithTheLast() {
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

    @Test func mergesOfMergesAreFlat() {
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

    @Test func oneValueOfEachIsKeptUntilItIsAskedFor() {
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

    @Test func aFailureCancelsTheOthers() {
        let all = (0..<3).map { _ in ManualPublisher<Int, Boom>() }
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        Publishers.MergeMany(all).subscribe(tracker)
        all[1].send(completion: .failure(Boom()))
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(all.map(\.cancels) == [1, 0, 1])
    }

    @Test func nothingIsSubscribedToAfterAFailure() {
        let late = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        Fail<Int, Boom>(error: Boom()).merge(with: late).subscribe(tracker)
        #expect(late.subscriptions == 0)
        #expect(tracker.events.last == .failure("Boom()"))
    }

    @Test func noPublishersAtAll() {
        let tracker = TrackingSubscriber<Int, Never>(initial: .none)
        Publishers.MergeMany([Subject]()).subscribe(tracker)
        #expect(tracker.events == [.subscription("Merge"), .finished])
    }

    @Test func equality() {
        #expect(Publishers.Merge(Just(1), Just(2)) == Publishers.Merge(Just(1), Just(2)))
        #expect(Publishers.MergeMany([Just(1)]) != Publishers.MergeMany([Just(2)]))
        #expect(Just(1).zip(Just("a")) == Just(1).zip(Just("a")))
        #expect(Just(1).zip(Just("a"), Just(2)) != Just(1).zip(Just("b"), Just(2)))
    }
}

@Suite struct ZipTests {
    @Test func inTheOrderOfEach() {
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

    @Test func threeAndFour() {
        var three: [Int] = []
        var four: [Int] = []
        let (numbers, more) = ([1, 2, 3].publisher, [10, 20].publisher)
        _ = numbers.zip(more, [100, 200, 300].publisher).sink { three.append($0 + $1 + $2) }
        _ = numbers.zip(more, numbers, [100, 200].publisher) { $0 + $1 + $2 + $3 }.sink { four.append($0) }
        #expect(three == [111, 222])
        #expect(four == [112, 224])
    }

    @Test func itIsOverWhenOneIsAndItsValuesAreUsed() {
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

    @Test func demandIsPassedToAll() {
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

@Suite struct SwitchToLatestTests {
    let outer = ManualPublisher<ManualPublisher<Int, Boom>, Boom>()
    let inners = (0..<2).map { _ in ManualPublisher<Int, Boom>() }

    @Test func theOneBeforeIsCancelledAndWhatIsOwedIsAskedOfTheNew() {
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

    @Test func aFailureOfEitherCancelsTheOther() {
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

    @Test func overloadsForPublishersThatCannotFail() {
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

@Suite struct ConcatenateTests {
    @Test func elementsSequencesAndPublishers() {
        var values: [Int] = []
        _ = [3].publisher.append(4, 5).append([6]).append(Just(7)).prepend(2).prepend([1]).prepend(Just(0))
            .sink { values.append($0) }
        #expect(values == Array(0...7))
    }

    @Test func theSecondIsSubscribedToAfterTheFirstAndAskedForTheRest() {
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

    @Test func theSecondIsLeftAloneAfterAFailureOrACancel() {
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

@Suite struct UntilTests {
    let upstream = ManualPublisher<Int, Boom>()
    let other = ManualPublisher<String, Boom>()
    let tracker = TrackingSubscriber<Int, Boom>(initial: .max(5))

    @Test func prefixEndsWithTheFirstValueOfTheOther() {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        #expect(other.requests == [.max(1)])
        #expect(upstream.requests == [.max(5)])
        upstream.send(1)
        other.send("now")
        upstream.send(2)
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .finished)
        #expect(upstream.cancels == 1)
    }

    @Test(arguments: [Subscribers.Completion<Boom>.finished, .failure(Boom())])
    func prefixDoesNotCareHowTheOtherEnds(completion: Subscribers.Completion<Boom>) {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        other.send(completion: completion)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(other.cancels == 0)
    }

    @Test func prefixCancelsTheOtherWhenUpstreamEnds() {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        upstream.send(completion: .finished)
        #expect(other.cancels == 1)
        #expect(tracker.events.last == .finished)
    }

    @Test func prefixUntilWhatComesAtOnce() {
        upstream.prefix(untilOutputFrom: Just(1)).subscribe(tracker)
        #expect(tracker.events == [.subscription("PrefixUntilOutput"), .finished])
        #expect(upstream.cancels == 1)
    }

    @Test func dropBeginsWithTheFirstValueOfTheOther() {
        upstream.drop(untilOutputFrom: other).subscribe(tracker)
        #expect(upstream.send(1) == .none)
        other.send("now")
        #expect(other.cancels == 1)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(tracker.values == [2])
        #expect(tracker.events.last == .finished)
        #expect(upstream.requests == [.max(5)])
    }

    @Test(arguments: [Subscribers.Completion<Boom>.finished, .failure(Boom())])
    func dropEndsWithTheOther(completion: Subscribers.Completion<Boom>) {
        upstream.drop(untilOutputFrom: other).subscribe(tracker)
        other.send(completion: completion)
        #expect(tracker.endings == 1)
        #expect(upstream.cancels == 1)
    }
}
