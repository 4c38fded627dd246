import Dispatch
import Foundation
import HTTPTransport
import Basics
import PortableCombine

/// One exchange of a recording, as a subscription: the body is read, the recording says who answers, and what the network
/// says is noted as it goes by. Demand and cancelling reach whoever answers.
final class RecordedExchange: Subscription, Subscriber, Sendable {
    typealias Input = ExchangeEvent
    typealias Failure = TransportError
    typealias Downstream = any Subscriber<ExchangeEvent, TransportError>

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        var hasStarted = false
        var take: Take?
    }

    private let session: RecordedSession
    private let request: ExchangeRequest
    private let state: Locked<State>

    init(_ request: ExchangeRequest, of session: RecordedSession, for downstream: Downstream) {
        self.request = request
        self.session = session
        state = Locked(State(downstream: downstream))
    }

    func request(_ demand: Subscribers.Demand) {
        let (starts, upstream) = state.withLock { state -> (Bool, (any Subscription)?) in
            guard state.downstream != nil, demand > .none else { return (false, nil) }
            defer { state.hasStarted = true }
            guard let upstream = state.upstream else {
                state.demand += demand
                return (!state.hasStarted, nil)
            }
            return (false, upstream)
        }
        if starts { start() }
        upstream?.request(demand)
    }

    func cancel() {
        let (upstream, downstream, take) = close()
        upstream?.cancel()
        take?.keep(on: session.tape, isWhole: false)
        _ = downstream
    }

    private func close() -> (upstream: (any Subscription)?, downstream: Downstream?, take: Take?) {
        state.withLock { state in
            defer {
                state.upstream = nil
                state.downstream = nil
                state.take = nil
            }
            return (state.upstream, state.downstream, state.take)
        }
    }

    private var isCancelled: Bool { state.withLock { $0.downstream == nil } }
}

// MARK: The start

extension RecordedExchange {
    private func start() {
        let place = session.tape.begin()
        guard request.body.needsReading else { return ask(at: place) }
        // A stream may block for as long as its writer likes.
        DispatchQueue(label: "APIBaseStubs.Recording.body").async { self.ask(at: place) }
    }

    /// Reads the body, and asks the recording who answers.
    private func ask(at place: Int) {
        do {
            ask(with: try request.body.bytes { isCancelled }, place)
        } catch {
            answer(.failure(error as? EngineFailure ?? EngineFailure(reason: .engine, underlying: error)))
        }
    }

    private func ask(with body: Data, _ place: Int) {
        guard !isCancelled else { return }
        let recorded = HAR.Request(request.urlRequest, body: body)
        switch session.tape.plan(for: recorded, secretHeaders: request.secretHeaders) {
        case .replay(let entry): answer(.success(entry.reply(from: request.urlRequest.url)))
        case .fail(let error): answer(.failure(EngineFailure(reason: .engine, underlying: InjectedFailure(error))))
        case .record:
            let take = Take(recorded, secretHeaders: request.secretHeaders, place: place)
            state.withLock { if $0.downstream != nil { $0.take = take } }
            var request = request
            // Its stream has been read.
            if !request.body.isReplayable { request.body = .data(body) }
            session.network.exchange(request).subscribe(self)
        }
    }

    private func answer(_ answer: Result<ReplayExchange.Reply, EngineFailure>) {
        session.hop(request) { ReplayExchange(answer) }.subscribe(self)
    }
}

// MARK: What comes back

extension RecordedExchange {
    func receive(subscription: any Subscription) {
        let demand = state.withLock { state -> Subscribers.Demand? in
            guard state.downstream != nil, state.upstream == nil else { return nil }
            state.upstream = subscription
            defer { state.demand = .none }
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        let downstream = state.withLock { state in
            state.take?.note(event)
            return state.downstream
        }
        return downstream?.receive(event) ?? .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        let (_, downstream, take) = close()
        // Before the end is delivered, so that who waits for it finds it in the recording.
        if case .finished = completion { take?.keep(on: session.tape, isWhole: true) }
        downstream?.receive(completion: completion)
    }
}
