import Basics
import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One subscription to one hop, on whatever engine: demand, delivery, back-pressure, deadlines and the one end.
///
/// What happens is decided in ``HopState`` under the lock, and done here without it. Events are delivered where the
/// engine says, so many of them at a time as there are.
final class HopSubscription: Subscription, Sendable {
    private let request: ExchangeRequest
    private let session: any HTTPSession  // held, because its end would close the engine
    private let task: any EngineTask
    private let state: Locked<HopState>

    init(
        _ request: ExchangeRequest,
        by task: any EngineTask,
        of session: any HTTPSession,
        for downstream: HopState.Downstream
    ) {
        self.request = request
        self.session = session
        self.task = task
        state = Locked(
            HopState(downstream, for: request, canPause: task.canPause, seesConnection: task.seesConnection)
        )
    }

    func request(_ demand: Subscribers.Demand) {
        switch state.withLock({ $0.request(demand) }) {
        case .start: start()
        case .deliver: task.deliver(self)
        case .nothing: break
        }
    }

    func cancel() {
        let remains = state.withLock { $0.cancel() }
        if remains.wasStarted { task.cancel() }
        release(remains)
    }

    private func start() {
        var request = request
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            return finished(EngineFailure(reason: .invalidRequest(error)))
        }
        if task.isNetwork, let error = request.caller?.refusal(of: request) {
            return finished(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        }
        task.start(request, telling: self)
    }

    /// Lets go of what the hop no longer needs; the caller must not hold the lock.
    private func release(_ remains: HopState.Remains) {
        remains.alarm?.cancel()
        if remains.hadBegun { request.context?.stopClock(at: monotonicNanoseconds()) }
    }
}

// MARK: Delivery

extension HopSubscription: Delivery {
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

    /// Pauses the task, or lets it go on, until that is as it should be. Only one thread does so at a time.
    private func regulate() {
        var continuing = false
        while let pause = state.withLock({ $0.nextPause(at: monotonicNanoseconds(), continuing: continuing) }) {
            task.setPaused(pause)
            continuing = true
        }
    }
}

// MARK: What the engine reports

extension HopSubscription: EngineTaskObserver {
    func began() {
        let now = monotonicNanoseconds()
        let used = request.context?.startClock(at: now) ?? 0
        let (deadline, isOver) = state.withLock { ($0.begin(at: now, used: used), $0.isOver) }
        if isOver { request.context?.stopClock(at: now) }
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

    func measured(_ times: EngineTimes) { state.withLock { $0.measured(times) } }

    func finished(_ failure: EngineFailure?) {
        end(failure, early: false)
    }

    private func take(_ event: ExchangeEvent) {
        let now = monotonicNanoseconds()
        let intake = state.withLock { $0.take(event, at: now) }
        if intake.overflows { return fail(.bufferOverflow(limit: request.limits.queuedBytes)) }
        if intake.delivers { task.deliver(self) }
        if intake.regulates { regulate() }
    }

    /// Ends the hop from our side; what is queued is given up.
    private func fail(_ reason: TransportError.Reason) {
        end(EngineFailure(reason: reason), early: true)
    }

    /// - Parameters:
    ///   - failure: Why it ends; nil if the response is complete.
    ///   - early: Whether the engine has to be told, which happens before the subscriber hears of it.
    private func end(_ failure: EngineFailure?, early: Bool) {
        let url = failure.flatMap { _ in request.urlRequest.url }
        let (remains, delivers) = state.withLock { state in
            let (remains, delivers) = state.end(failure, url: url, discarding: early)
            // Before another thread, which is delivering already, can hand out the end.
            if let caller = request.caller, var report = remains.report {
                report.ended = monotonicNanoseconds()
                caller.hopEnded(report)
            }
            return (remains, delivers)
        }
        if early, remains.wasStarted { task.cancel() }
        release(remains)
        if delivers { task.deliver(self) }
    }
}

// MARK: Deadlines

extension HopSubscription: DeadlineTimer.Client {
    private func setAlarm(at deadline: UInt64) {
        let token = DeadlineTimer.shared.schedule(at: deadline, for: self)
        state.withLock({ $0.keep(token) })?.cancel()
    }

    func deadlineReached() {
        switch state.withLock({ $0.checkTime(at: monotonicNanoseconds()) }) {
        case .nothing: break
        case .again(let deadline): setAlarm(at: deadline)
        case .expired(let reason): fail(reason)
        }
    }
}
