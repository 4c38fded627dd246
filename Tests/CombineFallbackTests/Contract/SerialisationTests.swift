import Dispatch
import Basics
import PortableCombine
import TestTiers
import Testing

/// Rule 2: four threads at once, and calls into one subscriber never overlap.
@Suite(.tags(.concurrent), .limited) struct SerialisationTests {
    typealias Tracker = TrackingSubscriber<Int, any Error>

    @Test(arguments: OperatorCase.all)
    func `Values that four threads send through an operator arrive one at a time, in order per thread`(
        and operation: OperatorCase
    ) {
        let subject = Handed(PassthroughSubject<Int, any Error>())
        let tracker = Tracker(initial: .unlimited)
        operation.apply(subject.value.eraseToAnyPublisher()).subscribe(tracker)
        let count = load(500)
        onThreads(4) { thread in
            for number in 1...count { subject.value.send(thread * 1000 + number) }
        }
        subject.value.send(completion: .finished)
        #expect(tracker.overlaps == 0)
        #expect(tracker.endings == 1)
        guard !operation.gathers, !operation.asksForLess else { return }
        let values = tracker.values
        #expect(values.count == 4 * count)
        for thread in 0..<4 {
            let mine = values.filter { $0 / 1000 == thread }
            #expect(mine == mine.sorted(), "each thread's values stay in order")
        }
    }

    @Test func `A subject delivers no more values than requested when four threads send at once`() {
        let subject = Handed(PassthroughSubject<Int, Never>())
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(100))
        subject.value.subscribe(tracker)
        onThreads(4) { _ in
            for number in 1...500 { subject.value.send(number) }
        }
        #expect(tracker.values.count == 100)
        #expect(tracker.overlaps == 0)
    }

    @Test func `The flatMap operator delivers all values sent on four threads, without overlap, and then finishes`() {
        let subjects = Handed((0..<4).map { _ in PassthroughSubject<Int, Never>() })
        let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)
        subjects.value.publisher.flatMap { $0 }.subscribe(tracker)
        onThreads(4) { thread in
            for number in 1...500 { subjects.value[thread].send(thread * 1000 + number) }
            subjects.value[thread].send(completion: .finished)
        }
        #expect(tracker.overlaps == 0)
        #expect(tracker.values.count == 2000)
        #expect(tracker.events.last == .finished)
    }

    @Test(arguments: ["merge", "zip", "switchToLatest"])
    func `The operators merge, zip and switchToLatest deliver one value at a time when four threads send`(
        into name: String
    ) {
        let subjects = Handed((0..<4).map { _ in PassthroughSubject<Int, Never>() })
        let s = subjects.value
        let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)
        let outer = Handed(CurrentValueSubject<PassthroughSubject<Int, Never>, Never>(s[0]))
        switch name {
        case "merge": s[0].merge(with: s[1], s[2], s[3]).subscribe(tracker)
        case "zip": s[0].zip(s[1], s[2], s[3]) { min($0, $1, $2, $3) }.subscribe(tracker)
        default: outer.value.switchToLatest().subscribe(tracker)
        }
        onThreads(4) { thread in
            for number in 1...500 {
                subjects.value[thread].send(number)
                if name == "switchToLatest", number % 100 == 0 { outer.value.send(subjects.value[thread]) }
            }
            if name != "switchToLatest" { subjects.value[thread].send(completion: .finished) }
        }
        #expect(tracker.overlaps == 0)
        switch name {
        case "merge": #expect(tracker.values.sorted() == (1...500).flatMap { [$0, $0, $0, $0] })
        case "zip": #expect(tracker.values == Array(1...500))
        default: outer.value.send(completion: .finished)
        }
        if name != "switchToLatest" { #expect(tracker.events.last == .finished) }
        tracker.cancel()
    }

    @Test func `The last pair that combineLatest delivers has both latest values when two threads send at once`() {
        for _ in 0..<20 {
            let (left, right) = (Handed(PassthroughSubject<Int, Never>()), Handed(PassthroughSubject<Int, Never>()))
            let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)
            left.value.combineLatest(right.value) { $0 * 1000 + $1 }.subscribe(tracker)
            onThreads(2) { thread in
                for number in 1...200 { (thread == 0 ? left : right).value.send(number) }
            }
            #expect(tracker.overlaps == 0)
            #expect(tracker.values.last == 200_200)
            #expect(tracker.values == tracker.values.sorted())
        }
    }

    @Test func `receive(on:) keeps the order of values on a concurrent DispatchQueue`() async throws {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let tracker = TrackingSubscriber<Int, Never>(
            onValue: { _ in .max(1) },
            onEnd: { end.finish() }
        )
        (1...5000).publisher.receive(on: queue).subscribe(tracker)
        // Not from inside `receive(subscription:)`: what is asked for there may come on the queue before that returns.
        tracker.request(.max(10))
        for await _ in ended {}
        #expect(tracker.values == Array(1...5000))
        #expect(tracker.overlaps == 0)
        #expect(tracker.events.last == .finished)
    }

    @Test func `Four sinks that are canceled on four sending threads receive no value afterwards`() {
        for _ in 0..<50 {
            let subject = Handed(CurrentValueSubject<Int, Never>(0))
            let received = Locked(0)
            let cancellables = Handed(
                (0..<4).map { _ in subject.value.map { $0 }.sink { _ in received.withLock { $0 += 1 } } }
            )
            onThreads(4) { thread in
                for number in 1...50 { subject.value.send(number) }
                cancellables.value[thread].cancel()
            }
            let count = received.withLock { $0 }
            #expect((4...4 * 201).contains(count), "each gets the first value, and others until it is cancelled")
            subject.value.send(-1)
            #expect(received.withLock { $0 } == count)
        }
    }
}
