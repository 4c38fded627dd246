import PortableCombine
import Testing

@Suite struct SelectingTests {
    private let numbers = (1...6).publisher.hidden()

    @Test func `The operators output, prefix and dropFirst select values by position`() {
        #expect(recorded(numbers.output(at: 2)).values == [3])
        #expect(recorded(numbers.output(at: 9)).values == [])
        #expect(recorded(numbers.output(in: 1...2)).values == [2, 3])
        #expect(recorded(numbers.output(in: 4...)).values == [5, 6])
        #expect(recorded(numbers.prefix(2)).values == [1, 2])
        #expect(recorded(numbers.prefix(0)).end == .finished)
        #expect(recorded(numbers.dropFirst()).values == [2, 3, 4, 5, 6])
        #expect(recorded(numbers.dropFirst(9)).values == [])
    }

    @Test func `dropFirst(2) requests two values from upstream before there is demand`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .none)
        upstream.dropFirst(2).subscribe(tracker)
        #expect(upstream.requests == [.max(2)])
        for number in 1...2 { #expect(upstream.send(number) == .none) }
        tracker.request(.max(1))
        #expect(upstream.requests == [.max(2), .max(1)])
        upstream.send(3)
        #expect(tracker.events == [.subscription("Drop"), .value(3)])
    }

    @Test func `prefix(while:) ends and drop(while:) begins at the first value that does not match`() {
        #expect(recorded(numbers.prefix { $0 < 3 }).values == [1, 2])
        #expect(recorded(numbers.tryPrefix { $0 < 3 }).values == [1, 2])
        #expect(recorded(numbers.drop { $0 % 4 > 0 }).values == [4, 5, 6])
        #expect(recorded(numbers.tryDrop { $0 % 4 > 0 }).values == [4, 5, 6])
    }

    @Test func `removeDuplicates compares each value with the value before it, even a dropped one`() {
        let repeated = [1, 1, 2, 2, 1, 3, 3].publisher.hidden()
        #expect(recorded(repeated.removeDuplicates()).values == [1, 2, 1, 3])
        #expect(recorded(repeated.tryRemoveDuplicates(by: ==)).values == [1, 2, 1, 3])
        // Each is compared with the one before it, whether that was published or not.
        #expect(recorded(numbers.removeDuplicates { $1 - $0 < 3 }).values == [1])
        #expect(recorded(numbers.tryRemoveDuplicates { $1 - $0 < 3 }).values == [1])
    }

    @Test func `prefix(2) cancels upstream and finishes directly after the second value`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(5), more: .max(5))
        upstream.prefix(2).subscribe(tracker)
        #expect(upstream.send(1) == .max(5))
        #expect(upstream.cancels == 0)
        #expect(upstream.send(2) == .none)
        #expect(upstream.cancels == 1)
        #expect(tracker.events.suffix(3) == [.value(1), .value(2), .finished])
    }

    @Test func `prefix(0) finishes without demand and does not subscribe to upstream`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .none)
        upstream.prefix(0).subscribe(tracker)
        #expect(upstream.subscriptions == 0)
        #expect(tracker.events.last == .finished)
    }

    @Test func `The output(at:) operator requests one more value from upstream for each value it skips`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        upstream.output(at: 1).subscribe(tracker)
        #expect(upstream.requests == [.max(1)])
        #expect(upstream.send(7) == .max(1))
        upstream.send(8)
        #expect(tracker.events.suffix(2) == [.value(8), .finished])
    }

    @Test func `tryPrefix, tryDrop and tryRemoveDuplicates cancel upstream when their closure throws`() {
        let operators: [(String, (AnyPublisher<Int, Never>) -> AnyPublisher<Int, any Error>)] = [
            ("tryPrefix", { $0.tryPrefix { _ in throw Boom() }.hidden() }),
            ("tryDrop", { $0.tryDrop { _ in throw Boom() }.hidden() }),
            ("tryRemoveDuplicates", { $0.tryRemoveDuplicates { _, _ in throw Boom() }.hidden() }),
        ]
        for (name, apply) in operators {
            let upstream = ManualPublisher<Int, Never>()
            let tracker = TrackingSubscriber<Int, any Error>(initial: .unlimited)
            apply(upstream.hidden()).subscribe(tracker)
            upstream.send(1)
            upstream.send(2)
            #expect(tracker.events.last == .failure("Boom()"), "\(name)")
            #expect(upstream.cancels == 1, "\(name)")
        }
    }

    @Test func `Consecutive filter, map and compactMap operators combine into one publisher`() {
        let filtered: Publishers.Filter<AnyPublisher<Int, Never>> = numbers.filter { $0 > 1 }.filter { $0 < 5 }
        #expect(recorded(filtered).values == [2, 3, 4])
        let tried: Publishers.TryFilter<AnyPublisher<Int, Never>> = numbers.filter { $0 > 1 }.tryFilter { $0 < 5 }
        #expect(recorded(tried.filter { $0 != 3 }).values == [2, 4])
        let halves: Publishers.CompactMap<AnyPublisher<Int, Never>, String> =
            numbers.compactMap { $0 % 2 == 0 ? $0 / 2 : nil }.map { "\($0)" }
        #expect(recorded(halves).values == ["1", "2", "3"])
        let large = numbers.tryCompactMap { (number: Int) -> Int? in number > 3 ? number : nil }
        #expect(recorded(large.compactMap { (number: Int) -> Int? in number > 4 ? number : nil }).values == [5, 6])
        let doubled = numbers.tryMap { (number: Int) -> Int in number * 2 }
        let more: Publishers.TryMap<AnyPublisher<Int, Never>, Int> = doubled.map { (number: Int) -> Int in number + 1 }
        #expect(recorded(more.tryMap { (number: Int) -> Int in number * 10 }).values.first == 30)
    }

    @Test func `Operator publishers are equal if their upstream and parameters are equal`() {
        let (one, other) = (Just(1), Just(2))
        #expect(Publishers.First(upstream: one) == Publishers.First(upstream: one))
        #expect(Publishers.First(upstream: one) != Publishers.First(upstream: other))
        #expect(Publishers.Contains(upstream: one, output: 1) != Publishers.Contains(upstream: one, output: 2))
        #expect(Publishers.Output(upstream: one, range: 0..<2) == Publishers.Output(upstream: one, range: 0..<2))
        #expect(Publishers.Drop(upstream: one, count: 1) != Publishers.Drop(upstream: one, count: 2))
        #expect(
            Publishers.CollectByCount(upstream: one, count: 1) == Publishers.CollectByCount(upstream: one, count: 1)
        )
        #expect(Publishers.ReplaceEmpty(upstream: one, output: 1) != Publishers.ReplaceEmpty(upstream: one, output: 2))
        #expect(Publishers.ReplaceError(upstream: one, output: 1) == Publishers.ReplaceError(upstream: one, output: 1))
        #expect(Publishers.IgnoreOutput(upstream: one) == Publishers.IgnoreOutput(upstream: one))
        #expect(Publishers.Count(upstream: one) == Publishers.Count(upstream: one))
        #expect(Publishers.Last(upstream: one) == Publishers.Last(upstream: one))
        #expect(Publishers.Collect(upstream: one) == Publishers.Collect(upstream: one))
    }
}
