import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct SharingTests {
    typealias Tracker = TrackingSubscriber<Int, Boom>
    let upstream = ManualPublisher<Int, Boom>()

    @Test func `share() subscribes to upstream once and cancels it when the last subscriber cancels`() {
        let shared = upstream.share()
        let trackers = (0..<3).map { _ in Tracker(initial: .unlimited) }
        for tracker in trackers { shared.subscribe(tracker) }
        #expect(upstream.subscriptions == 1)
        #expect(upstream.requests == [.unlimited])
        upstream.send(1)
        trackers[0].cancel()
        trackers[0].cancel()
        trackers[1].cancel()
        #expect(upstream.cancels == 0)
        upstream.send(2)
        trackers[2].cancel()
        #expect(upstream.cancels == 1)
        #expect(trackers.map(\.values) == [[1], [1], [1, 2]])
        let next = Tracker(initial: .unlimited)
        shared.subscribe(next)
        #expect(upstream.subscriptions == 2)
        upstream.send(3)
        #expect(next.values == [3])
    }

    @Test func `The share() operator delivers the failure to a late subscriber without a new upstream subscription`() {
        let shared = upstream.share()
        let (first, second, late) = (
            Tracker(initial: .unlimited), Tracker(initial: .unlimited), Tracker(initial: .none)
        )
        shared.subscribe(first)
        shared.subscribe(second)
        upstream.send(completion: .failure(Boom()))
        first.cancel()
        second.cancel()
        shared.subscribe(late)
        #expect(late.events.last == .failure("Boom()"))
        #expect(upstream.subscriptions == 1)
        #expect(upstream.cancels == 0)
    }

    @Test func `The share() operator never subscribes to upstream if its subscriber cancels on subscription`() {
        upstream.share().subscribe(Tracker(onSubscription: { $0.cancel() }))
        #expect(upstream.subscriptions == 0)
    }

    @Test func `share() subscribes to upstream once when four threads subscribe at once`() {
        for _ in 0..<50 {
            let connections = Locked(0)
            let shared = Handed(
                PassthroughSubject<Int, Never>()
                    .handleEvents(receiveSubscription: { _ in connections.withLock { $0 += 1 } })
                    .share()
            )
            let kept = Locked<[AnyCancellable]>([])
            onThreads(4) { _ in
                let cancellable = shared.value.sink { _ in }
                kept.withLockUnchecked { $0.append(cancellable) }
            }
            #expect(connections.withLock { $0 } == 1)
        }
    }

    @Test func `share() cancels upstream after four threads have all subscribed and canceled`() {
        let open = Locked(0)
        let shared = Handed(
            PassthroughSubject<Int, Never>()
                .handleEvents(
                    receiveSubscription: { _ in open.withLock { $0 += 1 } },
                    receiveCancel: { open.withLock { $0 -= 1 } }
                )
                .share()
        )
        onThreads(4) { _ in
            for _ in 0..<200 { shared.value.sink { _ in }.cancel() }
        }
        #expect(open.withLock { $0 } == 0)
    }

    @Test func `A multicast publisher subscribes to upstream when connect() is called`() {
        var made = 0
        let multicast = upstream.multicast { () -> CurrentValueSubject<Int, Boom> in
            made += 1
            return CurrentValueSubject(0)
        }
        #expect(made == 0)
        let (first, second) = (Tracker(initial: .unlimited), Tracker(initial: .unlimited))
        multicast.subscribe(first)
        multicast.subscribe(second)
        #expect(first.events == [.subscription("Multicast"), .value(0)])
        #expect(upstream.subscriptions == 0)
        let connection = multicast.connect()
        #expect(upstream.subscriptions == 1)
        upstream.send(1)
        #expect(first.values == [0, 1])
        #expect(second.values == [0, 1])
        connection.cancel()
        #expect(upstream.cancels == 1)
        #expect(made == 1)
    }

    @Test func `multicast(subject:) forwards values and completion to the subject after connect()`() {
        let subject = PassthroughSubject<Int, Boom>()
        let tracker = Tracker(initial: .unlimited)
        subject.subscribe(tracker)
        let connection = upstream.multicast(subject: subject).connect()
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .finished)
        connection.cancel()
    }

    @Test func `makeConnectable() delivers nothing until connect() or autoconnect() is called`() {
        let connectable = [1, 2].publisher.makeConnectable()
        var values: [Int] = []
        let first = connectable.sink { values.append($0) }
        let second = connectable.sink { values.append($0 * 10) }
        #expect(values == [])
        let connection = connectable.connect()
        #expect(values == [1, 10, 2, 20])
        for cancellable in [first, second] { cancellable.cancel() }
        connection.cancel()
        values = []
        _ = [1, 2].publisher.makeConnectable().autoconnect().sink { values.append($0) }
        #expect(values == [1, 2])
    }

    @Test func `Two share() publishers are equal only if they are the same instance`() {
        let shared = upstream.share()
        #expect(shared == shared)
        #expect(shared != upstream.share())
    }
}
