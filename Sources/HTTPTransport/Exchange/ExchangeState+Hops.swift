import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The hops of an exchange: single requests on the wire, each but the first started by a redirect.

extension ExchangeState {
    /// The most bytes of a redirect's body that are read so that the connection can be used again.
    private static let drainedBytes = 64 << 10

    /// Starts a hop, if the request is valid.
    mutating func start() -> Action {
        // The request of a single hop is checked by its engine.
        if reading?.isOfOneHop == true { return Action(start: request) }
        do throws(TransportError.InvalidRequest) {
            try request.check()
        } catch {
            completion = .failure(self.error(EngineFailure(reason: .invalidRequest(error))))
            return Action(delivers: beginDelivery())
        }
        return Action(start: request)
    }

    /// Keeps the task that is about to be started; false if the exchange is over.
    mutating func adopt(_ task: any EngineTask) -> Bool {
        guard reading != nil else { return false }
        self.task = task
        return true
    }

    mutating func follow() -> Action {
        guard let next else { return Action() }
        let (left, leftRequest) = (task, request)
        request = next
        followed += 1
        (self.next, question, task, completion, deadlines) = (nil, nil, nil, nil, nil)
        (events, backPressure) = (EventQueue(), BackPressure(canPause: true))
        (phase, report, drained) = (.request, HopReport(), 0)
        var action = start()
        (action.task, action.request) = (left, leftRequest)
        return action
    }

    /// Whether this is the task of the current hop, which has not ended. Reports of other tasks are ignored.
    func isCurrent(_ task: any EngineTask) -> Bool { reading != nil && completion == nil && task === self.task }
}

// MARK: Events

extension ExchangeState {
    mutating func take(_ event: ExchangeRequest.Event, from task: any EngineTask, at now: UInt64) -> Action {
        guard isCurrent(task), let reading else { return Action() }
        note(event, at: now)
        if case .head(let head) = event, head.statusCode == 101, request.upgrade != nil {
            (request.limits.responseBytes, deadlines) = (.max, nil)
        }
        if next != nil {
            if case .body(let data) = event { return drop(data.count, at: now) }
            return Action()
        }
        guard reading.pieces != nil || isAsking else { return collect(event, at: now) }
        append(event, isChecked: !reading.isOfOneHop)
        if !backPressure.canPause, events.bytes > request.limits.queuedBytes {
            return fail(.bufferOverflow(limit: request.limits.queuedBytes), at: now)
        }
        return Action(task: task, delivers: beginDelivery(), regulates: backPressure.isDue(queued: events.bytes))
    }

    /// Queues an event. Bytes that cross ``ExchangeRequest/Limits/responseBytes`` are queued apart from those within it,
    /// which are delivered.
    private mutating func append(_ event: ExchangeRequest.Event, isChecked: Bool) {
        guard isChecked, case .body(let data) = event else { return events.append(event) }
        let room = max(0, request.limits.responseBytes) - (Int(clamping: report.receivedBytes) - data.count)
        guard room > 0, room < data.count else { return events.append(event) }
        events.append(.body(Data(data.prefix(room))))
        events.append(.body(Data(data.dropFirst(room))))
    }

    private mutating func note(_ event: ExchangeRequest.Event, at now: UInt64) {
        deadlines?.noteActivity(at: now)
        deadlines?.connected()
        switch event {
        case .sent(let bytes, let expected):
            report.sentBytes = bytes
            // The response may have begun before the request was sent.
            if phase != .body { phase = bytes == expected ? .head : .send }
        case .head:
            report.head = now
            phase = .body
        case .body(let data):
            report.receivedBytes += Int64(data.count)
            phase = .body
        }
    }

    mutating func collect(_ event: ExchangeRequest.Event, at now: UInt64) -> Action {
        if let refusal = validate(event, at: now) { return refusal }
        collected.take(event)
        var action = Action(task: task, delivers: beginDelivery())
        if case .head = event { action.owner = owner.take() }
        return action
    }

    /// Checks an event before it is delivered; nil if it may be. Otherwise the hop is a redirect, or has been ended.
    mutating func validate(_ event: ExchangeRequest.Event, at now: UInt64) -> Action? {
        switch event {
        case .sent: return nil
        case .head(let head): return validate(head, at: now)
        case .body(let data):
            received += data.count
            let limit = request.limits.responseBytes
            return received > limit ? stop(.body, .tooLarge(.responseBytes, limit: limit), at: now) : nil
        }
    }

