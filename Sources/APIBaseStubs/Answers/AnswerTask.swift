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
    private let socket: SocketTalk?
    private let expectations: SocketExpectations?
    private let talk = Locked<(@Sendable () async -> Void)?>(nil)

    /// An answer to `request`, whose body has `length` bytes.
    init(_ answer: StubAnswer, to request: ExchangeRequest, sending length: Int, clock: StubClock) {
        var answer = answer
        // To another request than that of a socket, it is a status of 101.
        if request.upgrade == nil { answer.socket = nil }
        self.clock = clock
        callClock = request.caller?.clock
        callID = request.caller.map { ObjectIdentifier($0) }
        sentBytes = Int64(length)
        (socket, expectations) = (answer.socket, answer.expectations)
        let isImmediate = clock === StubClock.immediate
        state = Locked(AnswerState(answer, to: request, sending: length, isImmediate: isImmediate))
    }

    init(failing failure: EngineFailure, _ request: ExchangeRequest) {
        (clock, callClock, callID, sentBytes, socket, expectations) = (.immediate, nil, nil, 0, nil, nil)
        state = Locked(AnswerState(failing: failure, request))
    }

    func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {
        let before = observer.elapsed
        guard state.withLock({ $0.begin(observer, after: before) }) else { return }
        clock.follow(self)
        observer.began()
        if let socket, let upgrade = request.upgrade { begin(socket, upgrade, for: request.caller) }
        proceed()
    }

    /// Switches to a socket, whose other end begins to speak once the head has been reported.
    private func begin(_ socket: SocketTalk, _ upgrade: ConnectionUpgrade, for caller: (any ExchangeCaller)?) {
        let channel = StubChannel(subprotocol: socket.subprotocol) { [weak self] failure in
            guard let self, let observer = state.withLock({ $0.observer }) else { return }
            report(.end(failure), observer)
        }
        upgrade.fulfill(with: channel)
        let encoder = caller?.coders?.encoder ?? JSONEncoder()
        let server = StubSocket(channel, encoder: encoder, expectations)
        talk.withLock { talk in
            talk = {
                do {
                    try await socket.talk(server)
                    server.ended(nil)
                } catch {
                    server.ended(error)
                }
            }
        }
    }

    private func beginToSpeak() {
        guard let talk = talk.withLock({ $0.take() }) else { return }
        let task = Task { await talk() }
        if !state.withLock({ $0.keep(task) }) { task.cancel() }
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
        let (observer, wait, speaker) = state.withLock { $0.cancel() }
        wait?.cancel()
        speaker?.cancel()
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
        case .head(let head):
            observer.received(head)
            beginToSpeak()
        case .body(let data): observer.received(data)
        case .end(let failure):
            let (elapsed, times) = state.withLock { ($0.elapsed, $0.times) }
            callClock?.account(for: elapsed)
            observer.addElapsed(elapsed)
            observer.finished(failure, times: times)
        }
    }
}
