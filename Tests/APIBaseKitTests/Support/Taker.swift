import APIBaseKit
import Basics
import HostileServer

/// A subscriber that takes as many values as it is told.
final class Taker<Output>: Subscriber, Sendable {
    typealias Input = Output
    typealias Failure = any Error

    private struct State {
        var values: [Output] = []
        var completion: Subscribers.Completion<any Error>?
        var subscription: (any Subscription)?
    }

    private let state = Locked(State())

    init(_ publisher: some Publisher<Output, any Error>) { publisher.subscribe(self) }

    var values: [Output] { state.withLock { $0.values } }
    var completion: Subscribers.Completion<any Error>? { state.withLock { $0.completion } }

    func take(_ count: Int) { state.withLock { $0.subscription }?.request(.max(count)) }

    /// Takes so many, and waits until they have come, or the end.
    func values(_ count: Int) async throws -> [Output] {
        let goal = values.count + count
        take(count)
        _ = try await holds { self.values.count >= goal || self.completion != nil }
        return values
    }

    func cancel() { state.withLock { $0.subscription }?.cancel() }

    func receive(subscription: any Subscription) { state.withLockUnchecked { $0.subscription = subscription } }
    func receive(completion: Subscribers.Completion<any Error>) { state.withLock { $0.completion = completion } }

    func receive(_ input: Output) -> Subscribers.Demand {
        state.withLockUnchecked { $0.values.append(input) }
        return .none
    }
}
