import Basics
import PortableCombine
import Testing

/// Rule 9, for every operator.
@Suite struct LifetimeTests {
    enum Way: CaseIterable { case finish, fail, cancel }

    @Test(arguments: OperatorCase.all, Way.allCases)
    func `An operator releases its subscriber after the stream finishes, fails or is canceled`(
        by operation: OperatorCase,
        after way: Way
    ) {
        weak var weakTracker: TrackingSubscriber<Int, any Error>?
        let subject = PassthroughSubject<Int, any Error>()
        let publisher = operation.apply(subject.eraseToAnyPublisher())
        do {
            // The subscriber keeps its subscription: only the end can break that circle.
            let tracker = TrackingSubscriber<Int, any Error>(initial: .unlimited)
            weakTracker = tracker
            publisher.subscribe(tracker)
            subject.send(1)
            switch way {
            case .finish: subject.send(completion: .finished)
            case .fail: subject.send(completion: .failure(Boom()))
            case .cancel: tracker.cancel()
            }
        }
        #expect(weakTracker == nil)
    }

    @Test(arguments: OperatorCase.all, Way.allCases)
    func `A subscription keeps its subject alive until it finishes, fails or is canceled`(
        through operation: OperatorCase,
        until way: Way
    ) {
        weak var weakSubject: PassthroughSubject<Int, any Error>?
        let tracker = TrackingSubscriber<Int, any Error>(initial: .unlimited)
        do {
            let subject = PassthroughSubject<Int, any Error>()
            weakSubject = subject
            operation.apply(subject.eraseToAnyPublisher()).subscribe(tracker)
        }
        #expect(weakSubject != nil)
        switch way {
        case .finish: weakSubject?.send(completion: .finished)
        case .fail: weakSubject?.send(completion: .failure(Boom()))
        case .cancel: tracker.cancel()
        }
        #expect(weakSubject == nil)
    }

    @Test func `subscribe(on:) keeps a CurrentValueSubject alive until its value is delivered`() {
        var values: [Int] = []
        let scheduler = TestScheduler()
        let cancellable = CurrentValueSubject<Int, Never>(5).subscribe(on: scheduler).sink { values.append($0) }
        scheduler.advance()
        #expect(values == [5])
        cancellable.cancel()
    }

    /// The last subscriber goes while it is given what it was owed, and the subject with it.
    @Test func `A subject is deallocated when its last subscriber cancels during a delivery`() {
        weak var weakSubject: CurrentValueSubject<Int, Never>?
        let tracker = TrackingSubscriber<Int, Never>()
        do {
            let subject = CurrentValueSubject<Int, Never>(1)
            weakSubject = subject
            subject.subscribe(tracker)
        }
        tracker.state.withLock {
            $0.onValue = { [weak tracker] _ in
                tracker?.cancel()
                return .none
            }
        }
        #expect(weakSubject != nil)
        tracker.request(.max(1))
        #expect(tracker.values == [1])
        #expect(weakSubject == nil)
    }

    @Test func `A sink releases its value closure when its AnyCancellable is released`() {
        final class Token {}
        weak var weakToken: Token?
        let subject = PassthroughSubject<Int, Never>()
        do {
            let token = Token()
            weakToken = token
            let cancellable = subject.sink { _ in withExtendedLifetime(token) {} }
            withExtendedLifetime(cancellable) {
                subject.send(1)
                #expect(weakToken != nil)
            }
        }
        #expect(weakToken == nil)
    }

    @Test(arguments: [true, false])
    func `A Subscribers.Sink that is still referenced releases its closures when it finishes or is canceled`(
        atTheEnd: Bool
    ) {
        final class Token {}
        weak var weakToken: Token?
        let subject = PassthroughSubject<Int, Never>()
        let sink: Subscribers.Sink<Int, Never>
        do {
            let token = Token()
            weakToken = token
            sink = Subscribers.Sink(
                receiveCompletion: { _ in withExtendedLifetime(token) {} },
                receiveValue: { _ in withExtendedLifetime(token) {} }
            )
            subject.subscribe(sink)
        }
        sink.receiveValue(1)
        #expect(weakToken != nil)
        if atTheEnd { subject.send(completion: .finished) } else { sink.cancel() }
        #expect(weakToken == nil)
        sink.receiveValue(1)
        sink.receiveCompletion(.finished)
    }

    @Test func `A subject that is deallocated cancels its upstream subscription`() {
        let upstream = ManualPublisher<Int, Never>()
        do {
            let subject = CurrentValueSubject<Int, Never>(0)
            upstream.subscribe(AnySubscriber(subject))
            #expect(upstream.requested == .unlimited)
            upstream.release()
        }
        #expect(upstream.cancels == 1)
    }
}
