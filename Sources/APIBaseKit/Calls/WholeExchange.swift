import Basics
import HTTPTransport

/// One exchange whose reply is handed over when it is whole.
final class WholeExchange: Sendable {
    private struct State {
        /// Nil once the exchange is over.
        var then: PendingReply.Receiver?
        var exchange: ExchangeSubscription?
        var head: ResponseHead?
        var data = Data()
    }

    private let call: Call
    private let request: ExchangeRequest
    private let session: any HTTPSession
    private let progress: ProgressTarget?
    private let state: Locked<State>

    init(
        _ request: ExchangeRequest,
        of call: Call,
        on session: any HTTPSession,
        then: @escaping PendingReply.Receiver
    ) {
        self.request = request
        self.call = call
        self.session = session
        progress = call.progressTarget(sending: request.body)
        state = Locked(State(then: then))
    }
}

extension WholeExchange: Cancellable {
    /// Begins the exchange.
    func start() {
        let exchange = ExchangeSubscription(request, on: session, for: self)
        let isWanted = state.withLock { state in
            if state.then != nil { state.exchange = exchange }
            return state.then != nil
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
            defer { state = State() }
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
                if state.then != nil { state.head = head }
                return state.then != nil
            }
            if isWanted { call.received(head) }
        case .body(let data):
            let count = state.withLock { state -> (received: Int, expected: Int64?)? in
                guard state.then != nil else { return nil }
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
        switch completion {
        case .failure(let error): last.then?(.failure(error))
        case .finished:
            guard let head = last.head else { last.then?(.failure(RequestError.nonHTTPResponse)); return }
            last.then?(.success(AttemptReply(whole: CallReply(head, last.data))))
        }
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
