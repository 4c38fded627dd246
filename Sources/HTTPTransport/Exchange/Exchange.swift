import Basics
import Foundation
package import PortableCombine

/// One exchange, a request with its redirects, on any engine: its hops (each one request on the wire), its limits, and
/// its reader.
///
/// ``ExchangeState`` decides under the lock, and this class acts after the lock is released. Events are delivered one
/// after another, on a thread that the engine chooses. Demand that one hop has not used passes to the next.
package final class Exchange: Subscription, Sendable {
    /// The way in which an exchange is read, and its reader.
    package enum Reading {
        /// One hop by events, without following redirects.
        case hop(any ExchangeReader)
        /// All hops by events, as demanded.
        case stream(any ExchangeReader)
        /// All hops as a whole. Any demand starts it. `counts` is whether the reader wants counts of bytes.
        case whole(any WholeReader, counts: Bool)

        var isOfOneHop: Bool {
            if case .hop = self { true } else { false }
        }

        var pieces: (any ExchangeReader)? {
            switch self {
            case .hop(let reader), .stream(let reader): reader
            case .whole: nil
            }
        }

        var counts: Bool {
            if case .whole(_, let counts) = self { counts } else { false }
        }
    }

    private let session: any HTTPSession  // retained, because its deinit would close the engine
    let state: Locked<ExchangeState>

    /// Creates an exchange, which starts with the first demand.
    package init(_ request: consuming ExchangeRequest, on session: any HTTPSession, for reading: Reading) {
        self.session = session
        state = Locked(uncheckedState: ExchangeState(request, for: reading))
    }

    deinit { state.withLock { $0.cancel() }.owner?.exchangeEnded() }

    /// Asks for more events.
    package func request(_ demand: Subscribers.Demand) { change { $0.request(demand) } }

    /// Ends the exchange. Nothing more is delivered.
    package func cancel() { change { $0.cancel() } }

    /// Changes the state, and carries out the effects.
    func change(_ change: (inout ExchangeState) -> ExchangeState.Action) { carryOut(state.withLockUnchecked(change)) }

    private func carryOut(_ action: ExchangeState.Action) {
        if action.cancels { action.task?.cancel() }
        action.alarm?.cancel()
        action.owner?.exchangeEnded()
        if action.delivers { if let task = action.task { task.deliver(self) } else { run() } }
        if action.regulates, let task = action.task { regulate(task) }
        if let deadline = action.deadline { setAlarm(at: deadline) }
        if let request = action.start { start(request) }
    }

    private func start(_ request: ExchangeRequest) {
        let task = (session as? any EngineSession)?.makeTask() ?? PublishedTask(of: session)
        if state.withLock({ $0.adopt(task) }) { task.begin(request, observer: Hop(exchange: self, task: task)) }
    }

    /// Pauses or resumes the hop until its state is right. Only one thread does so at a time.
    private func regulate(_ task: any EngineTask) {
        var continuing = false
        while let pause = state.withLock({
            $0.nextPause(of: task, at: monotonicNanoseconds(), continuing: continuing)
        }) {
            task.setPaused(pause)
            continuing = true
        }
    }
}

extension Exchange: DeliveryJob {
    /// Delivers what may be delivered. The state keeps a second delivery from starting meanwhile.
    package func run() {
        var more = Subscribers.Demand.none
        while let step = state.withLock({ $0.nextStep(adding: more, at: monotonicNanoseconds()) }) {
            more = .none
            switch step {
            case .act(let action): carryOut(action)
            case .ask(let caller, let next, let head):
                let answer = caller.redirect(next, after: head)
                change { $0.answered(answer, at: monotonicNanoseconds()) }
            case .event(let event, let reader, let action):
                carryOut(action)
                more = reader.receive(event)
            case .update(.progress(let progress), let reader): reader.receive(progress)
            case .update(.head(let head), let reader): reader.receive(head)
            case .update(.whole(let head, let data), let reader): reader.receive(whole: data, after: head)
            case .end(let completion, let reading, let action):
                carryOut(action)
                switch reading {
                case .hop(let reader), .stream(let reader): reader.receive(completion: completion)
                case .whole(let reader, _): reader.receive(completion: completion)
                }
                return
            }
        }
    }
}

extension Exchange: DeadlineTimer.Client {
    private func setAlarm(at deadline: UInt64) {
        let token = DeadlineTimer.shared.schedule(at: deadline, for: self)
        state.withLock({ $0.keep(token) })?.cancel()
    }

    func deadlineReached() { change { $0.deadlineReached(at: monotonicNanoseconds()) } }
}

/// The observer of one hop of an exchange. Its task tells it from earlier hops, which may still report.
struct Hop: EngineTaskObserver {
    let exchange: Exchange
    let task: any EngineTask

    func began() { exchange.change { $0.began(task, at: monotonicNanoseconds()) } }

    func waits() { exchange.state.withLock { $0.waits(task, at: monotonicNanoseconds()) } }

    func connected() { exchange.state.withLock { $0.connected(task, at: monotonicNanoseconds()) } }

    func sent(_ bytes: Int64, expected: Int64?) { take(.sent(bytes: bytes, expected: expected)) }

    func received(_ head: ResponseHead) { take(.head(head)) }

    func received(_ data: Data) { if !data.isEmpty { take(.body(data)) } }

    func finished(_ failure: EngineFailure?, times: EngineTimes?) {
        exchange.change { $0.finished(failure, times, from: task, at: monotonicNanoseconds()) }
    }

    func ended(_ error: TransportError?) {
        exchange.change { $0.ended(error, from: task, at: monotonicNanoseconds()) }
    }

    private func take(_ event: ExchangeRequest.Event) {
        exchange.change { $0.take(event, from: task, at: monotonicNanoseconds()) }
    }
}

extension Hop: ExchangeContext {
    var outer: (any ExchangeContext)? { exchange.state.withLock { $0.request.context } }

    var elapsed: Duration { outer?.elapsed ?? exchange.state.withLock { $0.elapsed } }

    func addElapsed(_ duration: Duration) {
        if let outer { outer.addElapsed(duration) } else { exchange.state.withLock { $0.elapsed += duration } }
    }

    func claim(by owner: any ExchangeOwner, isOpen: Bool) -> ExchangeClaim {
        let (outer, own) = exchange.state.withLock { state -> ((any ExchangeContext)?, ExchangeClaim) in
            if let outer = state.request.context { return (outer, .refused) }
            return (nil, state.claim(by: owner, isOpen: isOpen))
        }
        return outer?.claim(by: owner, isOpen: isOpen) ?? own
    }
}
