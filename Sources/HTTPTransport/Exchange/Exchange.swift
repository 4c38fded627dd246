import Basics
import Foundation
package import PortableCombine

/// One exchange: hop after hop, on whatever engine, within its limits, and read as a whole or in pieces.
///
/// What happens is decided in ``ExchangeState`` under the lock, and done here without it. What comes is handed out where the
/// engine says, one thing after another. Demand that one hop has not used goes on to the next. The body of a redirect is read
/// and dropped, so that the connection can be used again, unless it is longer than that is worth.
package final class Exchange: Subscription, Sendable {
    /// How an exchange is read, and by whom.
    package enum Reading {
        /// One hop, whatever comes of it.
        case hop(any ExchangeReader)
        /// Through all redirects, by demand.
        case stream(any ExchangeReader)
        /// Through all redirects, at once: any demand starts it. `counts` says whether the reader wants the counts of bytes.
        case whole(any WholeReader, counts: Bool)

        var isOfOneHop: Bool {
            if case .hop = self { true } else { false }
        }

        /// The reader of pieces.
        var pieces: (any ExchangeReader)? {
            switch self {
            case .hop(let reader), .stream(let reader): reader
            case .whole: nil
            }
        }

        /// Whether the reader wants the counts of bytes.
        var counts: Bool {
            if case .whole(_, let counts) = self { counts } else { false }
        }
    }

    private let session: any HTTPSession  // held, because its end would close the engine
    let state: Locked<ExchangeState>

    /// An exchange that starts nothing: the first demand does.
    package init(_ request: consuming ExchangeRequest, on session: any HTTPSession, for reading: Reading) {
        self.session = session
        state = Locked(ExchangeState(request, for: reading))
    }

    deinit { state.withLock { $0.cancel() }.carrier?.exchangeEnded() }

    /// Asks for more events.
    package func request(_ demand: Subscribers.Demand) { change { $0.request(demand) } }

    /// Ends the exchange, and delivers nothing more.
    package func cancel() { change { $0.cancel() } }

    /// Changes the state, and does what follows.
    func change(_ change: (inout ExchangeState) -> ExchangeState.Action) { carryOut(state.withLock(change)) }

    private func carryOut(_ action: ExchangeState.Action) {
        if action.cancels { action.task?.cancel() }
        action.alarm?.cancel()
        action.carrier?.exchangeEnded()
        if action.delivers { if let task = action.task { task.deliver(self) } else { run() } }
        if action.regulates, let task = action.task { regulate(task) }
        if let deadline = action.deadline { setAlarm(at: deadline) }
        if let request = action.start { start(request) }
    }

    private func start(_ request: ExchangeRequest) {
        let task = (session as? any EngineSession)?.makeTask() ?? PublishedTask(of: session)
        if state.withLock({ $0.adopt(task) }) { task.begin(request, telling: Hop(exchange: self, task: task)) }
    }

    /// Pauses the hop, or lets it go on, until that is as it should be. Only one thread does so at a time.
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

extension Exchange: Delivery {
    /// Hands out what may be handed out. Only one of these runs at a time: the state says who starts it.
    package func run() {
        var more = Subscribers.Demand.none
        while let step = state.withLock({ $0.nextStep(adding: more, at: monotonicNanoseconds()) }) {
            more = .none
            switch step {
            case .act(let action): carryOut(action)
            case .event(let event, let reader, let action):
                carryOut(action)
                more = reader.receive(event)
            case .news(.progress(let progress), let reader): reader.receive(progress)
            case .news(.head(let head), let reader): reader.receive(head)
            case .news(.whole(let head, let data), let reader): reader.receive(whole: data, after: head)
            case .end(let completion, let reading, let action):
                carryOut(action)
                switch reading {
                case .hop(let reader), .stream(let reader): reader.receive(completion: completion)
                case .whole(let reader, _): reader.receive(completion: completion)
                }
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

/// One hop of an exchange, as its engine sees it. What a hop that has been left still says is known by its task.
struct Hop: EngineTaskObserver {
    let exchange: Exchange
    let task: any EngineTask

    func began() { exchange.change { $0.began(task, at: monotonicNanoseconds()) } }

    func connected() { exchange.state.withLock { $0.connected(task, at: monotonicNanoseconds()) } }

    func sent(_ bytes: Int64, expected: Int64?) { take(.sent(bytes: bytes, expected: expected)) }

    func received(_ head: ResponseHead) { take(.head(head)) }

    func received(_ data: Data) { if !data.isEmpty { take(.body(data)) } }

    func measured(_ times: EngineTimes) { exchange.state.withLock { $0.measured(times, from: task) } }

    func finished(_ failure: EngineFailure?) {
        exchange.change { $0.finished(failure, from: task, at: monotonicNanoseconds()) }
    }

    func ended(_ error: TransportError?) {
        exchange.change { $0.ended(error, from: task, at: monotonicNanoseconds()) }
    }

    private func take(_ event: ExchangeEvent) {
        exchange.change { $0.take(event, from: task, at: monotonicNanoseconds()) }
    }
}

extension Hop: ExchangeContext {
    var outer: (any ExchangeContext)? { exchange.state.withLock { $0.request.context } }

    var spent: Duration { outer?.spent ?? exchange.state.withLock { $0.spent } }

    func spend(_ duration: Duration) {
        if let outer { outer.spend(duration) } else { exchange.state.withLock { $0.spent += duration } }
    }

    func isCarried(by carrier: any ExchangeCarrier) -> Bool {
        outer?.isCarried(by: carrier) ?? exchange.state.withLock { $0.carrier === carrier }
    }

    func carry(by carrier: any ExchangeCarrier) -> Bool {
        outer?.carry(by: carrier) ?? exchange.state.withLock { $0.carry(by: carrier) }
    }
}
