import Basics
import HTTPTransport

/// Makes one value of each streamed reply: its whole body, and its head.
final class WholeReply: Sendable {
    typealias Downstream = any Subscriber<APIBase.DataResponseTuple, any Error>

    fileprivate struct State {
        var upstream: (any Subscription)?
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// Whether upstream has been asked for a reply that has not come.
        var isAsking = false
        /// Whose body is being read; nil between replies.
        var response: HTTPURLResponse?
        /// The body, where it does not come from the network as it is.
        var reading: AnyCancellable?
        var offer: BodyOffer?
        /// How what replies has ended.
        var end: Subscribers.Completion<any Error>?
    }

    private let state: Locked<State>

    init(for downstream: Downstream) {
        state = Locked(State(downstream: downstream))
    }
}

/// Streamed replies as whole ones.
struct WholeReplies: Publisher {
    typealias Output = APIBase.DataResponseTuple
    typealias Failure = any Error

    let replies: AnyPublisher<StreamedReply, any Error>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        replies.subscribe(WholeReply(for: subscriber))
    }
}

extension WholeReply: Subscription {
    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.demand += demand
            return state.ask()
        }?.request(.max(1))
    }

    func cancel() {
        let remains = take()
        remains.upstream?.cancel()
        remains.reading?.cancel()
        remains.offer?.cancel()
        withExtendedLifetime(remains) {}
    }

    private func take() -> State {
        state.withLock { state in
            let last = state
            state = State()
            return last
        }
    }
}

extension WholeReply: Subscriber {
    typealias Input = StreamedReply
    typealias Failure = any Error

    func receive(subscription: any Subscription) {
        let downstream = state.withLock { state in
            state.upstream = subscription
            return state.downstream
        }
        downstream?.receive(subscription: self)
    }

    func receive(_ reply: StreamedReply) -> Subscribers.Demand {
        let isWanted = state.withLock { state in
            state.isAsking = false
            guard state.downstream != nil else { return false }
            (state.response, state.offer) = (reply.response, reply.offer)
            return true
        }
        guard isWanted else { return .none }
        guard let offer = reply.offer else {
            read(reply.body)
            return .none
        }
        switch offer.take(by: .whole(self)) {
        case .ready: offer.request(.unlimited)
        case .ended(let completion): receive(Data(), completion)
        case .refused: receive(Data(), .failure(RequestError.bodyTaken))
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let downstream = state.withLock { state -> Downstream? in
            state.upstream = nil
            guard state.response == nil else {
                state.end = completion
                return nil
            }
            return state.downstream.take()
        }
        downstream?.receive(completion: completion)
    }

    /// Reads a body that is not the network's.
    private func read(_ body: AnyPublisher<Data, any Error>) {
        let reading = body.collect().sink { completion in
            if case .failure = completion { self.receive(Data(), completion) }
        } receiveValue: { chunks in
            self.receive(Data(chunks.joined()), .finished)
        }
        state.withLock { state in
            if state.response != nil { state.reading = reading }
        }
    }

    /// The body has ended.
    func receive(_ data: Data, _ completion: Subscribers.Completion<any Error>) {
        let (response, downstream, end) = state.withLock { state in
            defer { (state.response, state.reading, state.offer) = (nil, nil, nil) }
            return (state.response, state.downstream, state.end)
        }
        guard let response, let downstream else { return }
        if case .failure = completion { return finish(completion) }
        let more = downstream.receive((data, response))
        if let end { return finish(end) }
        state.withLock { state in
            state.demand += more
            return state.ask()
        }?.request(.max(1))
    }

    private func finish(_ completion: Subscribers.Completion<any Error>) {
        let last = take()
        last.upstream?.cancel()
        last.downstream?.receive(completion: completion)
    }
}

extension WholeReply.State {
    /// What to ask for the next reply; nil if it is not wanted yet, or has been asked for.
    fileprivate mutating func ask() -> (any Subscription)? {
        guard demand > .none, !isAsking, response == nil, let upstream else { return nil }
        demand -= .max(1)
        isAsking = true
        return upstream
    }
}