    private mutating func validate(_ head: ResponseHead, at now: UInt64) -> Action? {
        let limits = request.limits
        do throws(MalformedHead) { try head.check() } catch {
            return stop(.head, .malformedResponse, underlying: error, at: now)
        }
        guard head.headerBytes <= limits.headerBytes else {
            return stop(.head, .tooLarge(.headerBytes, limit: limits.headerBytes), at: now)
        }
        switch decision(on: head) {
        case .respond:
            guard let length = head.contentLength, length > limits.responseBytes else { return nil }
            let hasBody = request.urlRequest.httpMethod != "HEAD" && ![204, 304].contains(head.statusCode)
            return hasBody ? stop(.head, .tooLarge(.responseBytes, limit: limits.responseBytes), at: now) : nil
        case .refuse(let reason): return stop(.redirect, reason, at: now)
        case .malformed(let error): return stop(.redirect, .malformedResponse, underlying: error, at: now)
        case .follow(let next): return redirect(to: next, head, at: now)
        }
    }

    /// Follows a redirect when its hop has ended, or its body takes too long.
    mutating func follow(_ next: ExchangeRequest, _ head: ResponseHead, at now: UInt64) -> Action {
        self.next = next
        let isLong = head.contentLength.map { $0 > Self.drainedBytes } ?? false
        var action = drop(isLong ? Self.drainedBytes + 1 : events.bytes, at: now)
        if completion == nil {
            deadlines?.drain(at: now)
            action.deadline = deadlines?.next
        }
        return action
    }

    /// Drops bytes of a redirect's body. A long body costs more than a new connection: its hop is canceled.
    private mutating func drop(_ bytes: Int, at now: UInt64) -> Action {
        drained += bytes
        if drained > Self.drainedBytes { return abandon(with: nil, at: now) }
        var action = Action(task: task, events: events)
        events = EventQueue()
        action.regulates = backPressure.isDue(queued: 0)
        return action
    }
}

// MARK: The end of a hop

extension ExchangeState {
    /// The engine has ended the hop. Queued events are delivered first.
    mutating func finished(
        _ failure: EngineFailure?,
        _ times: EngineTimes? = nil,
        from task: any EngineTask,
        at now: UInt64
    ) -> Action {
        guard isCurrent(task) else { return Action() }
        if let times { report.times = times }
        notifyCaller(at: now)
        return end(with: failure.map(error), at: now)
    }

    /// Another session has ended the hop with its own error, and has notified the caller.
    mutating func ended(_ error: TransportError?, from task: any EngineTask, at now: UInt64) -> Action {
        isCurrent(task) ? end(with: error, at: now) : Action()
    }

    /// Ends the hop for a reason of our own, and cancels its task. Queued events are delivered first.
    mutating func fail(_ reason: TransportError.Reason, at now: UInt64) -> Action {
        notifyCaller(at: now)
        var action = end(with: error(EngineFailure(reason: reason)), at: now)
        action.cancels = true
        return action
    }

    /// Ends the exchange because of the response.
    mutating func stop(
        _ phase: TransportError.Phase,
        _ reason: TransportError.Reason,
        underlying: (any Error)? = nil,
        at now: UInt64
    ) -> Action {
        let url = request.urlRequest.url
        return abandon(with: TransportError(phase: phase, reason: reason, url: url, underlying: underlying), at: now)
    }

    /// Ends the hop from our side: drops queued events, and cancels the task unless it has ended.
    mutating func abandon(with error: TransportError?, at now: UInt64) -> Action {
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

    /// To be called before the end can be delivered, which another thread may do at once.
    private mutating func notifyCaller(at now: UInt64) {
        guard let caller = request.caller else { return }
        report.ended = now
        caller.hopEnded(report)
    }

    private func error(_ failure: EngineFailure) -> TransportError {
        let phase: TransportError.Phase =
            switch failure.reason {
            case let reason where reason.isOfConnecting: .connect
            case .invalidRequest, .bodyNotReplayable, .invalidConfiguration, .sessionClosed: .request
            default: self.phase
            }
        let url = request.urlRequest.url
        return TransportError(phase: phase, reason: failure.reason, url: url, underlying: failure.underlying)
    }

    /// Ends the exchange. Does nothing if it is over.
    mutating func cancel() -> Action {
        defer { (reading, next) = (nil, nil) }
        var action = Action(
            task: task,
            cancels: task != nil && completion == nil && reading != nil,
            alarm: alarm.take()
        )
        action.owner = owner.take()
        (action.reading, action.events, action.collected, action.request) = (reading, events, collected, next)
        (task, events, collected) = (nil, EventQueue(), CollectedResponse(counts: false))
        return action
    }
}
