import Basics
import Dispatch
import Foundation
import HTTPTransport
import PortableCombine

/// One hop on a session with stand-ins for the network: it reads the body of the request, asks the stand-ins for an
/// answer, and hands over to the task of that answer.
final class StandInTask: EngineTask {
    private struct State {
        /// Nil once another task has taken over, or if the hop is canceled.
        var observer: (any EngineTaskObserver)?
        var isCancelled = false
        var function: Task<Void, Never>?
        var answer: (any EngineTask)?
        /// The session of that task, since a session's deinit closes its engine.
        var network: (any HTTPSession)?
        var watched: WatchedHop?
    }

    let isNetwork = false
    private let session: StandInSession
    private let state = Locked(State())
    private let reading = BodyReading()

    init(in session: StandInSession) {
        self.session = session
    }

    var canPause: Bool { answer?.canPause ?? true }
    var reportsConnection: Bool { answer?.reportsConnection ?? true }
    var appliesTimeLimits: Bool { answer?.appliesTimeLimits ?? true }

    /// Starts without a check of the request: the task that takes over checks it.
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
        reading.cancel()
        last.function?.cancel()
        last.answer?.cancel()
        last.watched?.cancel()
    }

    private var answer: (any EngineTask)? { state.withLock { $0.answer } }
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }
}

// MARK: Decision

extension StandInTask {
    /// Reads the body and asks the stand-ins, with the task locals of the place where the call was started.
    private func decide(_ request: ExchangeRequest) {
        do {
            let body = try request.body.bytes(by: reading)
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
            session.clock.problem.map { .answer(.fail($0)) } ?? call.decide(by: session.chain, mayPass: session.isNext)
        if !session.isNext { for standIn in session.chain { standIn.observe(&call) } }
        carryOut(decision, for: call)
    }

    private func carryOut(_ decision: PendingCall.Decision, for call: PendingCall) {
        switch decision {
        case .answer(.give(let answer), _):
            let task = AnswerTask(answer, to: call.request, sending: call.body.count, clock: session.clock)
            handOver(call.request, to: task, watchers: call.watchers)
        case .answer(.fail(let error), _):
            fail(EngineFailure(reason: .engine, underlying: InjectedFailure(error)), call.request)
        case .pass(let network):
            let network = network ?? session.own
            let task = (network as? any EngineSession)?.makeTask() ?? PublishedTask(of: network)
            handOver(call.readRequest, to: task, of: network, watchers: call.watchers)
        case .answer(.ask(let function), let outer): ask(function, about: call, outer: outer)
        }
    }

    private func ask(_ function: @escaping PendingCall.Function, about call: PendingCall, outer: [any NetworkStandIn]) {
        var request = call.readRequest
        request.context = self
        let next = StandInSession(outer, over: session.own, isNext: true)
        let task = Task { [request] in
            do {
                let answer = try await function(call.call) { try await next.reply(to: request) }
                var call = call
                let decision =
                    answer.isPassThrough
                    ? call.decide(by: outer, mayPass: true) : .answer(.give(try answer.resolved(for: call.call)))
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
        handOver(request, to: AnswerTask(failing: failure, request))
    }

    private func handOver(
        _ request: ExchangeRequest,
        to task: any EngineTask,
        of network: (any HTTPSession)? = nil,
        watchers: [any HopWatcher] = []
    ) {
        let observer = state.withLock { state -> (any EngineTaskObserver)? in
            guard let observer = state.observer.take() else { return nil }
            (state.answer, state.network) = (task, network)
            guard !watchers.isEmpty else { return observer }
            let watched = WatchedHop(watchers, observer: observer, isOverNetwork: task.isNetwork)
            state.watched = watched
            return watched
        }
        if let observer { task.begin(request, observer: observer) }
    }
}

extension StandInTask: ExchangeContext {
    var outer: (any ExchangeContext)? { state.withLock { $0.observer } }
}

extension PendingCall {
    /// The request, with the bytes of a body that can be read only once.
    fileprivate var readRequest: ExchangeRequest {
        var read = request
        // A file can be read again and need not be kept in memory.
        if !request.body.isReplayable { read.body = .data(body) }
        return read
    }
}

extension HTTPSession {
    fileprivate func reply(to request: ExchangeRequest) async throws -> StubReply {
        var head: ResponseHead?
        var data = Data()
        for try await event in exchange(request).values {
            if case .head(let received) = event { head = received }
            if case .body(let chunk) = event { data.append(chunk) }
        }
        try Task.checkCancellation()
        guard let head else { throw CancellationError() }
        return StubReply(statusCode: head.statusCode, headers: head.headers, data: data)
    }
}
