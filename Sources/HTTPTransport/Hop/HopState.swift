import Foundation
import PortableCombine

/// The state of one hop, and what follows from each thing that happens to it. It decides; ``HopSubscription`` acts.
struct HopState {
    typealias Downstream = AnySubscriber<ExchangeEvent, TransportError>

    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var events = EventQueue()
    private var completion: Subscribers.Completion<TransportError>?
    private var hasStarted = false
    /// Whether a delivery has been asked for, or runs.
    private var isDelivering = false

    private var pausing: Pausing
    private var deadlines: Deadlines
    /// The deadline that has been set; nil if none is.
    private var alarm: DeadlineTimer.Token?
    private var phase = TransportError.Phase.request
    private let hasBody: Bool
    private let queuedBytes: Int
    private var report = HopReport()

    init(_ downstream: Downstream, for request: ExchangeRequest, canPause: Bool, seesConnection: Bool) {
        self.downstream = downstream
        hasBody = !request.body.isEmpty
        queuedBytes = request.limits.queuedBytes
        pausing = Pausing(canPause: canPause)
        deadlines = Deadlines(request.limits, seesConnection: seesConnection)
    }

    /// Whether nothing more can come of the hop, though something may still have to be delivered.
    var isOver: Bool { downstream == nil || completion != nil }
}

// MARK: Demand and delivery

extension HopState {
    /// The consequence of demand.
    enum Response { case nothing, start, deliver }

    /// The work that an event makes necessary.
    struct Intake: Equatable {
        var overflows = false
        var delivers = false
        var regulates = false
    }

    /// The next step of a delivery.
    enum Step {
        case event(ExchangeEvent, Downstream, regulates: Bool)
        case end(Subscribers.Completion<TransportError>, Downstream)
    }

    mutating func request(_ more: Subscribers.Demand) -> Response {
        guard downstream != nil, more > .none else { return .nothing }
        demand += more
        guard hasStarted else {
            hasStarted = true
            return .start
        }
        return beginDelivery() ? .deliver : .nothing
    }

    /// Whether a delivery has to be asked for: there is something to deliver, and no delivery that would find it.
    private mutating func beginDelivery() -> Bool {
        guard !isDelivering, downstream != nil else { return false }
        guard events.isEmpty ? completion != nil : demand > .none else { return false }
        isDelivering = true
        return true
    }

    /// The next thing to hand out; nil ends the delivery.
    mutating func next(adding more: Subscribers.Demand) -> Step? {
        demand += more
        if let downstream {
            if demand > .none, let event = events.popFirst() {
                demand -= .max(1)
                return .event(event, downstream, regulates: pausing.isDue(queued: events.bytes))
            }
            if events.isEmpty, let completion {
                self.downstream = nil
                return .end(completion, downstream)
            }
        }
        isDelivering = false
        return nil
    }

    mutating func take(_ event: ExchangeEvent, at now: UInt64) -> Intake {
        guard !isOver else { return Intake() }
        deadlines.moved(at: now)
        deadlines.connected()
        switch event {
        case .sent(let bytes, let expected):
            report.sentBytes = bytes
            // Otherwise the response has begun before the request was done.
            if phase != .body { phase = bytes == expected ? .head : .send }
        case .head:
            report.head = now
            phase = .body
        case .body(let data):
            report.receivedBytes += Int64(data.count)
            phase = .body
        }
        events.append(event)
        if !pausing.canPause, events.bytes > queuedBytes { return Intake(overflows: true) }
        return Intake(delivers: beginDelivery(), regulates: pausing.isDue(queued: events.bytes))
    }

    /// Whether to pause the engine's task or to let it go on; nil if it is as it should be, or another thread sees to it.
    ///
    /// The thread that got an answer asks again after acting on it, so that two threads cannot act in the wrong order.
    mutating func nextPause(at now: UInt64, continuing: Bool) -> Bool? {
        guard let pause = pausing.next(queued: isOver ? 0 : events.bytes, continuing: continuing) else { return nil }
        deadlines.moved(at: now)
        return pause
    }
}

// MARK: The end

extension HopState {
    mutating func measured(_ times: EngineTimes) { report.times = times }

    /// The objects that a hop leaves behind: to be let go of outside the lock.
    struct Remains {
        var wasStarted = false
        var hadBegun = false
        var report: HopReport?
        var alarm: DeadlineTimer.Token?
        var downstream: Downstream?
        var events: EventQueue?
    }

    /// The subscriber has cancelled.
    mutating func cancel() -> Remains {
        let wasOver = isOver
        var remains = takeRemains()
        remains.wasStarted = hasStarted && !wasOver
        remains.downstream = downstream
        remains.events = events
        downstream = nil
        events.removeAll()
        return remains
    }

    /// The hop has ended; what is queued is delivered first unless it is discarded. Only the first end counts.
    mutating func end(_ failure: EngineFailure?, url: URL?, discarding: Bool) -> (Remains, delivers: Bool) {
        guard !isOver else { return (Remains(), false) }
        completion = failure.map { .failure(error($0, url: url)) } ?? .finished
        var remains = takeRemains()
        remains.wasStarted = hasStarted
        remains.report = report
        if discarding {
            remains.events = events
            events.removeAll()
        }
        return (remains, beginDelivery())
    }

    private mutating func takeRemains() -> Remains {
        defer { alarm = nil }
        return Remains(hadBegun: deadlines.hasBegun, alarm: alarm)
    }

    private func error(_ failure: EngineFailure, url: URL?) -> TransportError {
        let phase: TransportError.Phase =
            switch failure.reason {
            case .hostNotFound, .cannotConnect, .tls, .timedOut(which: .connect, _): .connect
            case .invalidRequest, .bodyNotReplayable, .invalidConfiguration, .sessionClosed: .request
            default: self.phase
            }
        return TransportError(phase: phase, reason: failure.reason, url: url, underlying: failure.underlying)
    }
}

// MARK: Time

extension HopState {
    /// The hop has its turn. Returns the first deadline.
    mutating func begin(at now: UInt64, used: UInt64) -> UInt64? {
        guard !isOver else { return nil }
        report.began = now
        phase = deadlines.seesConnection ? .connect : hasBody ? .send : .head
        deadlines.begin(at: now, used: used)
        return deadlines.next
    }

    mutating func connected(at now: UInt64) {
        deadlines.moved(at: now)
        deadlines.connected()
        if phase == .connect { phase = hasBody ? .send : .head }
    }

    mutating func checkTime(at now: UInt64) -> Deadlines.Finding {
        guard !isOver else { return .nothing }
        if pausing.isPaused { deadlines.moved(at: now) }
        return deadlines.check(at: now)
    }

    /// Keeps the later of two tokens, since the other one's deadline has been reached, and returns the one to cancel.
    mutating func keep(_ token: DeadlineTimer.Token) -> DeadlineTimer.Token? {
        guard !isOver else { return token }
        guard let kept = alarm else {
            alarm = token
            return nil
        }
        alarm = max(kept, token)
        return min(kept, token)
    }
}
