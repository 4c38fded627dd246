import Basics
import HTTPTransport

/// One exchange whose reply is handed over when it is whole.
final class WholeExchange: Sendable {
    typealias Downstream = AnySubscriber<AttemptReply, any Error>

    private struct State {
        /// Nil once the exchange is over.
        var downstream: Downstream?
        var exchange: ExchangeSubscription?
        var hasStarted = false
        var head: ResponseHead?
        var data = Data()
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
        let exchange = ExchangeSubscription(request, on: session, for: self)
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

extension WholeExchange: ExchangeReader {
    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        switch event {
        case .sent(let bytes, let expected): call.count(.sent(bytes, expected: expected), for: progress)
        case .head(let head):
            let isWanted = state.withLock { state in
                if state.downstream != nil { state.head = head }
                return state.downstream != nil
            }
            if isWanted { call.received(head) }
        case .body(let data):
            let count = state.withLock { state -> (received: Int, expected: Int64?)? in
                guard state.downstream != nil else { return nil }
                state.data.append(data, of: state.head?.expectedBytes)
                return (state.data.count, state.head?.expectedBytes)
            }
            if let count { call.count(.received(Int64(count.received), expected: count.expected), for: progress) }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        guard let progress, progress.isPending else { return end(completion.withInjectedError) }
        progress.settle { self.end(completion.withInjectedError) }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let last = take()
        guard let downstream = last.downstream else { return }
        guard case .finished = completion, let head = last.head else {
            return downstream.receive(completion: completion.orNoReply)
        }
        _ = downstream.receive(AttemptReply(whole: CallReply(head, last.data)))
        downstream.receive(completion: completion)
    }
}

extension Data {
    /// Bytes that are reserved on the word of `Content-Length` alone.
    private static var trustedBytes: Int64 { 1 << 20 }

    /// Appends a part of a body that is announced to have this length.
    fileprivate mutating func append(_ chunk: Data, of expected: Int64?) {
        guard isEmpty else { return append(chunk) }
        self = chunk
        if let expected, expected > Int64(chunk.count) { reserveCapacity(Int(Swift.min(expected, Self.trustedBytes))) }
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
