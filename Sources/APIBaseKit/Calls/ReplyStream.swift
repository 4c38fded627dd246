import Basics
import HTTPTransport

/// One exchange whose reply is handed out as soon as its head is there. The body follows by demand, to one reader.
final class ReplyStream: Sendable {
    typealias HeadReader = AnySubscriber<StreamedReply, any Error>

    fileprivate enum Body {
        /// There is no head yet.
        case awaited
        /// Nothing has taken the body yet. It may have ended, as an empty one does.
        case offered(end: Subscribers.Completion<any Error>?)
        case read(by: BodySubscription)
        case over
    }

    fileprivate struct State {
        var headReader: HeadReader?
        var hasStarted = false
        var upstream: Exchange?
        var head: ResponseHead?
        var body = Body.awaited
        /// The completion of the exchange, if its head is still to be handed out; `nil` otherwise.
        var earlyEnd: Subscribers.Completion<any Error>?
        var received: Int64 = 0
    }

    private let call: Call
    private let request: ExchangeRequest
    private let session: any HTTPSession
    private let progress: ProgressTarget?
    private let state: Locked<State>

    init(_ request: ExchangeRequest, of call: Call, on session: any HTTPSession, for headReader: HeadReader) {
        self.request = request
        self.call = call
        self.session = session
        progress = call.progressTarget(sending: request.body)
        state = Locked(State(headReader: headReader))
    }
}

// MARK: The head

extension ReplyStream: Subscription {
    /// The reader of the head is ready.
    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted else { return false }
            state.hasStarted = true
            return state.headReader != nil
        }
        if starts { read(Exchange(request, on: session, for: .stream(self))) }
    }

    /// The reader of the head has lost interest. Once it has the head, that is for the reader of the body to say.
    func cancel() {
        let remains = state.withLock { state -> State? in
            guard case .awaited = state.body else { return nil }
            return state.end()
        }
        remains?.upstream?.cancel()
        withExtendedLifetime(remains) {}
    }
}

// MARK: The exchange

extension ReplyStream: ExchangeReader {
    private func read(_ exchange: Exchange) {
        let isWanted = state.withLock { state in
            guard case .awaited = state.body else { return false }
            state.upstream = exchange
            return true
        }
        if isWanted { exchange.request(.max(1)) } else { exchange.cancel() }
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        switch event {
        case .sent(let bytes, let expected):
            call.count(.sent(bytes, expected: expected), for: progress)
            return .max(1)
        case .head(let head):
            receive(head)
            return .none
        case .body(let data): return receive(data)
        }
    }

    private func receive(_ head: ResponseHead) {
        state.withLock { $0.head = head }
        if call.isStream { settle { self.handOut(head) } } else { handOut(head) }
    }

    private func handOut(_ head: ResponseHead) {
        let reader = state.withLock { state -> HeadReader? in
            guard case .awaited = state.body else { return nil }
            state.body = .offered(end: state.earlyEnd.take())
            return state.headReader.take()
        }
        guard let reader else { return }
        call.received(head)
        _ = call.holdingPlace { reader.receive(StreamedReply(head, BodyOffer(of: self))) }
        reader.receive(completion: .finished)
    }

    private func receive(_ data: Data) -> Subscribers.Demand {
        let (news, reader) = state.withLock { state -> (ExchangeProgress, BodySubscription?) in
            state.received += Int64(data.count)
            let news = ExchangeProgress.received(state.received, expected: state.head?.expectedBytes)
            guard case .read(by: let reader) = state.body else { return (news, nil) }
            return (news, reader)
        }
        call.count(news, for: progress)
        return reader?.receive(data) ?? .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        let completion = completion.withInjectedError
        _ = state.withLock { $0.upstream.take() }
        guard let progress, progress.isPending else { return end(completion) }
        progress.settle { self.end(completion) }
    }

    /// Goes on when whoever looks at the progress sees all of it.
    private func settle(then action: @escaping @Sendable () -> Void) {
        if let progress { progress.settle(then: action) } else { action() }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let last = state.withLock { state -> State? in
            switch state.body {
            case .awaited where state.head != nil: state.earlyEnd = completion
            case .offered: state.body = .offered(end: completion)
            case .awaited, .read, .over: return state.end()
            }
            return nil
        }
        guard let last else { return }
        switch last.body {
        case .awaited: last.headReader?.receive(completion: completion.orNoReply)
        case .offered, .over: break
        case .read(by: let reader): reader.receive(completion: completion)
        }
    }
}

// MARK: The body

extension ReplyStream: BodySource {
    func take(by reader: BodySubscription) -> BodyTaking {
        state.withLock { state in
            guard case .offered(let end) = state.body else { return .refused }
            state.body = end == nil ? .read(by: reader) : .over
            return end.map { .ended($0) } ?? .ready
        }
    }

    func requestBody(_ demand: Subscribers.Demand) { state.withLock { $0.upstream }?.request(demand) }

    func cancelBody(readBy reader: BodySubscription) {
        let remains = state.withLock { state -> State? in
            guard case .read(by: let known) = state.body, known === reader else { return nil }
            return state.end()
        }
        remains?.upstream?.cancel()
        withExtendedLifetime(remains) {}
    }

    func abandon() {
        let remains = state.withLock { state -> State? in
            guard case .offered = state.body else { return nil }
            return state.end()
        }
        remains?.upstream?.cancel()
        withExtendedLifetime(remains) {}
    }
}

extension ReplyStream.State {
    /// Ends the exchange, and returns what it leaves behind: to be let go of outside the lock.
    fileprivate mutating func end() -> Self {
        let last = self
        (headReader, upstream) = (nil, nil)
        body = .over
        return last
    }
}

extension Subscribers.Completion<TransportError> {
    /// The completion as users see it: what a stub was told to fail with comes out as it is.
    var withInjectedError: Subscribers.Completion<any Error> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure((error.underlying as? InjectedFailure)?.error ?? error)
        }
    }
}

extension Subscribers.Completion<any Error> {
    /// An exchange that ends well without a head has brought no reply.
    var orNoReply: Self {
        if case .finished = self { .failure(RequestError.nonHTTPResponse) } else { self }
    }
}
