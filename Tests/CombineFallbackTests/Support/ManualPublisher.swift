import Basics
import PortableCombine

struct Boom: Error, Equatable {}

/// A publisher that does what the test says, right or wrong, and writes down what it is asked.
final class ManualPublisher<Output, Failure: Error>: Publisher, Sendable {
    struct State {
        var subscribers: [AnySubscriber<Output, Failure>] = []
        var requests: [Subscribers.Demand] = []
        var cancels = 0
    }

    let state = Locked(State())

    var requests: [Subscribers.Demand] { state.withLock { $0.requests } }
    var requested: Subscribers.Demand { requests.reduce(.none, +) }
    var cancels: Int { state.withLock { $0.cancels } }
    var subscriptions: Int { state.withLock { $0.subscribers.count } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        state.withLockUnchecked { $0.subscribers.append(subscriber) }
        subscriber.receive(subscription: Requests(publisher: self))
    }

    /// Sends `value` to the latest subscriber, whether it has asked or not.
    @discardableResult
    func send(_ value: Output) -> Subscribers.Demand { latest?.receive(value) ?? .none }

    func send(completion: Subscribers.Completion<Failure>) { latest?.receive(completion: completion) }

    func send(subscription: any Subscription) { latest?.receive(subscription: subscription) }

    /// Lets go of the subscribers, as a publisher does after its end.
    func release() {
        _ = state.withLock { state in
            defer { state.subscribers = [] }
            return state.subscribers
        }
    }

    private var latest: AnySubscriber<Output, Failure>? { state.withLock { $0.subscribers.last } }

    final class Requests: Subscription, CustomStringConvertible {
        let publisher: ManualPublisher
        let description = "Manual"

        init(publisher: ManualPublisher) { self.publisher = publisher }

        func request(_ demand: Subscribers.Demand) { publisher.state.withLock { $0.requests.append(demand) } }
        func cancel() { publisher.state.withLock { $0.cancels += 1 } }
    }
}

/// A subscription that counts how often it is cancelled.
final class Stray: Subscription, Sendable {
    let cancelled = Locked(0)
    var cancels: Int { cancelled.withLock { $0 } }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancelled.withLock { $0 += 1 } }
}
