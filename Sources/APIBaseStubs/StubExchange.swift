import Foundation
import HTTPTransport
import Basics
import PortableCombine

/// One request in the hands of stubs.
final class StubExchange: EngineTask {
    private struct State {
        var isOver = false
        var observer: (any EngineTaskObserver)?
        var task: Task<Void, Never>?
        var real: RealExchange?
    }

    private let limits: ExchangeLimits
    private let session: StubbedSession
    private let state = Locked(State())

    /// - Parameters:
    ///   - limits: Those of the call: the stubs' clock counts, so what starts the hop has none on time.
    ///   - session: The session with the stubs.
    init(within limits: ExchangeLimits, in session: StubbedSession) {
        self.limits = limits
        self.session = session
    }

    var canPause: Bool { true }
    var seesConnection: Bool { true }

    func start(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
        var request = request
        request.limits = limits
        let isWanted = state.withLock { state in
            if !state.isOver { state.observer = observer }
            return !state.isOver
        }
        guard isWanted else { return }
        // Reading a stream can take any time.
        if request.body.needsReading {
            DispatchQueue(label: "APIBaseStubs.body").async { [request] in self.begin(request) }
        } else {
            begin(request)
        }
    }

    func setPaused(_ paused: Bool) { state.withLock { $0.real }?.setPaused(paused) }

    func cancel() {
        let last = take()
        last.task?.cancel()
        last.real?.cancel()
    }

    /// The observer, for as long as there is something to tell.
    var observer: (any EngineTaskObserver)? { state.withLock { $0.observer } }

    func finish(_ failure: EngineFailure?) { take().observer?.finished(failure) }

    private func take() -> State {
        state.withLock { state in
            let last = state
            state = State(isOver: true)
            return last
        }
    }

    private func begin(_ request: ExchangeRequest) {
        let body: Data
        do { body = try request.body.bytes() } catch {
            return finish(error as? EngineFailure ?? EngineFailure(reason: .engine, underlying: error))
        }
        var call = StubbedCall(request, body: body)
        switch Stubs.turn(for: &call, in: session.stubs) {
        case .answer(let answer): give(answer, for: call, request)
        case .ask(let function): ask(function, about: call, request)
        case .fail(let error): fail(with: error)
        case .compute, .giveWay, nil: passThrough(request, body)
        }
    }

    private func give(_ answer: StubAnswer, for call: StubbedCall, _ request: ExchangeRequest) {
        if case .passThrough = answer.content { return passThrough(request, call.body) }
        StubTimeline(answer, to: request, sending: call.body.count, on: self, clock: clock).run()
    }

    private func fail(with error: any Error) {
        observer?.began()
        finish(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
    }

    private func ask(
        _ function: @escaping @Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer,
        about call: StubbedCall,
        _ request: ExchangeRequest
    ) {
        let task = Task {
            do {
                let answer = try await function(call) { try await self.realReply(to: request, call.body) }
                give(answer, for: call, request)
            } catch {
                fail(with: error)
            }
        }
        keep {
            $0.task = task
        } orElse: {
            task.cancel()
        }
    }

    private func passThrough(_ request: ExchangeRequest, _ body: Data) {
        let real = RealExchange(of: self)
        keep {
            $0.real = real
        } orElse: {
            real.cancel()
        }
        session.own.exchange(request.read(as: body)).subscribe(real)
    }

    private func realReply(to request: ExchangeRequest, _ body: Data) async throws -> StubReply {
        try await session.own.reply(to: request.read(as: body))
    }

    /// Keeps what a cancel has to stop, unless it has come already.
    private func keep(_ change: (inout State) -> Void, orElse stop: () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { change(&state) }
            return state.isOver
        }
        if isOver { stop() }
    }

    private var clock: StubClock { session.stubs.first?.clock ?? .immediate }
}

extension ExchangeRequest {
    /// The request with the bytes of a body that had to be read.
    fileprivate func read(as bytes: Data) -> ExchangeRequest {
        var request = self
        if body.needsReading { request.body = .data(bytes) }
        return request
    }
}
