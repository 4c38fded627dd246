import Foundation
import PortableCombine

/// What is known about one exchange, and what follows from each thing that happens to it. Calls nobody.
struct ExchangeState {
    typealias Downstream = AnySubscriber<ExchangeEvent, TransportError>

    /// Queued bytes at which the sender has to wait, and at which it may go on.
    private static let highWater = 256 << 10
    private static let lowWater = 64 << 10

    private var downstream: Downstream?
    private var engine: (any EngineExchange)?
    private var demand = Subscribers.Demand.none
    private var events = EventQueue()
    private var completion: Subscribers.Completion<TransportError>?
    private var hasStarted = false
    private var isDelivering = false
    private var isHeld = false

    private var canPause = false
    private var isPaused = false
    private var isRegulating = false

    private var phase = TransportError.Phase.request
    private let hasBody: Bool
    private let limits: ExchangeLimits
    private var pace: ExchangePace

    init(_ downstream: Downstream, limits: ExchangeLimits, hasBody: Bool) {
        self.downstream = downstream
        self.limits = limits
        self.hasBody = hasBody
        pace = ExchangePace(limits)
    }

    /// Whether nothing more can come of the exchange, though something may still have to be delivered.
    var isOver: Bool { downstream == nil || completion != nil }
}

// MARK: Demand and delivery

extension ExchangeState {
    enum Response { case nothing, start, deliver }

    /// What has to be done because of an event.
    struct Intake {
        var overflows = false
        var delivers = false
        var regulates = false
    }

    enum Step {
        case event(ExchangeEvent, Downstream, regulates: Bool)
        case end(Subscribers.Completion<TransportError>, Downstream)
    }

    mutating func request(_ more: Subscribers.Demand) -> Response {
        guard downstream != nil, more > .none else { return .nothing }
        demand += more
        if !hasStarted {
            hasStarted = true
            return .start
        }
        return beginDelivery() ? .deliver : .nothing
    }

    /// Says whether a drain has to be started: there is something to deliver, and no drain that would find it.
    private mutating func beginDelivery() -> Bool {
        guard !isDelivering, !isHeld, downstream != nil else { return false }
        guard events.isEmpty ? completion != nil : demand > .none else { return false }
        isDelivering = true
        return true
    }

    /// Starts no drain until ``release()``.
    mutating func hold() {
        isHeld = true
    }

    /// Says whether a drain has to be started.
    mutating func release() -> Bool {
        isHeld = false
        return beginDelivery()
    }

    /// The next thing to hand out; nil ends the drain.
    mutating func next(adding more: Subscribers.Demand) -> Step? {
        demand += more
        if let downstream {
            if demand > .none, let event = events.popFirst() {
                demand -= .max(1)
                return .event(event, downstream, regulates: mustRegulate)
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
        pace.moved(at: now)
        advance(event)
        events.append(event)
        if !canPause, events.bytes > limits.queuedBytes { return Intake(overflows: true) }
        return Intake(delivers: beginDelivery(), regulates: mustRegulate)
    }

    private mutating func advance(_ event: ExchangeEvent) {
        switch event {
        case .sent where phase == .body: break  // the response has begun before the request was done
        case .sent(let bytes, let expected): phase = bytes == expected ? .head : .send
        case .head, .body: phase = .body
        }
        pace.isConnected = true
    }
}

// MARK: The engine

extension ExchangeState {
    /// What has to be let go outside the lock.
    struct Remains {
        var engine: (any EngineExchange)?
        var alarm: Timekeeper.Alarm?
        var hadBegun = false
        var downstream: Downstream?
        var events: EventQueue?
    }

    /// Takes the engine's exchange; false if it is no longer wanted.
    mutating func adopt(_ exchange: any EngineExchange, canPause: Bool, seesConnection: Bool) -> Bool {
        guard !isOver else { return false }
        engine = exchange
        self.canPause = canPause
        pace.seesConnection = seesConnection
        return true
    }

    /// The subscriber has cancelled.
    mutating func close() -> Remains {
        var remains = takeRemains()
        remains.downstream = downstream
        remains.events = events
        downstream = nil
        events.removeAll()
        return remains
    }

    /// The exchange has ended; what is queued is delivered first unless it is discarded. Only the first end counts.
    mutating func end(_ failure: EngineFailure?, url: URL?, discarding: Bool) -> (Remains, delivers: Bool) {
        guard !isOver else { return (Remains(), false) }
        completion = failure.map { .failure(error($0, url: url)) } ?? .finished
        var remains = takeRemains()
        if discarding {
            remains.events = events
            events.removeAll()
        }
        return (remains, beginDelivery())
    }

    private mutating func takeRemains() -> Remains {
        let remains = Remains(engine: engine, alarm: pace.alarm, hadBegun: pace.hasBegun)
        engine = nil
        pace.alarm = nil
        pace.hasBegun = false
        return remains
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

    /// What the engine should be told next about pausing; nil if it knows, or another thread is telling it.
    ///
    /// The thread that got an answer asks again after telling the engine, so that two threads cannot tell it in the
    /// wrong order.
    mutating func nextFlow(at now: UInt64, continuing: Bool) -> (engine: any EngineExchange, pause: Bool)? {
        if isRegulating, !continuing { return nil }
        guard let engine, canPause, shouldPause != isPaused else {
            isRegulating = false
            return nil
        }
        isRegulating = true
        isPaused.toggle()
        pace.moved(at: now)
        return (engine, isPaused)
    }

    private var shouldPause: Bool { isPaused ? events.bytes > Self.lowWater : events.bytes >= Self.highWater }

    /// Whether the engine does not know what it should; if another thread is telling it, that one asks again.
    private var mustRegulate: Bool { canPause && shouldPause != isPaused }
}

// MARK: Time

extension ExchangeState {
    /// The exchange has its turn. Returns the first deadline.
    mutating func begin(at now: UInt64, used: UInt64) -> UInt64? {
        guard !isOver else { return nil }
        phase = pace.seesConnection ? .connect : hasBody ? .send : .head
        pace.begin(at: now, used: used)
        return pace.nextDeadline
    }

    mutating func connected(at now: UInt64) {
        pace.moved(at: now)
        pace.isConnected = true
        if phase == .connect { phase = hasBody ? .send : .head }
    }

    mutating func checkTime(at now: UInt64) -> ExchangePace.Finding {
        guard !isOver else { return .nothing }
        if isPaused { pace.moved(at: now) }
        return pace.check(at: now)
    }

    /// Keeps the later of two alarms, since the other one has rung, and returns the one to cancel.
    mutating func keep(_ alarm: Timekeeper.Alarm) -> Timekeeper.Alarm? {
        guard !isOver else { return alarm }
        guard let kept = pace.alarm else {
            pace.alarm = alarm
            return nil
        }
        pace.alarm = max(kept, alarm)
        return min(kept, alarm)
    }
}
