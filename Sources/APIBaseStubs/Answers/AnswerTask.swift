import Basics
import Dispatch
import Foundation
import HTTPTransport

/// One hop that is answered in place of the network: a sequence of waits and events. It stops while it is paused, and
/// applies the timeouts of the call on its clock.
final class AnswerTask: EngineTask, ClockedAnswer {
    let canPause = true
    let reportsConnection = true
    let isNetwork = false
    /// The clock of the answers counts, not real time.
    let appliesTimeLimits = true
    private let clock: StubClock
    private let callClock: (any CallClock)?
    let callID: ObjectIdentifier?
    private let sentBytes: Int64
    private let state: Locked<AnswerState>

    /// An answer to `request`, whose body has `length` bytes.
    init(_ answer: StubAnswer, to request: ExchangeRequest, sending length: Int, clock: StubClock) {
        self.clock = clock
        callClock = request.caller?.clock
        callID = request.caller.map { ObjectIdentifier($0) }
        sentBytes = Int64(length)
        let isImmediate = clock === StubClock.immediate
        state = Locked(AnswerState(answer, to: request, sending: length, isImmediate: isImmediate))
    }

    init(failing failure: EngineFailure, _ request: ExchangeRequest) {
        (clock, callClock, callID, sentBytes) = (.immediate, nil, nil, 0)
        state = Locked(AnswerState(failing: failure, request))
    }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        let before = observer.elapsed
        guard state.withLock({ $0.begin(observer, after: before) }) else { return }
        clock.follow(self)
        observer.began()
        proceed()
    }

    func setPaused(_ paused: Bool) {
        guard state.withLock({ $0.setPaused(paused, at: now) }) else { return }
        // Asynchronously, because the caller may be delivering an earlier event.
        DispatchQueue(label: "APIBaseStubs.answer").async { self.proceed() }
    }

    /// Counts the delivery, because a call does not wait while its subscriber runs.
    func deliver(_ delivery: any DeliveryJob) {
        state.withLock { $0.deliveries += 1 }
        DispatchQueue(label: "APIBaseStubs.delivery").async {
            delivery.run()
            self.state.withLock { $0.deliveries -= 1 }
        }
    }

    func cancel() {
        let (observer, wait) = state.withLock { $0.cancel() }
        wait?.cancel()
        withExtendedLifetime(observer) {}
    }

    var standing: CallStanding { state.withLock { $0.standing } }

    private var now: Duration { clock.makeCallClock().now }

    private func proceed() {
        while let (step, observer) = state.withLock({ $0.next(at: now) }) {
            guard let duration = step.wait else { return }
            let wait = clock.makeCallClock().wait(duration) {
                self.report(self.clock.problem.map { .end(failing: $0) } ?? step.event, observer)
                self.proceed()
            }
            if let wait {
                if !state.withLock({ $0.keep(wait) }) { wait.cancel() }
                return
            }
            report(step.event, observer)
        }
    }

    private func report(_ event: AnswerState.Event, _ observer: any EngineTaskObserver) {
        guard state.withLock({ $0.reach(event) }) else { return }
        switch event {
        case .connected: observer.connected()
        case .sent(let bytes): observer.sent(bytes, expected: sentBytes)
        case .head(let head): observer.received(head)
        case .body(let data): observer.received(data)
        case .end(let failure):
            let (elapsed, times) = state.withLock { ($0.elapsed, $0.times) }
            callClock?.account(for: elapsed)
            observer.addElapsed(elapsed)
            observer.finished(failure, times: times)
        }
    }
}
