import PortableCombine
import TestTiers
import Testing

/// Rule 3, for every operator.
@Suite(.limited) struct DemandContractTests {
    typealias Tracker = TrackingSubscriber<Int, any Error>

    static func numbers(_ count: Int) -> OperatorCase.Stream {
        (1...count).publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }

    @Test(arguments: OperatorCase.streaming)
    func `A Combine operator delivers no more values than requested, and requests add up`(of operation: OperatorCase) {
        let tracker = Tracker(initial: .none)
        operation.apply(Self.numbers(100)).subscribe(tracker)
        #expect(tracker.values == [])
        // One side of combineLatest spends nothing before the other has a value.
        tracker.request(.max(2))
        let first = tracker.values
        #expect(first.count <= 2)
        if operation.name != "combineLatest" { #expect(first == [1, 2]) }
        tracker.request(.max(3))
        #expect(tracker.values.count <= 5)
        if operation.name != "combineLatest" { #expect(tracker.values == [1, 2, 3, 4, 5]) }
        #expect(tracker.endings == 0)
    }

    @Test(arguments: OperatorCase.streaming)
    func `A Combine operator delivers as many more values as the subscriber's receive(_:) returns`(
        of operation: OperatorCase
    ) {
        var wanted = 3
        let tracker = Tracker(
            onSubscription: { $0.request(.max(1)) },
            onValue: { _ in
                wanted -= 1
                return wanted > 0 ? .max(1) : .none
            }
        )
        operation.apply(Self.numbers(100)).subscribe(tracker)
        #expect(tracker.values.count == 3)
    }

    /// Or else a publisher that delivers under a lock of its own would be asked for more while it holds that.
    @Test(arguments: OperatorCase.streaming.filter { !$0.asksOfItself })
    func `A Combine operator returns the demand of its subscriber's receive(_:) to upstream`(by operation: OperatorCase)
    {
        let upstream = ManualPublisher<Int, any Error>()
        let tracker = Tracker(initial: .max(1), more: .max(1))
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        let requests = upstream.requests
        for number in 1...3 { #expect(upstream.send(number) == .max(1)) }
        #expect(tracker.values == [1, 2, 3])
        #expect(upstream.requests == requests)
    }

    @Test(arguments: OperatorCase.all)
    func `Requesting zero values from a Combine operator delivers nothing and requests nothing upstream`(
        of operation: OperatorCase
    ) {
        let upstream = ManualPublisher<Int, any Error>()
        let tracker = Tracker(onSubscription: { $0.request(.none) }, onValue: { _ in .none })
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        let requested = upstream.requested
        tracker.request(.none)
        #expect(upstream.requested == requested)
        #expect(tracker.values == [])
    }

    @Test func `Requesting zero values from Just or a PassthroughSubject ends the process`() async {
        await #expect(processExitsWith: .failure) { Just(1).subscribe(TrackingSubscriber { $0.request(.none) }) }
        await #expect(processExitsWith: .failure) {
            PassthroughSubject<Int, Never>().subscribe(TrackingSubscriber { $0.request(.none) })
        }
    }

    @Test func `A Record delivers nothing for a request of zero values, and its values on a later request`() {
        let tracker = TrackingSubscriber<Int, Never>(onSubscription: { $0.request(.none) }, onValue: { _ in .none })
        Record<Int, Never>(output: [1, 2], completion: .finished).subscribe(tracker)
        #expect(tracker.values == [])
        tracker.request(.unlimited)
        #expect(tracker.values == [1, 2])
    }

    /// A `filter` downstream returns demand for what it skips, whatever has been asked for.
    @Test(arguments: OperatorCase.all.filter { $0.name != "flatMap one by one" })
    func `Demand that receive(_:) returns after an unlimited request causes no further upstream request`(
        through operation: OperatorCase
    ) {
        let upstream = ManualPublisher<Int, any Error>()
        let tracker = Tracker(initial: .unlimited, more: .max(1))
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        let requests = upstream.requests
        for number in 1...3 { upstream.send(number) }
        #expect(upstream.requests == requests)
    }

    @Test(arguments: OperatorCase.all)
    func `A Combine operator delivers all its values and finishes when demand is unlimited`(of operation: OperatorCase)
    {
        let tracker = Tracker(initial: .unlimited)
        operation.apply(Self.numbers(100)).subscribe(tracker)
        #expect(tracker.events.last == .finished)
        switch operation.name {
        case "first", "first(where:)": #expect(tracker.values == [1])
        case "last", "collect", "collect by time": #expect(tracker.values == [100])
        // The other side speaks after the first has said everything.
        case "combineLatest": #expect(tracker.values == [100])
        default: #expect(tracker.values == operation.result ?? Array(1...100))
        }
    }

    @Test(arguments: ["first", "first(where:)", "last", "collect"])
    func `The operators first, last and collect deliver their value only on demand, before the completion`(
        of name: String
    ) throws {
        let operation = try #require(OperatorCase.all.first { $0.name == name })
        let tracker = Tracker(initial: .none)
        operation.apply(Self.numbers(10)).subscribe(tracker)
        #expect(tracker.events.count == 1)
        tracker.request(.max(1))
        #expect(tracker.values.count == 1)
        #expect(tracker.events.count == 3)
        #expect(tracker.events.last == .finished)
    }

    @Test(arguments: OperatorCase.reducing)
    func `A reducing Combine operator delivers its result only on demand, before the completion`(
        of operation: OperatorCase
    ) {
        let tracker = Tracker(initial: .none)
        operation.apply(Self.numbers(100)).subscribe(tracker)
        // Without a result there is nothing to wait for.
        #expect(tracker.events.count == (operation.result == [] ? 2 : 1))
        tracker.request(.max(1))
        #expect(tracker.values == operation.result)
        #expect(tracker.events.last == .finished)
        #expect(tracker.endings == 1)
    }

    @Test(arguments: ["compactMap", "filter", "tryCompactMap", "tryFilter", "drop(while:)", "tryDrop(while:)"])
    func `A Combine operator that drops a value, such as filter, returns demand for one more to upstream`(
        of name: String
    ) throws {
        let operation = try #require(OperatorCase.all.first { $0.name == name })
        let upstream = ManualPublisher<Int, any Error>()
        let tracker = Tracker(initial: .max(1))
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        #expect(upstream.send(-1) == .max(1))
        #expect(upstream.send(1) == .none)
        #expect(tracker.values == [1])
    }
}
