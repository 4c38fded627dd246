import Basics
import Dispatch
import Foundation
import HTTPTransport
import PortableCombine

/// One hop where something stands in for the network: the body is read, it is decided who answers, and that one's task takes
/// over.
final class AnsweredTask: EngineTask {
    private struct State {
        /// Nil once another task has taken over, or if the hop is cancelled.
        var observer: (any EngineTaskObserver)?
        var isCancelled = false
        /// The task of a stub's function.
        var function: Task<Void, Never>?
        /// The task that has taken over, and its session, whose end would close the engine.
        var answer: (any EngineTask)?
        var network: (any HTTPSession)?
        var notes: RecordedHop?
    }

    let isNetwork = false
    private let session: SubstituteSession
    private let state = Locked(State())

    init(in session: SubstituteSession) {
        self.session = session
    }

    var canPause: Bool { answer?.canPause ?? true }
    var reportsConnection: Bool { answer?.reportsConnection ?? true }
    var appliesTimeLimits: Bool { answer?.appliesTimeLimits ?? true }

    /// The task that takes over looks at the request.
    func begin(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        start(request, observer: observer)
    }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        state.withLock { if !$0.isCancelled { $0.observer = observer } }
        // A stream may block for as long as its writer likes.
        guard request.body.needsReading else { return decide(request) }
        DispatchQueue(label: "APIBaseStubs.body").async { self.decide(request) }
    }

    func setPaused(_ paused: Bool) { answer?.setPaused(paused) }

    func deliver(_ delivery: any DeliveryJob) {
        if let answer { answer.deliver(delivery) } else { delivery.runOnQueue() }
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = State(isCancelled: true, answer: state.answer) }
            return state
        }
        last.function?.cancel()
        last.answer?.cancel()
        last.notes?.cancel()
    }

    private var answer: (any EngineTask)? { state.withLock { $0.answer } }
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }
}

// MARK: Who answers

extension AnsweredTask {
    /// Reads the body, and asks who answers, with the task locals of where the call was started.
    private func decide(_ request: ExchangeRequest) {
        do {
            let body = try request.body.bytes { isCancelled }
            guard !isCancelled else { return }
            guard let caller = request.caller else { return ask(request, with: body) }
            caller.inContext { ask(request, with: body) }
        } catch {
            fail(error as? EngineFailure ?? EngineFailure(reason: .engine, underlying: error), request)
        }
    }

    private func ask(_ request: ExchangeRequest, with body: Data) {
        var call = PendingCall(request, body: body)
        let decision =
            session.clock.problem.map { .fail($0) } ?? call.decide(by: session.chain, mayPass: session.isNext)
        if !session.isNext { for substitute in session.chain { substitute.note(call.call) } }
        carryOut(decision, for: call)
    }

    private func carryOut(_ decision: PendingCall.Decision, for call: PendingCall) {
        switch decision {
        case .give(let answer):
            let task = AnswerTask(answer, to: call.request, sending: call.call.body.count, clock: session.clock)
            hand(call.request, to: task, noting: call)
        case .fail(let error):
            fail(EngineFailure(reason: .engine, underlying: InjectedFailure(error)), call.request)
        case .pass(let network):
            let network = network ?? session.own
            let task = (network as? any EngineSession)?.makeTask() ?? PublishedTask(of: network)
            hand(call.readRequest, to: task, of: network, noting: call)
        case .ask(let function, let outer): ask(function, about: call, outer: outer)
        }
    }

    private func ask(
        _ function: @escaping @Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer,
        about call: PendingCall,
        outer: [any Substitute]
    ) {
        var request = call.readRequest
        request.context = self
        let next = SubstituteSession(outer, over: session.own, isNext: true)
        let task = Task { [request] in
            do {
                let answer = try await function(call.call) { try await next.reply(to: request) }
                var call = call
                let decision =
                    answer.isPassThrough
                    ? call.decide(by: outer, mayPass: true) : .give(try answer.resolved(for: call.call))
                carryOut(decision, for: call)
            } catch {
                fail(EngineFailure(reason: .engine, underlying: InjectedFailure(error)), call.request)
            }
        }
        let isOver = state.withLock { state in
            if !state.isCancelled { state.function = task }
            return state.isCancelled
        }
        if isOver { task.cancel() }
    }

    private func fail(_ failure: EngineFailure, _ request: ExchangeRequest) {
        hand(request, to: AnswerTask(failing: failure, request))
    }

    /// Has another task go on with the hop.
    private func hand(
        _ request: ExchangeRequest,
        to task: any EngineTask,
        of network: (any HTTPSession)? = nil,
        noting call: PendingCall? = nil
    ) {
        let observer = state.withLock { state -> (any EngineTaskObserver)? in
            guard let observer = state.observer.take() else { return nil }
            (state.answer, state.network) = (task, network)
            guard let builders = call?.builders, !builders.isEmpty else { return observer }
            let notes = RecordedHop(builders, observer: observer, isOverNetwork: task.isNetwork)
            state.notes = notes
            return notes
        }
        if let observer { task.begin(request, observer: observer) }
    }
}

extension AnsweredTask: ExchangeContext {
    var outer: (any ExchangeContext)? { state.withLock { $0.observer } }
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
