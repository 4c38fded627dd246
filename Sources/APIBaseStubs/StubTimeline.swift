import Foundation
import HTTPTransport
import Basics

/// One answer as it happens: so much waiting, then this, then that. The call's own time-outs are worked out on the way,
/// on the stubs' clock.
final class StubTimeline: Sendable {
    fileprivate enum Event: Sendable {
        case connected
        case sent(Int64)
        case head(ResponseHead)
        case body(Data)
        case end(EngineFailure?)
    }

    /// Bytes of a request's body that are reported as sent at a time.
    private static let sentAtOnce = 64 << 10

    private let exchange: StubExchange
    private let clock: StubClock
    private let limits: ExchangeLimits
    private let callClock: (any CallClock)?
    private let bodyLength: Int64
    private let rest: Locked<Rest>

    init(
        _ answer: StubAnswer,
        to request: ExchangeRequest,
        sending length: Int,
        on exchange: StubExchange,
        clock: StubClock
    ) {
        self.exchange = exchange
        self.clock = clock
        limits = request.limits
        callClock = request.caller?.clock
        bodyLength = Int64(length)
        rest = Locked(Rest(steps: Self.steps(of: answer, to: request, sending: length).reversed()))
    }

    func run() {
        exchange.observer?.began()
        proceed()
    }

    /// Goes on until there is something to wait for.
    private func proceed() {
        while let step = rest.withLock({ $0.takeNext(within: limits) }) {
            guard let wait = step.wait else { return }
            let isOver = clock.isOver(wait) {
                self.happen(step.event)
                self.proceed()
            }
            guard isOver else { return }
            happen(step.event)
        }
    }

    private func happen(_ event: Event) {
        switch event {
        case .sent(let bytes): exchange.observer?.sent(bytes, expected: bodyLength)
        case .connected: exchange.observer?.connected()
        case .head(let head):
            rest.withLock { $0.headed() }
            exchange.observer?.received(head)
        case .body(let data): exchange.observer?.received(data)
        case .end(let failure):
            let (elapsed, times) = rest.withLock { ($0.elapsed, $0.times) }
            callClock?.pretend(elapsed)
            exchange.observer?.measured(times)
            exchange.finish(failure)
        }
    }
}

extension StubTimeline {
    fileprivate struct Step {
        /// Nil stands for ever.
        var wait: Duration?
        var event: Event

        init(_ wait: Duration?, _ event: Event) {
            self.wait = wait
            self.event = event
        }
    }

    /// What is still to come, the last first.
    fileprivate struct Rest {
        var steps: [Step]
        private(set) var elapsed = Duration.zero
        private var head: Duration?

        init(steps: [Step]) {
            self.steps = steps
        }

        mutating func headed() { head = elapsed }

        /// What the answer would have taken.
        var times: EngineTimes {
            var times = EngineTimes()
            times.firstByte = head ?? elapsed
            times.body = elapsed - (head ?? elapsed)
            return times
        }

        /// The next step, or in its place the time-out that comes before it.
        mutating func takeNext(within limits: ExchangeLimits) -> Step? {
            guard let next = steps.popLast() else { return nil }
            if next.wait != .zero, let expiry = expiry(of: next.wait, within: limits) {
                steps = []
                elapsed += expiry.wait
                return Step(
                    expiry.wait,
                    .end(EngineFailure(reason: .timedOut(which: expiry.which, after: expiry.limit)))
                )
            }
            elapsed += next.wait ?? .zero
            return next
        }

        private func expiry(
            of wait: Duration?,
            within limits: ExchangeLimits
        ) -> (which: TransportError.Clock, limit: Duration, wait: Duration)? {
            let total = limits.total.map { (which: TransportError.Clock.total, limit: $0, wait: $0 - elapsed) }
            let idle = limits.idle.map { (which: TransportError.Clock.idle, limit: $0, wait: $0) }
            let expiries = [total, idle].compactMap(\.self)
            guard let first = expiries.min(by: { $0.wait < $1.wait }) else { return nil }
            if let wait, wait < first.wait { return nil }
            return first
        }
    }

    private static func steps(of answer: StubAnswer, to request: ExchangeRequest, sending length: Int) -> [Step] {
        var steps: [Step] = []
        let fault = answer.misfortune?() ?? answer.fault
        if let fault, fault.isBeforeConnection {
            return [Step(answer.delay.next(), .end(EngineFailure(reason: fault.reason)))]
        }
        steps.append(Step(.zero, .connected))
        for sent in stride(from: sentAtOnce, to: length, by: sentAtOnce) {
            steps.append(Step(.zero, .sent(Int64(sent))))
        }
        if length > 0 { steps.append(Step(.zero, .sent(Int64(length)))) }
        if let fault { return steps + [Step(answer.delay.next(), .end(EngineFailure(reason: fault.reason)))] }
        switch answer.content {
        case .error(let error):
            let failure = EngineFailure(reason: .engine, underlying: InjectedFailure(error))
            steps.append(Step(answer.delay.next(), .end(failure)))
        case .reply(let reply): steps += Self.steps(of: reply, in: answer, to: request)
        case .fault, .passThrough: break
        }
        return steps
    }

    private static func steps(of reply: StubReply, in answer: StubAnswer, to request: ExchangeRequest) -> [Step] {
        let lost = Step(.zero, .end(EngineFailure(reason: .connectionLost)))
        guard let url = request.urlRequest.url, answer.cut != .beforeHead else {
            return [Step(answer.delay.next(), lost.event)]
        }
        var steps = [Step(answer.delay.next(), .head(reply.head(for: url)))]
        // RFC 9110, section 9.3.2: no body answers HEAD.
        var body = request.urlRequest.httpMethod == "HEAD" ? Data() : reply.data
        switch answer.cut {
        case .afterHead: body = Data()
        case .afterBytes(let count): body = body.prefix(max(0, count))
        case .beforeHead, nil: break
        }
        let size = answer.chunkSize ?? max(1, body.count)
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = Data(body.dropFirst(start).prefix(size))
            steps.append(Step(answer.chunkSize == nil ? .zero : answer.chunkDelay.next(), .body(chunk)))
        }
        return steps + [answer.cut == nil ? Step(.zero, .end(nil)) : lost]
    }
}
