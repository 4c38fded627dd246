import Basics
import HTTPTransport

/// One exchange whose reply is handed over when it is whole.
final class WholeExchange: Sendable {
    typealias Downstream = AnySubscriber<AttemptReply, any Error>

    private struct State {
        /// Nil once the exchange is over.
        var downstream: Downstream?
        var exchange: Exchange?
        var hasStarted = false
        /// The reply, until its end has come.
        var reply: CallReply?
    }

    private let call: Call
    private let request: ExchangeRequest
    private let session: any HTTPSession
    private let progress: ProgressTarget?
    private let state: Locked<State>

    init(_ request: ExchangeRequest, of call: Call, on session: any HTTPSession, for downstream: Downstream) {
        self.request = request
        self.call = call
        self.session = session
        progress = call.progressTarget(sending: request.body)
        state = Locked(State(downstream: downstream))
    }
}

extension WholeExchange: Subscription {
    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted, state.downstream != nil else { return false }
            state.hasStarted = true
            return true
        }
        guard starts else { return }
        let exchange = Exchange(request, on: session, for: .whole(self, counts: true))
        let isWanted = state.withLock { state in
            if state.downstream != nil { state.exchange = exchange }
            return state.downstream != nil
        }
        if isWanted { exchange.request(.unlimited) }
    }

    func cancel() {
        let remains = take()
        remains.exchange?.cancel()
        withExtendedLifetime(remains) {}
    }

    /// Ends it, and returns what it leaves behind: to be released outside the lock.
    private func take() -> State {
        state.withLock { state in
            defer { state = State(hasStarted: true) }
            return state
        }
    }
}

extension WholeExchange: WholeReader {
    func receive(_ head: ResponseHead) { call.received(head) }

    func receive(_ progress: ExchangeProgress) { call.count(progress, for: self.progress) }

    func receive(whole data: Data, after head: ResponseHead) {
        state.withLock { if $0.downstream != nil { $0.reply = CallReply(head, data) } }
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        guard let progress, progress.isPending else { return end(completion.withInjectedError) }
        progress.settle { self.end(completion.withInjectedError) }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let last = take()
        guard let downstream = last.downstream else { return }
        guard case .finished = completion, let reply = last.reply else {
            return downstream.receive(completion: completion.orNoReply)
        }
        _ = downstream.receive(AttemptReply(whole: reply))
        downstream.receive(completion: completion)
    }
}

extension AnyPublisher where Output == StreamedReply, Failure == any Error {
    /// The replies with their whole bodies, where something of the user's stands around the exchange.
    var whole: AnyPublisher<AttemptReply, any Error> {
        flatMap(maxPublishers: .max(1)) { reply in
            reply.body.collect().map { chunks in
                let data = chunks.dropFirst().reduce(into: chunks.first ?? Data()) { $0.append($1) }
                return AttemptReply(whole: CallReply(reply.head, data))
            }
        }
        .eraseToAnyPublisher()
    }
}
