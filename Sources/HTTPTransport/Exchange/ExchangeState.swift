import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one exchange, a request with its redirects, through all its hops, the single requests on the wire. It
/// decides; ``Exchange`` acts.
///
/// It calls only properties of a task, the context and the caller, which take a lock for a moment at most.
struct ExchangeState {
    /// The reader; nil once the exchange is over.
    var reading: Exchange.Reading?
    var demand = Subscribers.Demand.none
    var hasStarted = false
    /// Whether a delivery has been requested, or runs.
    var isDelivering = false
    /// Events that have not been delivered, of a response that is read by events.
    var events = EventQueue()
    /// The parts of a response that is read as a whole.
    var collected: CollectedResponse

    /// The request of the hop.
    var request: ExchangeRequest
    /// The hop; nil before it is started.
    var task: (any EngineTask)?
    /// The end of the hop; nil while it runs.
    var completion: Subscribers.Completion<TransportError>?
    /// Redirects that have been followed.
    var followed = 0
    /// The request that the hop redirects to; the rest of its response is dropped.
    var next: ExchangeRequest?
    /// The redirect about which the caller is asked.
    var question: RedirectQuestion?
    /// Bytes of the redirect's body that have been dropped.
    var drained = 0
    /// Bytes of the response's body that have been checked.
    var received = 0
    var phase = TransportError.Phase.request
    var report = HopReport()
    /// The engine that finishes the exchange before it shuts down.
    var owner: (any ExchangeOwner)?

    var backPressure = BackPressure(canPause: true)
    /// The deadlines of the hop; nil before it has its turn.
    var deadlines: Deadlines?
    var alarm: DeadlineTimer.Token?
    /// The time at which the hop had its turn; nil if it has not, or has ended.
    var since: UInt64?
    /// The time that earlier hops have taken.
    var elapsed = Duration.zero

    init(_ request: consuming ExchangeRequest, for reading: Exchange.Reading) {
        self.reading = reading
        collected = CollectedResponse(counts: reading.counts)
        // Only a single hop may belong to an outer exchange.
        if !reading.isOfOneHop, request.context != nil { request.context = nil }
        self.request = request
    }
}

// MARK: Results

extension ExchangeState {
    /// The effects to carry out after the lock is released.
    struct Action {
        /// The hop that the effects are about.
        var task: (any EngineTask)?
        var cancels = false
        var delivers = false
        var regulates = false
        var start: ExchangeRequest?
        /// A deadline to set, and one to cancel.
        var deadline: UInt64?
        var alarm: DeadlineTimer.Token?
        /// An engine to be told of the end of the exchange.
        var owner: (any ExchangeOwner)?
        // The parts that have ended, to be released outside the lock: that may run a user's code.
        var reading: Exchange.Reading?
        var events: EventQueue?
        var collected: CollectedResponse?
        var request: ExchangeRequest?
    }

    /// The next step of a delivery.
    enum Step {
        case act(Action)
        case ask(any ExchangeCaller, ExchangeRequest, ResponseHead)
        case event(ExchangeRequest.Event, any ExchangeReader, Action)
        case update(CollectedResponse.Update, any WholeReader)
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

    /// Whether to request a delivery: there is something to deliver, and no delivery runs.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, reading != nil else { return false }
        guard question != nil || !events.isEmpty || collected.hasUpdates || completion != nil else { return false }
        guard events.isEmpty || demand > .none else { return false }
        isDelivering = true
        return true
    }

    /// The next step of the delivery; nil ends it. `more` is the demand that the reader has returned for an event.
    mutating func nextStep(adding more: Subscribers.Demand, at now: UInt64) -> Step? {
        demand += more
        if let step = nextQuestion() ?? nextUpdate() ?? nextEvent(at: now) ?? nextEnd() { return step }
        isDelivering = false
        return nil
    }

    private mutating func nextUpdate() -> Step? {
        guard case .whole(let reader, _) = reading else { return nil }
        if let update = collected.nextUpdate() { return .update(update, reader) }
        guard next == nil, case .finished? = completion, let whole = collected.takeWhole() else { return nil }
        return .update(whole, reader)
    }

    private mutating func nextEvent(at now: UInt64) -> Step? {
        guard let reading, let reader = reading.pieces, demand > .none, let event = nextUnread() else { return nil }
        var action = Action(task: task, regulates: backPressure.isDue(queued: events.bytes))
        if !reading.isOfOneHop {
            // After the check of demand: a redirect waits for demand as a response does.
            if let refusal = validate(event, at: now) { return .act(refusal) }
            if case .head = event { action.owner = owner.take() }
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
    /// Whether a limit of time has ended the hop. A redirect is followed after any other failure.
    fileprivate var isTimeout: Bool {
        if case .failure(let error) = self, case .timedOut = error.reason { return true }
        return false
    }
}
