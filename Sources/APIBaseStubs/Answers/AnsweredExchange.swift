import Basics
import Dispatch
import Foundation
import HTTPTransport
import PortableCombine

/// One exchange where something stands in for the network, as a subscription: the body is read, it is decided who answers,
/// and what comes of it is passed on and, if there is a recording, noted. Demand and cancelling reach whoever answers.
final class AnsweredExchange: Subscription, Subscriber, Sendable {
    typealias Input = ExchangeEvent
    typealias Failure = TransportError
    typealias Downstream = AnySubscriber<ExchangeEvent, TransportError>

    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var task: Task<Void, Never>?
        var demand = Subscribers.Demand.none
        var hasStarted = false
        var builders: [RecordedEntryBuilder] = []
    }

    private let session: SubstituteSession
    private let request: ExchangeRequest
    private let state: Locked<State>

    init(_ request: ExchangeRequest, in session: SubstituteSession, for downstream: Downstream) {
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
        let last = close()
        last.task?.cancel()
        last.upstream?.cancel()
        for builder in last.builders { builder.keep(isWhole: false) }
    }

    private func close() -> State {
        state.withLock { state in
            defer { state = State(hasStarted: true) }
            return state
        }
    }

    private var isCancelled: Bool { state.withLock { $0.downstream == nil } }
}

// MARK: Who answers

extension AnsweredExchange {
    private func start() {
        // A stream may block for as long as its writer likes.
        guard request.body.needsReading else { return decide() }
        DispatchQueue(label: "APIBaseStubs.body").async { self.decide() }
    }

    /// Reads the body, and asks who answers, with the task locals of where the call was started.
    private func decide() {
        do {
            let body = try request.body.bytes { isCancelled }
            guard !isCancelled else { return }
            guard let caller = request.caller else { return ask(with: body) }
            caller.inContext { ask(with: body) }
        } catch {
            fail(error as? EngineFailure ?? EngineFailure(reason: .engine, underlying: error))
        }
    }

    private func ask(with body: Data) {
        var call = PendingCall(request, body: body)
        let decision =
            session.clock.problem.map { .fail($0) } ?? call.decide(by: session.chain, mayPass: session.isNext)
        if !session.isNext { for substitute in session.chain { substitute.note(call.call) } }
        carryOut(decision, for: call)
    }

    private func carryOut(_ decision: PendingCall.Decision, for call: PendingCall) {
        state.withLock { if $0.downstream != nil { $0.builders = call.builders } }
        switch decision {
        case .give(let answer): give(answer, to: call)
        case .fail(let error): fail(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        case .pass(let network): pass(call, over: network ?? session.own)
        case .ask(let function, let outer): ask(function, about: call, outer: outer)
        }
    }

    private func ask(
        _ function: @escaping @Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer,
        about call: PendingCall,
        outer: [any Substitute]
    ) {
        let task = Task {
            do {
                let next = SubstituteSession(outer, over: session.own, isNext: true)
                let answer = try await function(call.call) { try await next.reply(to: call.readRequest) }
                var call = call
                let decision =
                    answer.isPassThrough
                    ? call.decide(by: outer, mayPass: true) : .give(try answer.resolved(for: call.call))
                carryOut(decision, for: call)
            } catch {
                fail(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
            }
        }
        let isOver = state.withLock { state in
            if state.downstream != nil { state.task = task }
            return state.downstream == nil
        }
        if isOver { task.cancel() }
    }

    private func give(_ answer: StubAnswer, to call: PendingCall) {
        answered { AnswerTask(answer, to: self.request, sending: call.call.body.count, clock: self.session.clock) }
    }

    private func fail(_ failure: EngineFailure) { answered { AnswerTask(failing: failure, self.request) } }

    private func answered(by makeTask: @escaping () -> any EngineTask) {
        var timeless = request
        // The clock of the answers counts, not the wall's: see AnswerTask.
        timeless.limits.connect = nil
        timeless.limits.idle = nil
        timeless.limits.total = nil
        session.hop(timeless, by: makeTask).subscribe(self)
    }

    private func pass(_ call: PendingCall, over network: any HTTPSession) {
        network.exchange(call.readRequest).subscribe(self)
    }
}

extension PendingCall {
    /// The request with the bytes of a body that had to be read.
    fileprivate var readRequest: ExchangeRequest {
        var read = request
        // A file can be read again, and need not be kept in memory.
        if !request.body.isReplayable { read.body = .data(call.body) }
        return read
    }
}

// MARK: What comes back

extension AnsweredExchange {
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
            for index in state.builders.indices { state.builders[index].note(event) }
            return state.downstream
        }
        return downstream?.receive(event) ?? .none
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        let last = close()
        // Before the end is delivered, so that who waits for it finds it in the recording.
        if case .finished = completion { for builder in last.builders { builder.keep(isWhole: true) } }
        last.downstream?.receive(completion: completion)
    }
}

extension HTTPSession {
    /// One hop, read to its end.
    func reply(to request: ExchangeRequest) async throws -> StubReply {
        var head: ResponseHead?
        var data = Data()
        for try await event in exchange(request).values {
            switch event {
            case .sent: break
            case .head(let received): head = received
            case .body(let chunk): data.append(chunk)
            }
        }
        try Task.checkCancellation()
        guard let head else { throw CancellationError() }
        return StubReply(head, data: data)
    }
}
