import Basics
import HTTPTransport

/// The body of a response without a subscriber yet. Releasing the last reference cancels it.
final class UnclaimedBody: Sendable {
    private let source: any BodySource

    init(of source: any BodySource) { self.source = source }

    deinit { source.abandon() }

    /// The body, for one subscriber.
    var body: AnyPublisher<Data, any Error> {
        ColdPublisher { BodySubscription(self, for: $0) }.eraseToAnyPublisher()
    }

    func claim(for reader: BodySubscription) -> BodyClaim { source.claim(for: reader) }
    func request(_ demand: Subscribers.Demand) { source.requestBody(demand) }
    func cancel(reading reader: BodySubscription) { source.cancelBody(readBy: reader) }
}

/// A response whose head has been delivered, and whose body is delivered to one reader.
protocol BodySource: AnyObject, Sendable {
    func claim(for reader: BodySubscription) -> BodyClaim
    func requestBody(_ demand: Subscribers.Demand)
    func cancelBody(readBy reader: BodySubscription)

    /// Cancels a response whose body no one can claim any more.
    func abandon()
}

/// The result of claiming the body of a response.
enum BodyClaim {
    /// The body arrives on demand.
    case ready
    /// The body is empty or has failed.
    case ended(Subscribers.Completion<any Error>)
    /// Another reader has claimed it.
    case refused
}

/// One subscription to the body of a response.
final class BodySubscription: Subscription, Sendable {
    private enum State {
        case idle(AnySubscriber<Data, any Error>)
        /// The body is being claimed. The demand is requested afterwards.
        case claiming(AnySubscriber<Data, any Error>, Subscribers.Demand)
        case reading(AnySubscriber<Data, any Error>)
        case over
    }

    private let unclaimed: UnclaimedBody
    private let state: Locked<State>

    init(_ unclaimed: UnclaimedBody, for downstream: AnySubscriber<Data, any Error>) {
        self.unclaimed = unclaimed
        state = Locked(uncheckedState: .idle(downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let (begins, passes) = state.withLock { state in
            switch state {
            case .idle(let downstream):
                state = .claiming(downstream, demand)
                return (true, false)
            case .claiming(let downstream, let before):
                state = .claiming(downstream, before + demand)
                return (false, false)
            case .reading: return (false, true)
            case .over: return (false, false)
            }
        }
        if passes { unclaimed.request(demand) }
        guard begins else { return }
        switch unclaimed.claim(for: self) {
        case .ready: beginReading()
        case .ended(let completion): receive(completion: completion)
        case .refused: receive(completion: .failure(RequestError.bodyAlreadyConsumed))
        }
    }

    private func beginReading() {
        let demand = state.withLock { state -> Subscribers.Demand? in
            guard case .claiming(let downstream, let demand) = state else { return nil }
            state = .reading(downstream)
            return demand
        }
        if let demand { unclaimed.request(demand) } else { unclaimed.cancel(reading: self) }
    }

    func cancel() {
        if case .reading = end() { unclaimed.cancel(reading: self) }
    }

    func receive(_ data: Data) -> Subscribers.Demand {
        guard case .reading(let downstream) = state.withLock({ $0 }) else { return .none }
        return downstream.receive(data)
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch end() {
        case .reading(let downstream), .claiming(let downstream, _): downstream.receive(completion: completion)
        case .idle, .over: break
        }
    }

    /// Ends the subscription, and returns its last state, which is released outside the lock.
    private func end() -> State {
        state.withLock { state in
            defer { state = .over }
            return state
        }
    }
}
