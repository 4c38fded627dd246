import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct AsyncPublisherTests {
    @Test func `A for-await loop over a publisher's values receives all values in order`() async {
        var values: [Int] = []
        for await value in (1...5).publisher.values { values.append(value) }
        #expect(values == [1, 2, 3, 4, 5])
    }

    @Test func `An iterator over a publisher's values keeps a value that is sent before next() is called`() async {
        let subject = CurrentValueSubject<Int, Never>(0)
        var iterator = subject.dropFirst().values.makeAsyncIterator()
        subject.send(1)
        #expect(await iterator.next() == 1)
    }

    @Test func `Waiting next() calls return when a broken publisher sends a value without a subscription`() async {
        let publisher = Hasty()
        let iterator = Handed(publisher.values.makeAsyncIterator())
        let waiting = (0..<2).map { _ in
            Task {
                var copy = iterator.value
                return await copy.next()
            }
        }
        publisher.deliver()
        var values: [Int] = []
        for task in waiting { if let value = await task.value { values.append(value) } }
        #expect(values == [] || values == [1])
    }

    @Test
    func `A for-await loop over a publisher receives the values before a failure, then throws the failure`() async {
        let publisher = [1, 2].publisher.tryMap { number -> Int in
            if number == 2 { throw Boom() }
            return number
        }
        var values: [Int] = []
        await #expect(throws: Boom.self) {
            for try await value in publisher.values { values.append(value) }
        }
        #expect(values == [1])
    }

    @Test
    func `A publisher's failure before next() is thrown by the first next(), and the second returns nil`() async throws
    {
        let subject = PassthroughSubject<Int, Boom>()
        var iterator = subject.values.makeAsyncIterator()
        subject.send(completion: .failure(Boom()))
        await #expect(throws: Boom.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `An iterator over the values of a Future returns its value and then nil`() async throws {
        let future = Future<Int, Boom> { $0(.success(3)) }
        var iterator = future.values.makeAsyncIterator()
        #expect(try await iterator.next() == 3)
        #expect(try await iterator.next() == nil)
    }

    @Test func `Future.value returns the value of a fulfilled Future or throws its failure`() async throws {
        #expect(await Future<Int, Never> { $0(.success(3)) }.value == 3)
        #expect(try await Future<Int, Boom> { $0(.success(4)) }.value == 4)
        await #expect(throws: Boom.self) { try await Future<Int, Boom> { $0(.failure(Boom())) }.value }
    }

    @Test func `Future.value waits for the value even in a canceled task if the Future cannot fail`() async throws {
        let promise = Locked<Future<Int, Never>.Promise?>(nil)
        let future = Handed(Future<Int, Never> { given in promise.withLock { $0 = given } })
        let task = Task { await future.value.value }
        task.cancel()
        promise.withLock { $0 }?(.success(5))
        #expect(await task.value == 5)
    }

    @Test func `Future.value throws CancellationError in a canceled task if the Future can fail`() async {
        let future = Handed(Future<Int, Boom> { _ in })
        let task = Task { try await future.value.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Breaking out of a for-await loop over a publisher cancels the upstream subscription`() async {
        let upstream = ManualPublisher<Int, Never>()
        let asked = PassthroughSubject<Void, Never>()
        let answering = asked.sink { upstream.send(1) }
        for await value in upstream.handleEvents(receiveRequest: { _ in asked.send() }).values {
            #expect(value == 1)
            break
        }
        #expect(upstream.cancels == 1)
        answering.cancel()
    }

    @Test
    func `Canceling a task ends its for-await loop over a publisher and cancels the upstream subscription`() async {
        let upstream = ManualPublisher<Int, Never>()
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in upstream.handleEvents(receiveRequest: { _ in ask.yield() }).values {}
        }
        for await _ in asked { break }
        task.cancel()
        await task.value
        #expect(upstream.cancels == 1)
    }

    @MainActor @Test func `A for-await loop over a publisher on the main actor receives all values in order`() async {
        var values: [String] = []
        for await value in ["a", "b"].publisher.values { values.append(value) }
        #expect(values == ["a", "b"])
    }
}

/// Delivers values without having sent a subscription.
private final class Hasty: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Never

    private let subscriber = Locked<AnySubscriber<Int, Never>?>(nil)

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber.withLockUnchecked { $0 = AnySubscriber(subscriber) }
    }

    func deliver() { _ = subscriber.withLock { $0 }?.receive(1) }
}
