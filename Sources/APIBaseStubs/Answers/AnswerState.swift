import Foundation
import HTTPTransport

/// The progress of an answer. It decides on the next step; ``AnswerTask`` carries it out.
struct AnswerState {
    enum Event: Sendable {
        case connected
        case sent(Int64)
        case head(ResponseHead)
        case body(Data)
        case end(EngineFailure?)

        static func end(failing error: any Error) -> Event {
            .end(EngineFailure(reason: .engine, underlying: InjectedFailure(error)))
        }
    }

    /// An event after a wait; nil means that it waits forever.
    typealias Step = (wait: Duration?, event: Event)

    /// The bytes of a request's body that are reported as sent at a time.
    private static let sentAtOnce = 64 << 10

    private var limits: ExchangeRequest.Limits
    /// Whether the clock lets all waits end at once.
    private let isImmediate: Bool
    private let chunks: StubAnswer.Chunks
    private let chunkDelay: () -> Duration?
    private var before = Duration.zero
    private(set) var observer: (any EngineTaskObserver)?
    private var isCancelled = false
    /// The steps before the body, in reverse order.
    private var steps: [Step] = []
    private var body = Data()[...]
    private var chunkCount = 0
    private var end: Step = (.zero, .end(nil))
    private(set) var elapsed = Duration.zero
    private var headTime: Duration?
    private var isConnected = false
    private var isPaused = false
    /// The wait before the next step, which a cancel ends.
    private var wait: CallWait?
    private var isWaiting = false
    private var isSocket = false
    /// The task that speaks with the client of a socket.
    private var speaker: Task<Void, Never>?
    var deliveries = 0
    /// The time on the clock at which the answer stopped because it is paused; nil if it has not stopped.
    private var stoppedAt: Duration?

    init(failing failure: EngineFailure, _ request: ExchangeRequest) {
        (limits, isImmediate, chunks, chunkDelay) = (request.limits, true, .any, { .zero })
        end = (.zero, .end(failure))
    }

    init(_ answer: StubAnswer, to request: ExchangeRequest, sending length: Int, isImmediate: Bool) {
        (limits, self.isImmediate) = (request.limits, isImmediate)
        chunks = answer.chunks
        let random = answer.random
        chunkDelay = { [delay = answer.chunkDelay] in delay.next(random, .chunk) }
        let delay = answer.delay.next(random, .delay)
        let fault = answer.randomFault?(random) ?? answer.fault
        if let fault, fault.isBeforeConnection {
            end = (delay, .end(EngineFailure(reason: fault.reason)))
            return
        }
        steps.append((.zero, .connected))
        steps += stride(from: Self.sentAtOnce, to: length, by: Self.sentAtOnce).map { (.zero, .sent(Int64($0))) }
        if length > 0 { steps.append((.zero, .sent(Int64(length)))) }
        switch answer.content {
        case _ where fault != nil:
            end = (delay, .end(EngineFailure(reason: fault?.reason ?? .connectionLost)))
        case .reply(let reply): add(reply, of: answer, to: request.urlRequest, after: delay)
        case .error(let error):
            end = (delay, .end(failing: error))
        case .fault, .passThrough, .function:
            // These are resolved before. Should one get here, it must not reach a network.
            end = (delay, .end(failing: StubProblem.noAnswer(stub: "\(request)")))
        }
        steps.reverse()
    }

    private mutating func add(
        _ reply: StubReply,
        of answer: StubAnswer,
        to request: URLRequest,
        after delay: Duration?
    ) {
        let lost = Event.end(EngineFailure(reason: .connectionLost))
        guard let url = request.url, answer.cut != .beforeHead else {
            end = (delay, lost)
            return
        }
        steps.append((delay, .head(reply.head(for: url))))
        isSocket = answer.socket != nil
        guard !isSocket else { return end = (nil, .end(nil)) }
        // RFC 9110, section 9.3.2: a response to HEAD has no body.
        body = request.httpMethod == "HEAD" ? Data() : reply.data[...]
        switch answer.cut {
        case .afterHead: body = Data()
        case .afterBytes(let count): body = body.prefix(max(0, count))
        case .beforeHead, nil: break
        }
        end = answer.cut != nil ? (.zero, lost) : (answer.staysOpen ? nil : .zero, .end(nil))
    }
}

// MARK: Events

