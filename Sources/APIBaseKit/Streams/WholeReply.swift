import Basics
import HTTPTransport

/// Makes one value of each streamed reply: its whole body, and its head.
final class WholeReply: Sendable {
    typealias Downstream = AnySubscriber<AttemptReply, any Error>

    fileprivate struct State {
        var upstream: (any Subscription)?
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// Whether upstream has been asked for a reply that has not come.
        var isAsking = false
        /// The head of the reply whose body is being read; nil between replies.
        var head: ResponseHead?
        /// The number of that reply.
        var number = 0
        /// Whether a reply is being handed on.
        var isDelivering = false
        /// The body, where it does not come from the network as it is.
        var reading: AnyCancellable?
        var offer: BodyOffer?
        /// The completion of upstream; nil if it has not ended.
        var end: Subscribers.Completion<any Error>?
    }

    private let state: Locked<State>

    init(for downstream: Downstream) {
        state = Locked(State(downstream: downstream))
    }
}

/// Streamed replies as whole ones.
struct WholeReplies: Publisher {
    typealias Output = AttemptReply
    typealias Failure = any Error

    let replies: AnyPublisher<StreamedReply, any Error>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        replies.subscribe(WholeReply(for: AnySubscriber(subscriber)))
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
        remains.offer?.cancel(reading: self)
        withExtendedLifetime(remains) {}
    }

    private func take() -> State {
        state.withLock { state in
            let last = state
            state = State(number: last.number + 1)
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
        let number = state.withLock { state -> Int? in
            state.isAsking = false
            guard state.downstream != nil else { return nil }
            state.number += 1
            (state.head, state.offer) = (reply.head, reply.offer)
            return state.number
        }
        guard let number else { return .none }
        if let data = reply.data {
            receive(data, .finished)
            return .none
        }
        guard let offer = reply.offer else {
            read(reply.body, number)
            return .none
        }
        switch offer.take(by: .whole(self)) {
        case .ready:
            // A cancel may have come before the body was taken.
            let isWanted = state.withLock { $0.number == number && $0.head != nil }
            if isWanted { offer.request(.unlimited) } else { offer.cancel(reading: self) }
        case .ended(let completion): receive(Data(), completion)
        case .refused: receive(Data(), .failure(RequestError.bodyTaken))
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let downstream = state.withLock { state -> Downstream? in
            state.upstream = nil
            guard state.head == nil, !state.isDelivering else {
                state.end = completion
                return nil
            }
            return state.downstream.take()
        }
        downstream?.receive(completion: completion)
    }

    /// Reads a body that is not the network's.
    private func read(_ body: AnyPublisher<Data, any Error>, _ number: Int) {
        let reading = body.collect().sink { completion in
            if case .failure = completion { self.receive(Data(), completion) }
        } receiveValue: { chunks in
            self.receive(chunks.dropFirst().reduce(into: chunks.first ?? Data()) { $0.append($1) }, .finished)
        }
        state.withLock { state in
            // It may have come at once, and even the next reply may be here.
            if state.head != nil, state.number == number { state.reading = reading }
        }
    }

    /// The body has ended.
    func receive(_ data: Data, _ completion: Subscribers.Completion<any Error>) {
        let last = state.withLock { state in
            let last = state
            (state.head, state.reading, state.offer) = (nil, nil, nil)
            state.isDelivering = last.head != nil
            return last
        }
        guard let head = last.head, let downstream = last.downstream else { return }
        if case .failure = completion { return finish(completion) }
        let more = downstream.receive(AttemptReply(whole: CallReply(head, data)))
        let end = state.withLock { state in
            state.isDelivering = false
            state.demand += more
            return state.end
        }
        if let end { return finish(end) }
        state.withLock { $0.ask() }?.request(.max(1))
    }

    private func finish(_ completion: Subscribers.Completion<any Error>) {
        let last = take()
        last.upstream?.cancel()
        last.downstream?.receive(completion: completion)
    }
}

extension WholeReply.State {
    /// Takes the subscription to ask for the next reply; nil if none is wanted yet, or one has been asked for.
    fileprivate mutating func ask() -> (any Subscription)? {
        guard demand > .none, !isAsking, !isDelivering, head == nil, let upstream else { return nil }
        demand -= .max(1)
        isAsking = true
        return upstream
    }
}
