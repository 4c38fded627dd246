import APIBaseKit
import APIBaseRecording
import Foundation
import HTTPTransport

/// Follows one call by its events.
struct CallTracker: Sendable {
    /// The newest attempts are kept.
    private static let maximumAttempts = 50

    var call: InspectedCall
    /// The time of the start: that of the first event, until the end tells how long the call took.
    private var start: ContinuousClock.Instant
    private var date: Date
    /// The time at which an announced attempt begins.
    private var resumption: Double?
    private(set) var sent: Double?
    private(set) var head: (head: ResponseHead, time: Double)?
    /// Whether the attempt was sent again. The phases of its timings are then sums.
    private(set) var isSentAgain = false

    /// Begins to follow a call; `nil` if the event is not its first, since the call has been forgotten.
    init?(_ event: CallEvent, at time: ContinuousClock.Instant, date: Date) {
        let info = event.call
        switch event {
        case .began where info.attempt == 1, .shared: break
        case .failed where info.sent == nil: break
        default: return nil
        }
        call = InspectedCall(
            id: info.id,
            classes: names(of: info.type),
            account: info.account,
            started: date.harText
        )
        (start, self.date) = (time, date)
    }

    /// Takes the next event, which came at this time.
    mutating func take(_ event: CallEvent, at time: ContinuousClock.Instant, without redactor: inout ExchangeRedactor) {
        // Events of a call that is canceled on another thread may come after its end.
        guard call.state == .running else { return }
        let now = (time - start).milliseconds
        let info = event.call
        switch event {
        case .began:
            call.template = call.template ?? info.pathTemplate
            begin(info.attempt, at: now)
        case .sent: send(info, at: now, without: &redactor)
        case .head(_, let head):
            self.head = (head, now)
            // That of a socket is shown while it runs.
            guard head.statusCode == 101, let request = info.sent else { break }
            setEntry(exchange(request, head, at: now), of: info, without: &redactor)
        case .refreshed:
            // A query whose hash the server does not know is no failure of its credentials.
            if !(200..<300).contains(head?.head.statusCode ?? 0) { call.mark(.refresh) }
            if let head, let request = info.sent {
                setEntry(exchange(request, head.head, at: now), of: info, without: &redactor)
            }
            endAttempt(because: "\(head.map { "\($0.head.statusCode)" } ?? "no token"), sent again", at: now)
            begin(info.attempt, at: now)
            isSentAgain = true
        case .shared:
            call.mark(.shared)
            send(info, at: now, without: &redactor)
        case .cached(_, let outcome):
            call.mark(outcome == .validated ? .notModified : .cache)
            if outcome != .validated { send(info, at: now, without: &redactor) }
        case .noted: break
        case .retrying(let timings, let delay):
            record(timings, at: now, without: &redactor)
            let outcome = timings.error.map { redactor.text($0.localizedDescription) } ?? "\(timings.statusCode ?? 0)"
            endAttempt(because: "\(outcome), again after \(delay.milliseconds.rounded() / 1_000) s", at: now)
            resumption = now + delay.milliseconds
        case .ended(let timings):
            record(timings, at: now, without: &redactor)
            end(.ended, timings, at: now)
        case .failed(let error, let timings):
            record(timings, at: now, without: &redactor)
            let isCanceled = error is CancellationError
            if !isCanceled { call.error = redactor.text(error.localizedDescription) }
            end(isCanceled ? .canceled : .failed, timings, at: now)
        }
    }

    /// The call with further messages of its socket. They may come after the end of the exchange.
    func adding(_ frames: SocketFrames) -> CallTracker {
        var tracker = self
        tracker.changeLast { $0.frames = ($0.frames ?? SocketFrames()).appending(frames) }
        return tracker
    }

    /// Ends a call whose further events are not known.
    mutating func loseTrack() {
        (call.state, call.error) = (.failed, "Too many events waited, so the end of this call is not known.")
        if call.attempts.last?.end == nil { changeLast { $0.end = $0.start } }
    }
}

// MARK: Attempts

extension CallTracker {
    /// Begins an attempt, whose request has been built. After a retry, it has waited at the gate since its delay.
    private mutating func begin(_ number: Int, at now: Double) {
        var now = now
        if let resumption, now < resumption {
            // The clock of stubs does not wait.
            start -= .seconds((resumption - now) / 1_000)
            now = resumption
        }
        var attempt = InspectedCall.Attempt(number: number, start: resumption ?? now)
        attempt.add("gate", from: attempt.start, to: now, atLeast: 0.5)
        (resumption, sent, head, isSentAgain) = (nil, nil, nil, false)
        if call.attempts.count == Self.maximumAttempts { call.attempts.removeFirst() }
        call.attempts.append(attempt)
    }

    private mutating func send(_ info: CallEvent.Info, at now: Double, without redactor: inout ExchangeRedactor) {
        if call.attempts.last?.end != nil || call.attempts.isEmpty { begin(info.attempt, at: now) }
        sent = now
        guard let request = info.sent else { return }
        let entry = redactor.request(request, secretHeaders: info.secretHeaders)
        let date = date(at: now).harText
        changeLast { attempt in
            let ready = attempt.segments.last.map { $0.start + $0.time } ?? attempt.start
            attempt.add("credentials", from: ready, to: now, atLeast: 0.2)
            attempt.exchange = .request(entry, startedDateTime: date)
        }
    }

    mutating func endAttempt(because reason: String? = nil, at now: Double) {
        changeLast { ($0.end, $0.reason) = (now, reason) }
    }

    private mutating func end(_ state: InspectedCall.State, _ timings: CallTimings, at now: Double) {
        call.state = state
        call.time = timings.whole.milliseconds
        if call.attempts.last?.end == nil { endAttempt(at: now) }
        // The time before the first event was at the gate.
        let before = timings.whole.milliseconds - now
        guard !timings.isStubbed, before >= 0.5 else { return }
        call.started = date(at: -before).harText
        call.move(by: before)
        if call.attempts.isEmpty { call.attempts.append(.init(number: timings.call.attempt, start: 0, end: before)) }
        call.attempts[0].segments.insert(.init(name: "gate", start: 0, time: before), at: 0)
        call.attempts[0].start = 0
    }

    mutating func changeLast(_ change: (inout InspectedCall.Attempt) -> Void) {
        guard let last = call.attempts.indices.last else { return }
        change(&call.attempts[last])
    }

    func date(at time: Double) -> Date { date.addingTimeInterval(time / 1_000) }
}

extension InspectedCall {
    /// Moves all times, since the call began earlier than its first event.
    fileprivate mutating func move(by time: Double) {
        for index in attempts.indices {
            attempts[index].start += time
            attempts[index].end? += time
            for part in attempts[index].segments.indices { attempts[index].segments[part].start += time }
        }
    }
}

extension InspectedCall.Attempt {
    /// Adds a part of the time, unless it is too short to be seen.
    fileprivate mutating func add(_ name: String, from start: Double, to end: Double, atLeast shortest: Double) {
        if end - start >= shortest { segments.append(.init(name: name, start: start, time: end - start)) }
    }
}

/// The names of a class and those above it, without `APIBase`.
private func names(of type: APIBase.Type) -> [String] {
    sequence(first: type as AnyClass) { _getSuperclass($0) }.prefix { $0 != APIBase.self }.map { "\($0)" }
}
