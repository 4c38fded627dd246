import Basics
import HostileServer
import PortableCombine

/// A subscriber that asks for as many values as it is told to.
final class DemandingSubscriber<Input: Sendable>: Subscriber, Sendable {
    private struct State {
        var subscription: (any Subscription)?
        var values: [Input] = []
        var waiting: (count: Int, reached: Later<Void>)?
    }

    private let state = Locked(uncheckedState: State())
    private let first: Int

    /// The error at the end as a text; nil for the proper end.
    let end = Later<String?>()

    init(first: Int) { self.first = first }

    var values: [Input] { state.withLock { $0.values } }

    func request(_ demand: Subscribers.Demand) { state.withLockUnchecked { $0.subscription }?.request(demand) }

    func cancel() { state.withLockUnchecked { $0.subscription }?.cancel() }

    func wait(for count: Int) async throws {
        let reached = Later<Void>()
        let isReached = state.withLock { state in
            state.waiting = (count, reached)
            return state.values.count >= count
        }
        if isReached { reached.set() }
        try await reached.value()
    }

    func receive(subscription: any Subscription) {
        state.withLockUnchecked { $0.subscription = subscription }
        subscription.request(.max(first))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let reached = state.withLock { state in
            state.values.append(input)
            return state.waiting.flatMap { $0.count <= state.values.count ? $0.reached : nil }
        }
        reached?.set()
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch completion {
        case .finished: end.set(nil)
        case .failure(let error): end.set("\(error)")
        }
    }
}
