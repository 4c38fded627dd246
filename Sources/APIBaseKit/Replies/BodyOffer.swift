import Basics
import HTTPTransport

/// The body of a reply that nothing has subscribed to yet. It is cancelled with the last reference.
final class BodyOffer: Sendable {
    private let stream: any BodySource

    init(of stream: any BodySource) {
        self.stream = stream
    }

    deinit { stream.abandon() }

    /// The body, for one subscriber.
    var body: AnyPublisher<Data, any Error> {
        ColdPublisher { BodySubscription(self, for: $0) }.eraseToAnyPublisher()
    }

    /// Hands the body over.
    func take(by reader: BodySubscription) -> BodyTaking { stream.take(by: reader) }

    func request(_ demand: Subscribers.Demand) { stream.requestBody(demand) }

    /// The reader has lost interest.
    func cancel(reading reader: BodySubscription) { stream.cancelBody(readBy: reader) }
}

/// An exchange that has handed out the head of its reply, and has the body for one reader.
protocol BodySource: AnyObject, Sendable {
    func take(by reader: BodySubscription) -> BodyTaking
    func requestBody(_ demand: Subscribers.Demand)
    func cancelBody(readBy reader: BodySubscription)

    /// Nothing will take the body any more.
    func abandon()
}

/// The result of an attempt to take the body of a reply.
enum BodyTaking {
    /// It is there, and comes when it is asked for.
    case ready
    /// Nothing of it will come but this end.
    case ended(Subscribers.Completion<any Error>)
    /// Something else has taken it.
    case refused
}

/// One subscription to the body of a reply.
final class BodySubscription: Subscription, Sendable {
    private enum State {
        case idle(AnySubscriber<Data, any Error>)
        /// The body is being taken; meanwhile so much is asked for.
        case taking(AnySubscriber<Data, any Error>, Subscribers.Demand)
        case reading(AnySubscriber<Data, any Error>)
        case over
    }

    private let offer: BodyOffer
    private let state: Locked<State>

    init(_ offer: BodyOffer, for downstream: AnySubscriber<Data, any Error>) {
        self.offer = offer
        state = Locked(.idle(downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let (begins, passes) = state.withLock { state in
            switch state {
            case .idle(let downstream):
                state = .taking(downstream, demand)
                return (true, false)
            case .taking(let downstream, let before):
                state = .taking(downstream, before + demand)
                return (false, false)
            case .reading: return (false, true)
            case .over: return (false, false)
            }
        }
        if passes { offer.request(demand) }
        guard begins else { return }
        switch offer.take(by: self) {
        case .ready: beginReading()
        case .ended(let completion): receive(completion: completion)
        case .refused: receive(completion: .failure(RequestError.bodyTaken))
        }
    }

    private func beginReading() {
        let demand = state.withLock { state -> Subscribers.Demand? in
            guard case .taking(let downstream, let demand) = state else { return nil }
            state = .reading(downstream)
            return demand
        }
        if let demand { offer.request(demand) } else { offer.cancel(reading: self) }
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .reading = last { offer.cancel(reading: self) }
    }

    func receive(_ data: Data) -> Subscribers.Demand {
        guard case .reading(let downstream) = state.withLock({ $0 }) else { return .none }
        return downstream.receive(data)
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        switch last {
        case .reading(let downstream), .taking(let downstream, _): downstream.receive(completion: completion)
        case .idle, .over: break
        }
    }
}
