import PortableCombine
import Testing

@Suite struct ReducingTests {
    private let numbers = [3, 1, 2, 1, 3].publisher.hidden()
    private let nothing = Empty<Int, Never>().hidden()

    private func refuse(_ number: Int) throws -> Bool {
        if number == 2 { throw Boom() }
        return false
    }

    @Test func `The operators reduce, count, min and max deliver one result when upstream finishes`() {
        #expect(recorded(numbers.reduce("", { "\($0)\($1)" })).values == ["31213"])
        #expect(recorded(nothing.reduce(7, +)).values == [7])
        #expect(recorded(numbers.tryReduce(0, +)).values == [10])
        #expect(recorded(numbers.count()).values == [5])
        #expect(recorded(nothing.count()).values == [0])
        #expect(recorded(numbers.min()).values == [1])
        #expect(recorded(numbers.max()).values == [3])
        #expect(recorded(nothing.max()).values == [])
        #expect(recorded(numbers.min(by: >)).values == [3])
        #expect(recorded(numbers.tryMax(by: >)).values == [1])
        #expect(recorded(numbers.ignoreOutput()).end == .finished)
    }

    @Test func `A min or max operator delivers the first of several equal values`() {
        let pairs = [(1, "a"), (2, "b"), (1, "c"), (2, "d")].publisher.hidden()
        #expect(recorded(pairs.min { $0.0 < $1.0 }).values.map(\.1) == ["a"])
        #expect(recorded(pairs.max { $0.0 < $1.0 }).values.map(\.1) == ["b"])
    }

    @Test func `The operators contains and allSatisfy deliver a Bool, false and true for an empty upstream`() {
        #expect(recorded(numbers.contains(2)).values == [true])
        #expect(recorded(numbers.contains(9)).values == [false])
        #expect(recorded(nothing.contains { _ in true }).values == [false])
        #expect(recorded(numbers.allSatisfy { $0 < 9 }).values == [true])
        #expect(recorded(numbers.allSatisfy { $0 < 3 }).values == [false])
        #expect(recorded(nothing.allSatisfy { _ in false }).values == [true])
        #expect(recorded(numbers.tryContains { $0 == 3 }).values == [true])
        #expect(recorded(numbers.tryAllSatisfy { $0 > 0 }).values == [true])
    }

    @Test func `The operators tryFirst, tryLast and last(where:) deliver the first or last match`() {
        #expect(recorded(numbers.last { $0 > 1 }).values == [3])
        #expect(recorded(numbers.last { $0 > 9 }).values == [])
        #expect(recorded(numbers.tryFirst { $0 < 3 }).values == [1])
        #expect(recorded(numbers.tryLast { $0 < 3 }).values == [1])
    }

    @Test func `Operators such as tryReduce and tryMin cancel upstream and fail with the error of their closure`() {
        typealias Input = AnyPublisher<Int, Never>
        let operators: [(String, (Input) -> AnyPublisher<Bool, any Error>)] = [
            ("tryFirst", { $0.tryFirst(where: refuse).map { _ in true }.hidden() }),
            ("tryLast", { $0.tryLast(where: refuse).map { _ in true }.hidden() }),
            ("tryContains", { $0.tryContains(where: refuse).hidden() }),
            ("tryAllSatisfy", { $0.tryAllSatisfy { try !refuse($0) }.hidden() }),
            ("tryReduce", { $0.tryReduce(false) { try refuse($1) || $0 }.hidden() }),
            ("tryMin", { $0.tryMin { try refuse($0) || $0 < $1 }.map { _ in true }.hidden() }),
            ("tryMax", { $0.tryMax { try refuse($1) || $0 < $1 }.map { _ in true }.hidden() }),
        ]
        for (name, apply) in operators {
            let upstream = ManualPublisher<Int, Never>()
            let tracker = TrackingSubscriber<Bool, any Error>(initial: .unlimited)
            apply(upstream.hidden()).subscribe(tracker)
            for number in [1, 2, 3] { upstream.send(number) }
            #expect(tracker.events.last == .failure("Boom()"), "\(name)")
            #expect(tracker.values == [], "\(name)")
            #expect(upstream.cancels == 1, "\(name)")
        }
    }

    @Test(arguments: ["contains(where:)", "allSatisfy", "tryFirst(where:)"])
    func `contains(where:), allSatisfy and tryFirst cancel upstream once their result is known`(of name: String) throws
    {
        let operation = try #require(OperatorCase.all.first { $0.name == name })
        let upstream = ManualPublisher<Int, any Error>()
        let tracker = TrackingSubscriber<Int, any Error>(initial: .max(1))
        operation.apply(upstream.hidden()).subscribe(tracker)
        #expect(upstream.requested == .unlimited)
        upstream.send(50)
        #expect(upstream.cancels == 1)
        #expect(tracker.events.last == .finished)
        #expect(tracker.values.count == 1)
    }

    @Test func `collect(n) delivers arrays of n values and a shorter last array`() {
        #expect(recorded(numbers.collect(2)).values == [[3, 1], [2, 1], [3]])
        #expect(recorded(numbers.collect(5)).values == [[3, 1, 2, 1, 3]])
        #expect(recorded(nothing.collect(2)).values == [])
    }

    @Test func `collect(3) requests three values from upstream for each requested array`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<[Int], Never>(initial: .max(2), more: .max(1))
        upstream.collect(3).subscribe(tracker)
        #expect(upstream.requests == [.max(6)])
        #expect([1, 2, 3].map { upstream.send($0) } == [.none, .none, .max(3)])
        upstream.send(4)
        upstream.send(completion: .finished)
        #expect(tracker.values == [[1, 2, 3], [4]])
        #expect(tracker.events.last == .finished)
    }

    @Test func `collect(3) keeps an incomplete last array until there is demand`() {
        let upstream = ManualPublisher<Int, Never>()
        let tracker = TrackingSubscriber<[Int], Never>(initial: .none)
        upstream.collect(3).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(tracker.events.count == 1)
        tracker.request(.max(1))
        #expect(tracker.events.suffix(2) == [.value([1]), .finished])
    }

    @Test func `An upstream failure discards the values that collect or last has gathered`() {
        let failing = Record<Int, Boom>(output: [1, 2], completion: .failure(Boom())).hidden()
        #expect(recorded(failing.collect(5)).values == [])
        #expect(recorded(failing.count()).end == .failure(Boom()))
        #expect(recorded(failing.last()).values == [])
    }
}
