import Foundation
import Locking
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One subscription to one exchange, on whatever engine: demand, delivery, back-pressure, deadlines and the one end.
///
/// What happens is decided in ``ExchangeState`` under the lock, and done here without it. Events are delivered where the
/// engine says, so many of them at a time as there are.
final class ExchangeSubscription: Subscription, Sendable {
    private let request: ExchangeRequest
    private let session: any HTTPSession  // held, because its end would close the engine
    private let engine: any ExchangeEngine
    private let clock: ExchangeClock
    private let state: Locked<ExchangeState>

    init(
        _ request: ExchangeRequest,
        of session: any HTTPSession,
        on engine: any ExchangeEngine,
        for downstream: AnySubscriber<ExchangeEvent, TransportError>
    ) {
        self.request = request
        self.session = session
        self.engine = engine
        clock = request.clock ?? ExchangeClock()
        state = Locked(ExchangeState(downstream, limits: request.limits, hasBody: !request.body.isEmpty))
    }

    func request(_ demand: Subscribers.Demand) {
        switch state.withLock({ $0.request(demand) }) {
        case .start: start()
        case .deliver: deliver()
        case .nothing: break
        }
    }

    func cancel() {
        let remains = state.withLock { $0.close() }
        remains.engine?.cancel()
        release(remains)
    }

    private func start() {
        var request = request
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            return finished(EngineFailure(reason: .invalidRequest(error)))
        }
        let exchange = engine.exchange(request)
        let (canPause, seesConnection) = (exchange.canPause, exchange.seesConnection)
        guard
            state.withLock({ $0.adopt(exchange, canPause: canPause, seesConnection: seesConnection) })
        else { return }
        exchange.start(self)
    }

    /// Lets go of what the exchange no longer needs; the caller must not hold the lock.
    private func release(_ remains: ExchangeState.Remains) {
        if let alarm = remains.alarm { Timekeeper.shared.cancel(alarm) }
        if remains.hadBegun { clock.stop(at: monotonicNanoseconds()) }
    }
}

// MARK: Delivery

extension ExchangeSubscription: ExchangeDelivery {
    private func deliver() { engine.deliver(self) }

    /// Hands out what may be handed out. Only one of these runs at a time: the state says who starts it.
    func run() {
        var more = Subscribers.Demand.none
        while let step = state.withLock({ $0.next(adding: more) }) {
            switch step {
            case .event(let event, let downstream, let regulates):
                if regulates { regulate() }
                more = downstream.receive(event)
            case .end(let completion, let downstream):
                return downstream.receive(completion: completion)
            }
        }
    }

    /// Pauses the engine, or lets it go on, until that is as it should be. Only one thread does so at a time.
    private func regulate() {
        var continuing = false
        while let flow = state.withLock({ $0.nextFlow(at: monotonicNanoseconds(), continuing: continuing) }) {
            flow.engine.setPaused(flow.pause)
            continuing = true
        }
    }
}

// MARK: What the engine reports

extension ExchangeSubscription: ExchangeSink {
    func began() {
        let now = monotonicNanoseconds()
        let used = clock.start(at: now)
        let (deadline, isOver) = state.withLock { ($0.begin(at: now, used: used), $0.isOver) }
        if isOver { clock.stop(at: now) }
        if let deadline { setAlarm(at: deadline) }
    }

    func connected() {
        state.withLock { $0.connected(at: monotonicNanoseconds()) }
    }

    func sent(_ bytes: Int64, expected: Int64?) {
        take(.sent(bytes: bytes, expected: expected))
    }

    func received(_ head: ResponseHead) {
        take(.head(head))
    }

    func received(_ data: Data) {
        guard !data.isEmpty else { return }
        take(.body(data))
    }

    func hold() {
        state.withLock { $0.hold() }
    }

    func release() {
        if state.withLock({ $0.release() }) { deliver() }
    }

    func finished(_ failure: EngineFailure?) {
        end(failure, early: false)
    }

    private func take(_ event: ExchangeEvent) {
        let intake = state.withLock { $0.take(event, at: monotonicNanoseconds()) }
        if intake.overflows { return fail(.bufferOverflow(limit: request.limits.queuedBytes)) }
        if intake.delivers { deliver() }
        if intake.regulates { regulate() }
    }

    /// Ends the exchange from our side; what nobody has taken is given up.
    private func fail(_ reason: TransportError.Reason) {
        end(EngineFailure(reason: reason), early: true)
    }

    /// - Parameters:
    ///   - failure: Why it ends; nil if the response is complete.
    ///   - early: Whether the engine has to be told, which happens before the subscriber hears of it.
    private func end(_ failure: EngineFailure?, early: Bool) {
        let url = request.urlRequest.url
        let (remains, delivers) = state.withLock { $0.end(failure, url: url, discarding: early) }
        if early { remains.engine?.cancel() }
        release(remains)
        if delivers { deliver() }
    }
}

// MARK: Deadlines

extension ExchangeSubscription: Timekeeper.Sleeper {
    private func setAlarm(at deadline: UInt64) {
        let alarm = Timekeeper.shared.alarm(at: deadline, for: self)
        if let stale = state.withLock({ $0.keep(alarm) }) { Timekeeper.shared.cancel(stale) }
    }

    func wake() {
        switch state.withLock({ $0.checkTime(at: monotonicNanoseconds()) }) {
        case .nothing: break
        case .again(let deadline): setAlarm(at: deadline)
        case .expired(let reason): fail(reason)
        }
    }
}
