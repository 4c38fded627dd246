import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one exchange through all its hops, and what follows from each thing that happens. It decides; ``Exchange`` acts.
///
/// It calls nothing but properties of a task, the context and the caller, all of which take a lock for a moment at most.
struct ExchangeState {
    /// The reader; nil once the exchange is over.
    var reading: Exchange.Reading?
    var demand = Subscribers.Demand.none
    var hasStarted = false
    /// Whether a delivery has been asked for, or runs.
    var isDelivering = false
    /// What came and has not been handed out, of a reply that is read in pieces.
    var events = EventQueue()
    /// What came of a reply that is read as a whole.
    var collected: CollectedReply

    /// The request of the hop.
    var request: ExchangeRequest
    /// The hop; nil before it is started.
    var task: (any EngineTask)?
    /// The end of the hop; nil while it goes on.
    var completion: Subscribers.Completion<TransportError>?
    /// Redirects that have been followed.
    var followed = 0
    /// The request that the hop redirects to, once known; the rest of its response is dropped.
    var next: ExchangeRequest?
    /// Bytes of the redirect's body that have been dropped.
    var drained = 0
    /// Bytes of the response's body, chunk by chunk.
    var received = 0
    var phase = TransportError.Phase.request
    var report = HopReport()
    /// The engine that carries the exchange to its end, even while it shuts down.
    var carrier: (any ExchangeCarrier)?

    var pausing = Pausing(canPause: true)
    /// The deadlines of the hop; nil before it has its turn.
    var deadlines: Deadlines?
    /// The deadline that has been set; nil if none is.
    var alarm: DeadlineTimer.Token?
    /// The time at which the hop had its turn; nil if it has not, or has ended.
    var since: UInt64?
    /// The time that earlier hops have taken.
    var spent = Duration.zero

    init(_ request: consuming ExchangeRequest, for reading: Exchange.Reading) {
        self.reading = reading
        collected = CollectedReply(counts: reading.counts)
        // A hop that is read alone may belong to another's exchange.
        if !reading.isOfOneHop, request.context != nil { request.context = nil }
        self.request = request
    }
}

// MARK: What is to be done

extension ExchangeState {
    /// All that has to be done outside the lock.
    struct Action {
        /// The hop that this is about.
        var task: (any EngineTask)?
        var cancels = false
        var delivers = false
        var regulates = false
        /// The request of a hop to start.
        var start: ExchangeRequest?
        /// A deadline to set, and one to forget.
        var deadline: UInt64?
        var alarm: DeadlineTimer.Token?
        /// An engine to be told that no more hops will come.
        var carrier: (any ExchangeCarrier)?
        /// What an exchange or a hop leaves behind, to be let go of: that may run anybody's code.
        var reading: Exchange.Reading?
        var events: EventQueue?
        var collected: CollectedReply?
        var request: ExchangeRequest?
    }

    /// The next step of a delivery.
    enum Step {
        case act(Action)
        case event(ExchangeEvent, any ExchangeReader, Action)
        case news(CollectedReply.News, any WholeReader)
        case end(Subscribers.Completion<TransportError>, Exchange.Reading, Action)
    }
}

// MARK: Demand and delivery

extension ExchangeState {
    /// Takes demand. The first starts the exchange.
    mutating func request(_ more: Subscribers.Demand) -> Action {
        guard reading != nil, more > .none else { return Action() }
        demand += more
        guard hasStarted else {
            hasStarted = true
            return start()
        }
        return Action(task: task, delivers: beginDelivery())
    }

    /// Whether a delivery has to be asked for: there is something to deliver, and no delivery that would find it.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, reading != nil, !events.isEmpty || collected.hasNews || completion != nil else {
            return false
        }
        guard events.isEmpty || demand > .none else { return false }
        isDelivering = true
        return true
    }

    /// The next step of the delivery that runs; nil ends it. `more` is what the reader has asked for when it got an event.
    mutating func nextStep(adding more: Subscribers.Demand, at now: UInt64) -> Step? {
        demand += more
        if let step = nextNews() ?? nextEvent(at: now) ?? nextEnd() { return step }
        isDelivering = false
        return nil
    }

    private mutating func nextNews() -> Step? {
        guard case .whole(let reader, _) = reading else { return nil }
        if let news = collected.nextNews() { return .news(news, reader) }
        guard next == nil, case .finished? = completion, let reply = collected.takeWhole() else { return nil }
        return .news(reply, reader)
    }

    private mutating func nextEvent(at now: UInt64) -> Step? {
        guard let reading, let reader = reading.pieces, demand > .none, let event = events.popFirst() else {
            return nil
        }
        var action = Action(task: task, regulates: pausing.isDue(queued: events.bytes))
        if !reading.isOfOneHop {
            // Not before there is demand: a redirect waits for it as a response does.
            if let refusal = judge(event, at: now) { return .act(refusal) }
            if case .head = event { action.carrier = carrier.take() }
        }
        demand -= .max(1)
        return .event(event, reader, action)
    }

    private mutating func nextEnd() -> Step? {
        guard events.isEmpty, let completion, let reading else { return nil }
        if next != nil, !completion.isTimeout { return .act(follow()) }
        return .end(completion, reading, cancel())
    }
}

extension Subscribers.Completion<TransportError> {
    /// A redirect is followed even if its response breaks off. Only time that is over, which is the whole exchange's, ends it.
    fileprivate var isTimeout: Bool {
        if case .failure(let error) = self, case .timedOut = error.reason { return true }
        return false
    }
}
