import APIBaseKit
import Basics
import Testing

@testable import APIBaseStreams

/// Publishers one after another, made on demand.
@Suite struct RepeatingPublisherTests {
    private struct Failed: Error {}

    /// Publishers of these values, and the numbers of those that have been made.
    private final class Table: Sendable {
        private let values: [[Int]]
        private let numbers = Locked<[Int]>([])

        init(_ values: [[Int]]) { self.values = values }

        var made: [Int] { numbers.withLock { $0 } }

        var publisher: RepeatingPublisher<Int> {
            RepeatingPublisher { number in
                self.numbers.withLock { $0.append(number) }
                guard number < self.values.count else { return nil }
                return self.values[number].publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
            }
        }
    }

    @Test func `RepeatingPublisher delivers one inner publisher after another and finishes when it gets nil`() {
        let table = Table([[1, 2], [], [3]])
        let outcome = outcome(of: table.publisher)
        #expect(outcome.values == [1, 2, 3] && outcome.isFinished)
        #expect(table.made == [0, 1, 2, 3])
    }

    @Test func `RepeatingPublisher makes its next inner publisher only when more values are requested`() {
        let table = Table([[1, 2], [3, 4], [5]])
        let taker = Taker(table.publisher)
        #expect(table.made == [])
        taker.take(1)
        #expect(taker.values == [1] && table.made == [0])
        taker.take(1)
        // The end of a publisher is no demand for another.
        #expect(taker.values == [1, 2] && table.made == [0])
        taker.take(3)
        #expect(taker.values == [1, 2, 3, 4, 5] && table.made == [0, 1, 2] && taker.completion == nil)
        taker.take(1)
        #expect(table.made == [0, 1, 2, 3])
        guard case .finished? = taker.completion else { return #expect(Bool(false), "not finished") }
    }

    @Test func `RepeatingPublisher fails when an inner publisher fails, and makes no further one`() {
        let made = Locked(0)
        let publishers = RepeatingPublisher<Int> { number in
            made.withLock { $0 += 1 }
            return number == 0 ? Empty().eraseToAnyPublisher() : Fail(error: Failed()).eraseToAnyPublisher()
        }
        let outcome = outcome(of: publishers)
        #expect(outcome.values == [] && outcome.failure is Failed && made.withLock { $0 } == 2)
    }

    @Test func `Canceling a RepeatingPublisher cancels its current inner publisher and makes no other`() {
        let (made, cancelled) = (Locked(0), Locked(0))
        let subject = PassthroughSubject<Int, any Error>()
        let publishers = RepeatingPublisher<Int> { _ in
            made.withLock { $0 += 1 }
            return subject.handleEvents(receiveCancel: { cancelled.withLock { $0 += 1 } }).eraseToAnyPublisher()
        }
        let taker = Taker(publishers)
        taker.take(2)
        subject.send(1)
        taker.cancel()
        subject.send(2)
        subject.send(completion: .finished)
        taker.take(1)
        #expect(taker.values == [1] && taker.completion == nil)
        #expect(cancelled.withLock { $0 } == 1 && made.withLock { $0 } == 1)
    }

    @Test func `RepeatingPublisher runs through 30,000 empty inner publishers without a stack overflow`() {
        let outcome = outcome(of: Table(Array(repeating: [], count: 30_000) + [[1]]).publisher)
        #expect(outcome.values == [1] && outcome.isFinished)
    }
}
