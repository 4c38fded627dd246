import Basics
import HTTPTransport

/// An exchange (a request and its response) whose response is delivered when it is complete.
final class WholeExchange: Sendable {
    private struct State {
        /// The receiver, until the exchange is over.
        var then: PendingResponse.Receiver?
        var exchange: Exchange?
        /// The response, between its last byte and the end of the exchange.
        var reply: CallResponse?
    }

    private let call: Call
    private let progress: ProgressReporter?
    private let state: Locked<State>

    init(_ body: HTTPBody, of call: Call, then: @escaping PendingResponse.Receiver) {
        self.call = call
        progress = call.progressReporter(sending: body)
        state = Locked(State(then: then))
    }

    func start(_ request: ExchangeRequest) {
        let exchange = Exchange(request, on: call.session, for: .whole(self, counts: true))
        let isWanted = state.withLock { state in
            if state.then != nil { state.exchange = exchange }
            return state.then != nil
        }
        if isWanted { exchange.request(.unlimited) }
    }
}

extension WholeExchange: Cancellable {
    func cancel() {
        let last = take()
        last.exchange?.cancel()
        withExtendedLifetime(last) {}
    }

    /// Ends the exchange, and returns its last state, which is released outside the lock.
    private func take() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

extension WholeExchange: WholeReader {
    func receive(_ head: ResponseHead) { if state.withLock({ $0.then != nil }) { call.received(head) } }

    func receive(_ progress: ExchangeRequest.Progress) { call.count(progress, for: self.progress) }

    func receive(whole data: Data, after head: ResponseHead) {
        state.withLock { if $0.then != nil { $0.reply = CallResponse(head, data) } }
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        guard let progress, progress.isPending else { return end(completion.withInjectedError) }
        progress.flush { self.end(completion.withInjectedError) }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let last = take()
        if case .failure(let error) = completion { last.then?(.failure(error)); return }
        guard let reply = last.reply else { last.then?(.failure(RequestError.nonHTTPResponse)); return }
        last.then?(.success(AttemptResponse(whole: reply)))
    }
}
