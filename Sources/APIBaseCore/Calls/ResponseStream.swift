import Basics
import HTTPTransport

/// An exchange (a request and its response) whose response is delivered as soon as its head has arrived. The body
/// follows by demand, for one reader.
final class ResponseStream: Sendable {
    typealias HeadReader = AnySubscriber<StreamedReply, any Error>

    fileprivate enum Body {
        /// The head has not been delivered.
        case awaited
        /// The body has no reader yet. It may have ended, as an empty one does.
        case unclaimed(end: Subscribers.Completion<any Error>?)
        case read(by: BodyReading)
        case over
    }

    fileprivate struct State {
        var headReader: HeadReader?
        var hasStarted = false
        var upstream: Exchange?
        var head: ResponseHead?
        var body = Body.awaited
        /// The completion of the exchange, if its head has not been delivered yet.
        var earlyEnd: Subscribers.Completion<any Error>?
        var received: Int64 = 0
    }

    private let call: Call
    private let request: ExchangeRequest
    private let session: any HTTPSession
    private let progress: ProgressReporter?
    /// Whether the step that sends copies tells which head counts.
    private let isCopy: Bool
    private let state: Locked<State>

    init(_ request: ExchangeRequest, of call: Call, _ progress: ProgressReporter?, isCopy: Bool, _ reader: HeadReader) {
        (self.request, self.call, session, self.progress, self.isCopy) = (request, call, call.session, progress, isCopy)
        state = Locked(uncheckedState: State(headReader: reader))
    }
}

// MARK: The head

extension ResponseStream: Subscription {
    func request(_ demand: Subscribers.Demand) {
        let starts = state.withLock { state in
            guard demand > .none, !state.hasStarted else { return false }
            state.hasStarted = true
            return state.headReader != nil
        }
        if starts { read(Exchange(request, on: session, for: .stream(self))) }
    }

    /// Cancels the exchange, unless the head has been delivered: then only the reader of the body can cancel it.
    func cancel() {
        end { if case .awaited = $0 { true } else { false } }
    }

    /// Cancels the exchange if its body is in this state. The last state is released outside the lock.
    private func end(if isEnded: (Body) -> Bool) {
        let last = state.withLock { isEnded($0.body) ? $0.end() : nil }
        last?.upstream?.cancel()
        withExtendedLifetime(last) {}
    }
}

// MARK: The exchange

extension ResponseStream: ExchangeReader {
    private func read(_ exchange: Exchange) {
        let isWanted = state.withLock { state in
            guard case .awaited = state.body else { return false }
            state.upstream = exchange
            return true
        }
        if isWanted { exchange.request(.max(1)) } else { exchange.cancel() }
    }

    func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand {
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
        if call.isStream { flush { self.deliver(head) } } else { deliver(head) }
    }

    private func deliver(_ head: ResponseHead) {
        let reader = state.withLock { state -> HeadReader? in
            guard case .awaited = state.body else { return nil }
            state.body = .unclaimed(end: state.earlyEnd.take())
            return state.headReader.take()
        }
        guard let reader else { return }
        if !isCopy { call.received(head) }
        _ = call.withHeldPermits { reader.receive(StreamedReply(head, UnclaimedBody(of: self))) }
        reader.receive(completion: .finished)
    }

    private func receive(_ data: Data) -> Subscribers.Demand {
        let (progress, reader) = state.withLock { state -> (ExchangeRequest.Progress, BodyReading?) in
            state.received += Int64(data.count)
            let progress = ExchangeRequest.Progress.received(state.received, expected: state.head?.expectedBytes)
            guard case .read(by: let reader) = state.body else { return (progress, nil) }
            return (progress, reader)
        }
        call.count(progress, for: self.progress)
        return reader?.downstream.receive(data) ?? .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        call.exchangeEnded(completion)
        let completion = completion.withInjectedError
        guard let progress, progress.isPending else { return end(completion) }
        progress.flush { self.end(completion) }
    }

    /// Performs `action` when all progress has been published.
    private func flush(then action: @escaping @Sendable () -> Void) {
        if let progress { progress.flush(then: action) } else { action() }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        let (last, upstream) = state.withLock { state -> (State?, Exchange?) in
            let upstream = state.upstream.take()
            switch state.body {
            case .awaited where state.head != nil: state.earlyEnd = completion
            case .unclaimed: state.body = .unclaimed(end: completion)
            case .awaited, .read, .over: return (state.end(), upstream)
            }
            return (nil, upstream)
        }
        defer { withExtendedLifetime(upstream) {} }
        guard let last else { return }
        switch last.body {
        case .awaited: last.headReader?.receive(completion: completion.orNoResponse)
        case .unclaimed, .over: break
        case .read(by: let reader): reader.downstream.receive(completion: completion)
        }
    }
}

// MARK: The body

extension ResponseStream {
    /// Claims the body if nobody has, and asks for chunks.
    func request(_ demand: Subscribers.Demand, by reader: BodyReading) {
        let (upstream, end) = state.withLockUnchecked { $0.request(by: reader) }
        upstream?.request(demand)
        if let end { reader.downstream.receive(completion: end) }
    }

    func cancel(_ reader: BodyReading) {
        end { body in
            reader.isOver = true
            return if case .read(by: let known) = body { known === reader } else { false }
        }
    }

    /// Cancels a response whose body no one can claim any more.
    func abandon() {
        end { if case .unclaimed = $0 { true } else { false } }
    }
}

extension ResponseStream.State {
    /// The exchange that is asked for chunks, or the end for a reader that cannot read.
    fileprivate mutating func request(
        by reader: BodyReading
    ) -> (upstream: Exchange?, end: Subscribers.Completion<any Error>?) {
        guard !reader.isOver else { return (nil, nil) }
        switch body {
        case .read(by: let known) where known === reader: return (upstream, nil)
        case .unclaimed(end: nil):
            body = .read(by: reader)
            return (upstream, nil)
        case .unclaimed(let end):
            body = .over
            reader.isOver = true
            return (nil, end)
        case .awaited, .read, .over:
            reader.isOver = true
            return (nil, .failure(RequestError.bodyAlreadyConsumed))
        }
    }

    /// Ends the exchange, and returns its last state, to be released outside the lock.
    fileprivate mutating func end() -> Self {
        let last = self
        if case .read(by: let reader) = body { reader.isOver = true }
        (headReader, upstream) = (nil, nil)
        body = .over
        return last
    }
}

extension Subscribers.Completion<TransportError> {
    /// The completion with the original error of a stub that was told to fail.
    var withInjectedError: Subscribers.Completion<any Error> {
        switch self {
        case .finished: .finished
        case .failure(let error): .failure((error.underlying as? InjectedFailure)?.error ?? error)
        }
    }
}

extension Subscribers.Completion<any Error> {
    /// An error instead of an exchange that finishes without a head.
    var orNoResponse: Self {
        if case .finished = self { .failure(RequestError.nonHTTPResponse) } else { self }
    }
}