extension AnswerState {
    /// Begins; false if it has been canceled.
    mutating func begin(_ observer: any EngineTaskObserver, after before: Duration) -> Bool {
        guard !isCancelled else { return false }
        self.observer = observer
        self.before = before
        return true
    }

    /// Stops the answer; returns the observer, to be released, and what is to be canceled.
    mutating func cancel() -> ((any EngineTaskObserver)?, CallWait?, speaker: Task<Void, Never>?) {
        defer { (observer, wait, speaker, isCancelled) = (nil, nil, nil, true) }
        return (observer, wait, speaker)
    }

    /// Keeps what speaks with the client of a socket; false if the answer has ended.
    mutating func keep(_ speaker: Task<Void, Never>) -> Bool {
        guard observer != nil else { return false }
        self.speaker = speaker
        return true
    }

    /// Keeps the wait before the next step; false if the answer has ended.
    mutating func keep(_ wait: CallWait) -> Bool {
        guard observer != nil else { return false }
        self.wait = wait
        return true
    }

    var standing: CallStanding {
        if deliveries > 0 { return .running }
        if observer == nil { return .ended }
        return isWaiting || stoppedAt != nil ? .waiting : .running
    }

    /// Returns whether the answer has to be continued because it had stopped.
    mutating func setPaused(_ paused: Bool, at now: Duration) -> Bool {
        isPaused = paused
        guard !paused, let stoppedAt else { return false }
        elapsed += now - stoppedAt
        self.stoppedAt = nil
        return observer != nil
    }

    /// The next step, or the timeout that comes before it; nil while the answer is paused, and after the end.
    mutating func next(at now: Duration) -> (Step, any EngineTaskObserver)? {
        guard let observer else { return nil }
        guard !isPaused else {
            stoppedAt = now
            return nil
        }
        let next = steps.popLast() ?? nextChunk() ?? end
        if next.wait != .zero || isLate, let expiry = expiry(of: next.wait) {
            elapsed += expiry.wait
            let failure = EngineFailure(
                reason: .timedOut(which: expiry.which, after: expiry.limit),
                underlying: isImmediate && next.wait == nil ? EndlessWait() : nil
            )
            isWaiting = true
            return ((expiry.wait, .end(failure)), observer)
        }
        elapsed += next.wait ?? .zero
        isWaiting = next.wait != .zero
        return (next, observer)
    }

    private mutating func nextChunk() -> Step? {
        guard !body.isEmpty else { return nil }
        let chunk = body.prefix(chunks.size(of: chunkCount))
        body = body.dropFirst(chunk.count)
        chunkCount += 1
        return (chunks.areDelayed ? chunkDelay() : .zero, .body(Data(chunk)))
    }

    /// Takes note of an event; false if it must not be reported, because the answer has ended.
    mutating func reach(_ event: Event) -> Bool {
        isWaiting = false
        guard observer != nil else { return false }
        switch event {
        case .connected: isConnected = true
        case .head:
            headTime = elapsed
            // A connection that is switched to another protocol has no limits of time.
            if isSocket { (limits.total, limits.connect, limits.idle) = (nil, nil, nil) }
        case .end: observer = nil
        case .sent, .body: break
        }
        return true
    }

    var times: EngineTimes {
        var times = EngineTimes()
        times.firstByte = headTime ?? elapsed
        times.body = elapsed - (headTime ?? elapsed)
        return times
    }

    /// Whether the total time limit has passed, during a pause or in earlier hops.
    private var isLate: Bool { limits.total.map { before + elapsed >= $0 && before + elapsed > .zero } ?? false }

    private func expiry(of wait: Duration?) -> (which: TransportError.Clock, limit: Duration, wait: Duration)? {
        let clocks: [(which: TransportError.Clock, limit: Duration?, spent: Duration)] = [
            (.total, limits.total, before + elapsed), (.connect, isConnected ? nil : limits.connect, .zero),
            (.idle, limits.idle, .zero),
        ]
        let expiries = clocks.compactMap { clock in
            clock.limit.map { (which: clock.which, limit: $0, wait: max(.zero, $0 - clock.spent)) }
        }
        guard let first = expiries.min(by: { $0.wait < $1.wait }) else { return nil }
        if let wait, wait < first.wait { return nil }
        return first
    }
}

/// Why an answer that never comes has ended.
private struct EndlessWait: LocalizedError {
    var errorDescription: String? {
        """
        The stub never answers, and on the immediate clock a time limit takes no time. To cancel the call before it \
        ends: Stubs(clock: .manual())
        """
    }
}
