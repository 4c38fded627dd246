import Basics
import Dispatch
import Foundation
import HTTPTransport

/// One hop that is answered in the network's place, as it happens: so much waiting, then this, then that. It stops while it is
/// paused, and works out the time-outs of the call on its clock.
final class AnswerTask: EngineTask {
    let canPause = true
    let reportsConnection = true
    let isNetwork = false
    /// The clock of the answers counts, not the wall's.
    let appliesTimeLimits = true
    private let clock: StubClock
    private let callClock: (any CallClock)?
    /// The identity of the call.
    let callID: ObjectIdentifier?
    private let sentBytes: Int64
    private let state: Locked<AnswerState>

    /// An answer to `request`, within its limits; its body has `length` bytes.
    init(_ answer: StubAnswer, to request: ExchangeRequest, sending length: Int, clock: StubClock) {
        self.clock = clock
        callClock = request.caller?.clock
        callID = request.caller.map { ObjectIdentifier($0) }
        sentBytes = Int64(length)
        state = Locked(AnswerState(answer, to: request, sending: length))
    }

    /// A hop that fails before it begins.
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
        // Not here: whoever calls is in the middle of handing out what came before.
        DispatchQueue(label: "APIBaseStubs.answer").async { self.proceed() }
    }

    /// As others do, and counts, since a call does not wait while its subscriber is told of what has come.
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

    /// Whether the answer goes on, waits for its clock, for its reader or for ever, or has ended.
    var standing: CallStanding { state.withLock { $0.standing } }

    private var now: Duration { clock.makeCallClock().now }

    /// Goes on until there is something to wait for.
    private func proceed() {
        while let (step, observer) = state.withLock({ $0.next(at: now) }) {
            guard let duration = step.wait else { return }
            let wait = clock.makeCallClock().wait(duration) {
                self.happen(self.clock.problem.map { .end(failing: $0) } ?? step.event, observer)
                self.proceed()
            }
            if let wait { return keep(wait) }
            happen(step.event, observer)
        }
    }

    /// Keeps a wait that a cancel has to stop; stops it if that has come already.
    private func keep(_ wait: CallWait) {
        if !state.withLock({ $0.keep(wait) }) { wait.cancel() }
    }

    private func happen(_ event: AnswerState.Event, _ observer: any EngineTaskObserver) {
        guard state.withLock({ $0.note(event) }) else { return }
        switch event {
        case .connected: observer.connected()
        case .sent(let bytes): observer.sent(bytes, expected: sentBytes)
        case .head(let head): observer.received(head)
        case .body(let data): observer.received(data)
        case .end(let failure):
            let (elapsed, times) = state.withLock { ($0.elapsed, $0.times) }
            callClock?.account(for: elapsed)
            observer.addElapsed(elapsed)
            observer.measured(times)
            observer.finished(failure)
        }
    }
}
