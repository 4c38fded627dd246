import Foundation
import HTTPTransport
import Locking
import PortableCombine

/// One request in the hands of stubs.
final class StubExchange: EngineExchange {
    private struct State {
        var isOver = false
        var sink: (any ExchangeSink)?
        var task: Task<Void, Never>?
        var real: RealExchange?
    }

    private let request: ExchangeRequest
    private let session: StubbedSession
    private let state = Locked(State())

    init(_ request: ExchangeRequest, in session: StubbedSession) {
        self.request = request
        self.session = session
    }

    var canPause: Bool { true }
    var seesConnection: Bool { true }

    func start(_ sink: any ExchangeSink) {
        let isWanted = state.withLock { state in
            if !state.isOver { state.sink = sink }
            return !state.isOver
        }
        guard isWanted else { return }
        // Reading a stream can take any time.
        if request.body.needsReading {
            DispatchQueue(label: "APIBaseStubs.body").async { self.begin() }
        } else {
            begin()
        }
    }

    func setPaused(_ paused: Bool) { state.withLock { $0.real }?.setPaused(paused) }

    func cancel() {
        let last = take()
        last.task?.cancel()
        last.real?.cancel()
    }

    /// The sink, for as long as there is something to tell.
    var sink: (any ExchangeSink)? { state.withLock { $0.sink } }

    func finish(_ failure: EngineFailure?) { take().sink?.finished(failure) }

    private func take() -> State {
        state.withLock { state in
            let last = state
            state = State(isOver: true)
            return last
        }
    }

    private func begin() {
        let body: Data
        do { body = try request.body.bytes() } catch {
            return finish(error as? EngineFailure ?? EngineFailure(reason: .engine, underlying: error))
        }
        var call = StubbedCall(request, body: body)
        switch Stubs.turn(for: &call, in: session.stubs) {
        case .answer(let answer): give(answer, for: call)
        case .ask(let function): ask(function, about: call)
        case .fail(let error): fail(with: error)
        case .compute, .giveWay, nil: passThrough(body)
        }
    }

    private func give(_ answer: StubAnswer, for call: StubbedCall) {
        if case .passThrough = answer.content { return passThrough(call.body) }
        StubTimeline(answer, to: request, sending: call.body.count, on: self, clock: clock).run()
    }

    private func fail(with error: any Error) {
        sink?.began()
        finish(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
    }

    private func ask(
        _ function: @escaping @Sendable (StubbedCall, @escaping Stub.Next) async throws -> StubAnswer,
        about call: StubbedCall
    ) {
        let task = Task {
            do {
                let answer = try await function(call) { try await self.realReply(to: call.body) }
                give(answer, for: call)
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

    private func passThrough(_ body: Data) {
        let real = RealExchange(of: self)
        keep {
            $0.real = real
        } orElse: {
            real.cancel()
        }
        session.own.exchange(request(with: body)).subscribe(real)
    }

    private func realReply(to body: Data) async throws -> StubReply {
        try await session.own.reply(to: request(with: body))
    }

    /// A stream has been read by now.
    private func request(with body: Data) -> ExchangeRequest {
        var request = request
        if request.body.needsReading { request.body = .data(body) }
        return request
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
