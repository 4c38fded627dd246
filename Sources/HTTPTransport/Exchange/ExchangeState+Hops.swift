import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Hop after hop: how one is started, what its engine says, and how it ends.

extension ExchangeState {
    /// Bytes of a redirect's body that are read so that the connection can be used again.
    private static let drainedBytes = 64 << 10

    /// Starts a hop with the request, if that may be sent.
    mutating func start() -> Action {
        // Of a hop that is read alone, its engine looks at the request.
        if reading?.isOfOneHop == true { return Action(start: request) }
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            completion = .failure(self.error(EngineFailure(reason: .invalidRequest(error))))
            return Action(delivers: beginDelivery())
        }
        return Action(start: request)
    }

    /// Takes the hop that is about to be started; false if it is not wanted any more.
    mutating func adopt(_ task: any EngineTask) -> Bool {
        guard reading != nil else { return false }
        self.task = task
        return true
    }

    /// Goes on to the next hop.
    mutating func follow() -> Action {
        guard let next else { return Action() }
        let (left, leftRequest) = (task, request)
        request = next
        followed += 1
        (self.next, task, completion, deadlines) = (nil, nil, nil, nil)
        (events, pausing) = (EventQueue(), Pausing(canPause: true))
        (phase, report, drained) = (.request, HopReport(), 0)
        var action = start()
        (action.task, action.request) = (left, leftRequest)
        return action
    }

    /// Whether what a hop says is heard: it is the current one, and has not ended.
    func hears(_ task: any EngineTask) -> Bool { reading != nil && completion == nil && task === self.task }
}

// MARK: What comes

extension ExchangeState {
    mutating func take(_ event: ExchangeEvent, from task: any EngineTask, at now: UInt64) -> Action {
        guard hears(task), let reading else { return Action() }
        note(event, at: now)
        if next != nil {
            if case .body(let data) = event { return drop(data.count, at: now) }
            return Action()
        }
        guard reading.pieces != nil else { return collect(event, at: now) }
        events.append(event)
        if !pausing.canPause, events.bytes > request.limits.queuedBytes {
            return fail(.bufferOverflow(limit: request.limits.queuedBytes), at: now)
        }
        return Action(task: task, delivers: beginDelivery(), regulates: pausing.isDue(queued: events.bytes))
    }

    private mutating func note(_ event: ExchangeEvent, at now: UInt64) {
        deadlines?.moved(at: now)
        deadlines?.connected()
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
    }

    private mutating func collect(_ event: ExchangeEvent, at now: UInt64) -> Action {
        if let refusal = judge(event, at: now) { return refusal }
        collected.take(event)
        var action = Action(task: task, delivers: beginDelivery())
        if case .head = event { action.carrier = carrier.take() }
        return action
    }

    /// Looks at what is to be passed on; nil if it may be. Otherwise the hop is a redirect, or has been ended.
    mutating func judge(_ event: ExchangeEvent, at now: UInt64) -> Action? {
        switch event {
        case .sent: return nil
        case .head(let head): return judge(head, at: now)
        case .body(let data):
            received += data.count
            let limit = request.limits.responseBytes
            return received > limit ? stop(.body, .tooLarge(.responseBytes, limit: limit), at: now) : nil
        }
    }

    private mutating func judge(_ head: ResponseHead, at now: UInt64) -> Action? {
        let limits = request.limits
        guard ResponseCheck.passes(head) else { return stop(.head, .malformedResponse, at: now) }
        guard head.headerBytes <= limits.headerBytes else {
            return stop(.head, .tooLarge(.headerBytes, limit: limits.headerBytes), at: now)
        }
        switch RedirectPolicy.decide(request, head, followed: followed) {
        case .respond:
            guard let length = head.contentLength, length > limits.responseBytes else { return nil }
            let hasBody = request.urlRequest.httpMethod != "HEAD" && ![204, 304].contains(head.statusCode)
            return hasBody ? stop(.head, .tooLarge(.responseBytes, limit: limits.responseBytes), at: now) : nil
        case .refuse(let reason): return stop(.redirect, reason, at: now)
        case .follow(let next):
            self.next = next
            let isLong = head.contentLength.map { $0 > Self.drainedBytes } ?? false
            return drop(isLong ? Self.drainedBytes + 1 : events.bytes, at: now)
        }
    }

