import Foundation
import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.limited) struct FutureTests {
    struct Failed: Error, Equatable {}

    @Test func `A Future runs its closure once and delivers the first result to each subscriber`() {
        let runs = Locked(0)
        let future = Future<Int, Failed> { promise in
            runs.withLock { $0 += 1 }
            promise(.success(7))
            promise(.success(8))
            promise(.failure(Failed()))
        }
        var received: [Int] = []
        var ends = 0
        for _ in 0..<3 {
            _ = future.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { received.append($0) })
        }
        #expect(runs.withLock { $0 } == 1)
        #expect(received == [7, 7, 7])
        #expect(ends == 3)
    }

    @Test func `A Future delivers its value and completion only when there is demand`() {
        let future = Future<Int, Never> { $0(.success(1)) }
        let subscriber = TrackingSubscriber<Int, Never>(initial: .none)
        future.subscribe(subscriber)
        #expect(subscriber.events == [.subscription("Future")])
        subscriber.request(.max(1))
        #expect(subscriber.events == [.subscription("Future"), .value(1), .finished])
    }

    @Test func `A Future delivers a result that arrives after the subscription`() {
        let promise = Locked<Future<Int, Failed>.Promise?>(nil)
        let future = Future<Int, Failed> { given in promise.withLock { $0 = given } }
        let eager = TrackingSubscriber<Int, Failed>(initial: .unlimited)
        let patient = TrackingSubscriber<Int, Failed>(initial: .none)
        future.subscribe(eager)
        future.subscribe(patient)
        promise.withLock { $0 }?(.success(3))
        #expect(eager.events == [.subscription("Future"), .value(3), .finished])
        #expect(patient.events == [.subscription("Future")])
        patient.request(.max(1))
        #expect(patient.events == [.subscription("Future"), .value(3), .finished])
    }

    @Test func `A Future delivers its failure without demand`() {
        let future = Future<Int, Failed> { $0(.failure(Failed())) }
        let subscriber = TrackingSubscriber<Int, Failed>(initial: .none)
        future.subscribe(subscriber)
        #expect(subscriber.events.last == .failure("Failed()"))
    }

    /// The shape of clients that wrap a data task in a future.
    @Test func `The promise of a Future can be called from an @Sendable completion handler`() async throws {
        func load(_ text: String, _ completion: @escaping @Sendable (Data) -> Void) {
            DispatchQueue.global().async { completion(Data(text.utf8)) }
        }
        func fetch<T: Decodable & Sendable>(_ type: T.Type, from text: String) -> Future<T, any Error> {
            Future { promise in
                load(text) { data in promise(Result { try JSONDecoder().decode(T.self, from: data) }) }
            }
        }
        #expect(try await fetch(Int.self, from: "5").value == 5)
        await #expect(throws: DecodingError.self) { try await fetch(Int.self, from: "x").value }
    }
}
