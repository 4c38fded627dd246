import PortableCombine
import Testing

@Suite struct SubjectTests {
    @Test func `A subject delivers a value to its subscribers in the order of subscription`() {
        let subject = PassthroughSubject<Int, Never>()
        var order: [Int] = []
        let cancellables = (0..<10).map { number in subject.sink { _ in order.append(number) } }
        subject.send(1)
        #expect(order == Array(0..<10))
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test func `A subject does not deliver a value to subscribers added or canceled during its delivery`() {
        let subject = PassthroughSubject<Int, Never>()
        var late: [Int] = []
        var gone: [Int] = []
        var cancellables: [AnyCancellable] = []
        var second: AnyCancellable?
        subject.sink { value in
            guard value == 1 else { return }
            second?.cancel()
            subject.sink { late.append($0) }.store(in: &cancellables)
        }
        .store(in: &cancellables)
        second = subject.sink { gone.append($0) }
        subject.send(1)
        #expect(gone == [])
        #expect(late == [])
        subject.send(2)
        #expect(late == [2])
    }

    @Test func `A PassthroughSubject drops a value for a subscriber without demand`() {
        let subject = PassthroughSubject<Int, Never>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        subject.subscribe(tracker)
        subject.send(1)
        subject.send(2)
        tracker.request(.max(1))
        subject.send(3)
        #expect(tracker.values == [1, 3])
    }

    @Test func `A CurrentValueSubject keeps its latest value until the subscriber has demand`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let tracker = TrackingSubscriber<Int, Never>(initial: .none)
        subject.subscribe(tracker)
        #expect(tracker.values == [])
        subject.send(2)
        tracker.request(.max(1))
        #expect(tracker.values == [2])
        tracker.request(.max(1))
        #expect(tracker.values == [2])
        subject.send(3)
        subject.value = 4
        subject.value = 5
        #expect(tracker.values == [2, 3])
        tracker.request(.max(1))
        #expect(tracker.values == [2, 3, 5])
        #expect(subject.value == 5)
    }

    @Test func `A CurrentValueSubject stores a value set after its completion but does not deliver it`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let tracker = TrackingSubscriber<Int, Never>(initial: .unlimited)
        subject.subscribe(tracker)
        subject.send(completion: .finished)
        subject.value = 42
        #expect(subject.value == 42)
        subject.send(43)
        #expect(subject.value == 42)
        #expect(tracker.values == [1])
    }

    @Test func `A subscription of a subject to a publisher does not keep the subject alive`() {
        weak var weakSubject: PassthroughSubject<Int, Never>?
        let upstream = ManualPublisher<Int, Never>()
        let connection: AnyCancellable
        do {
            let subject = PassthroughSubject<Int, Never>()
            weakSubject = subject
            connection = upstream.subscribe(subject)
        }
        #expect(weakSubject == nil)
        upstream.send(1)
        connection.cancel()
        #expect(upstream.cancels == 1)
    }

    @Test func `A late subscriber of a completed subject receives only the completion`() {
        let subject = CurrentValueSubject<Int, Boom>(1)
        subject.send(completion: .failure(Boom()))
        subject.send(2)
        subject.send(completion: .finished)
        let tracker = TrackingSubscriber<Int, Boom>(initial: .unlimited)
        subject.subscribe(tracker)
        #expect(tracker.events == [.subscription("Empty"), .failure("Boom()")])
        #expect(subject.value == 1)
    }

    @Test func `A subject subscribed to a publisher requests and passes on values once it has a subscriber`() {
        let upstream = ManualPublisher<Int, Never>()
        let subject = PassthroughSubject<Int, Never>()
        let feeding = upstream.subscribe(subject)
        #expect(upstream.requests == [])
        var values: [Int] = []
        let cancellable = subject.sink { values.append($0) }
        #expect(upstream.requests == [.unlimited])
        upstream.send(1)
        feeding.cancel()
        upstream.send(2)
        #expect(upstream.cancels == 1)
        #expect(values == [1])
        cancellable.cancel()
    }

    @Test func `A subscriber can subscribe to the same subject again while it receives a value`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var inner: [Int] = []
        let cancellable = subject.sink { value in
            _ = subject.first().sink { inner.append($0 * 10 + value) }
        }
        subject.send(2)
        #expect(inner == [11, 22])
        cancellable.cancel()
    }
}