    /// Drops bytes of a redirect's body. One that is longer than a connection is worth stays where it is.
    private mutating func drop(_ bytes: Int, at now: UInt64) -> Action {
        drained += bytes
        if drained > Self.drainedBytes { return abandon(with: nil, at: now) }
        var action = Action(task: task, events: events)
        events = EventQueue()
        action.regulates = pausing.isDue(queued: 0)
        return action
    }
}

// MARK: The end of a hop

extension ExchangeState {
    mutating func measured(_ times: EngineTimes, from task: any EngineTask) {
        if hears(task) { report.times = times }
    }

    /// The hop is over for its engine; what is queued is delivered first.
    mutating func finished(_ failure: EngineFailure?, from task: any EngineTask, at now: UInt64) -> Action {
        guard hears(task) else { return Action() }
        tellCaller(at: now)
        return end(with: failure.map(error), at: now)
    }

    /// The hop is over for a session that has said itself why, and has told the caller.
    mutating func ended(_ error: TransportError?, from task: any EngineTask, at now: UInt64) -> Action {
        hears(task) ? end(with: error, at: now) : Action()
    }

    /// Ends the hop for a reason that its engine does not know.
    mutating func fail(_ reason: TransportError.Reason, at now: UInt64) -> Action {
        tellCaller(at: now)
        return abandon(with: error(EngineFailure(reason: reason)), at: now)
    }

    /// Ends the exchange for what the server has said.
    private mutating func stop(
        _ phase: TransportError.Phase,
        _ reason: TransportError.Reason,
        at now: UInt64
    ) -> Action {
        abandon(with: TransportError(phase: phase, reason: reason, url: request.urlRequest.url), at: now)
    }

    /// Ends the hop from our side: what is queued is given up, and its engine is told, unless it has ended.
    private mutating func abandon(with error: TransportError?, at now: UInt64) -> Action {
        let isRunning = self.completion == nil
        let dropped = events
        events = EventQueue()
        var action = end(with: error, at: now)
        action.cancels = isRunning
        action.events = dropped
        return action
    }

    private mutating func end(with error: TransportError?, at now: UInt64) -> Action {
        completion = error.map { .failure($0) } ?? .finished
        stopClock(at: now)
        return Action(task: task, delivers: beginDelivery(), alarm: alarm.take())
    }

    /// Before the end can be handed out, which another thread may do that is delivering already.
    private mutating func tellCaller(at now: UInt64) {
        guard let caller = request.caller else { return }
        report.ended = now
        caller.hopEnded(report)
    }

    private func error(_ failure: EngineFailure) -> TransportError {
        let phase: TransportError.Phase =
            switch failure.reason {
            case .hostNotFound, .cannotConnect, .tls, .timedOut(which: .connect, _): .connect
            case .invalidRequest, .bodyNotReplayable, .invalidConfiguration, .sessionClosed: .request
            default: self.phase
            }
        let url = request.urlRequest.url
        return TransportError(phase: phase, reason: failure.reason, url: url, underlying: failure.underlying)
    }

    /// Ends the exchange, if it is not over.
    mutating func cancel() -> Action {
        defer { (reading, next) = (nil, nil) }
        var action = Action(
            task: task,
            cancels: task != nil && completion == nil && reading != nil,
            alarm: alarm.take()
        )
        action.carrier = carrier.take()
        (action.reading, action.events, action.collected, action.request) = (reading, events, collected, next)
        (task, events, collected) = (nil, EventQueue(), CollectedReply(counts: false))
        return action
    }
}
