import PortableCombine
import Testing

/// Rules 1, 4, 5 and 13, for every operator.
@Suite struct LifecycleTests {
    typealias Upstream = ManualPublisher<Int, any Error>
    typealias Tracker = TrackingSubscriber<Int, any Error>

    @Test(arguments: OperatorCase.all)
    func `A subscriber of a Combine operator gets one subscription first and exactly one completion last`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        let tracker = Tracker(initial: .unlimited)
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        upstream.send(1)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(tracker.events.first == .subscription(operation.describes ?? "Manual"))
        let subscriptions = tracker.events.filter { if case .subscription = $0 { true } else { false } }
        #expect(subscriptions.count == 1)
        #expect(tracker.events.last == .finished)
        #expect(tracker.endings == 1)
        if !operation.gathers { #expect(tracker.values == [1, 2]) }
    }

    @Test(arguments: OperatorCase.own)
    func `A Combine operator delivers nothing after its completion even if upstream sends more`(
        of operation: OperatorCase
    ) {
        for completion in [Subscribers.Completion<any Error>.finished, .failure(Boom())] {
            let upstream = Upstream()
            let tracker = Tracker(initial: .unlimited)
            operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
            upstream.send(completion: completion)
            let events = tracker.events
            upstream.send(3)
            upstream.send(completion: .finished)
            upstream.send(completion: .failure(Boom()))
            #expect(tracker.events == events)
            #expect(tracker.endings == 1)
        }
    }

    @Test(arguments: OperatorCase.own)
    func `A Combine operator cancels a second upstream subscription and keeps the first`(of operation: OperatorCase) {
        let upstream = Upstream()
        let tracker = Tracker(initial: .max(1))
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        let stray = Stray()
        upstream.send(subscription: stray)
        #expect(stray.cancels == 1)
        #expect(upstream.cancels == 0)
        #expect(tracker.events.count == 1)
    }

    /// combineLatest waits for its other side, which waits to be asked.
    @Test(arguments: OperatorCase.streaming.filter { $0.name != "combineLatest" })
    func `A Combine operator completes after an empty upstream without demand, except replaceEmpty`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        let tracker = Tracker(initial: .none)
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        upstream.send(completion: .finished)
        if operation.describes == "ReplaceEmpty" {
            #expect(tracker.endings == 0)
            tracker.request(.max(1))
            #expect(tracker.values == [-1])
        }
        #expect(tracker.events.last == .finished)
    }

    @Test(arguments: OperatorCase.all)
    func `A Combine operator delivers an upstream failure and does not cancel upstream after it`(
        of operation: OperatorCase
    ) {
        let upstream = Upstream()
        let tracker = Tracker(initial: .unlimited)
        operation.apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
        upstream.send(completion: .failure(Boom()))
        let isReplaced = operation.describes == "ReplaceError"
        #expect(tracker.events.last == (isReplaced ? .finished : .failure("Boom()")))
        #expect(upstream.cancels == 0)
    }

    @Test func `An operator that ends before its upstream first cancels it, then delivers the completion`() {
        let stages: [(String, @Sendable (OperatorCase.Stream) -> OperatorCase.Stream)] = [
            ("tryMap", { $0.tryMap { _ in throw Boom() }.eraseToAnyPublisher() }),
            ("tryFilter", { $0.tryFilter { _ in throw Boom() }.eraseToAnyPublisher() }),
            ("tryCompactMap", { $0.tryCompactMap { _ -> Int? in throw Boom() }.eraseToAnyPublisher() }),
            ("tryScan", { $0.tryScan(0) { _, _ in throw Boom() }.eraseToAnyPublisher() }),
            ("first", { $0.first().eraseToAnyPublisher() }),
            ("first(where:)", { $0.first { _ in true }.eraseToAnyPublisher() }),
            ("flatMap", { $0.flatMap { _ in Fail<Int, any Error>(error: Boom()) }.eraseToAnyPublisher() }),
            (
                "combineLatest",
                { $0.combineLatest(Fail<Int, any Error>(error: Boom())) { a, _ in a }.eraseToAnyPublisher() }
            ),
        ]
        for (name, apply) in stages {
            let upstream = Upstream()
            var cancelsAtTheEnd = -1
            let tracker = Tracker(
                onSubscription: { $0.request(.unlimited) },
                onEnd: { cancelsAtTheEnd = upstream.cancels }
            )
            apply(upstream.eraseToAnyPublisher()).subscribe(tracker)
            upstream.send(1)
            upstream.send(2)
            #expect(tracker.endings == 1, "\(name)")
            #expect(cancelsAtTheEnd == 1, "\(name)")
            #expect(upstream.cancels == 1, "\(name)")
        }
    }
}
