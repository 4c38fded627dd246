import Foundation
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of one exchange, and what follows from what its hops say. It decides; ``ExchangeSubscription`` acts.
struct ExchangeState {
    typealias Downstream = ExchangeSubscription.Downstream

    /// Bytes of a redirect's body that are read so that the connection can be used again.
    private static let drainedBytes = 64 << 10

    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var hasBegun = false

    private var request: ExchangeRequest
    private var subscription: (any Subscription)?
    /// Redirects that have been followed; the number of the hop.
    private var followed = 0
    private var limits: ResponseLimits
    /// The request that the hop redirects to, once known; the rest of its response is dropped.
    private var next: ExchangeRequest?
    private var drained = 0

    init(_ request: ExchangeRequest, for downstream: Downstream) {
        self.request = request
        self.downstream = downstream
        limits = ResponseLimits(request.limits)
    }

    /// The URL of the hop.
    var url: URL? { request.urlRequest.url }

    private func isCurrent(_ number: Int) -> Bool { number == followed && downstream != nil }
}

// MARK: Demand

extension ExchangeState {
    /// The consequence of demand.
    enum Response {
        case nothing
        case begin(ExchangeRequest)
        case pass(any Subscription)
    }

    mutating func request(_ more: Subscribers.Demand) -> Response {
        guard downstream != nil, more > .none else { return .nothing }
        demand += more
        guard hasBegun else {
            hasBegun = true
            return .begin(request)
        }
        guard next == nil, let subscription else { return .nothing }
        return .pass(subscription)
    }

    /// Adds what the subscriber has asked for when it got a value.
    mutating func add(_ more: Subscribers.Demand) { demand += more }

    /// Takes the subscription of a hop and returns what to ask it for; nil if it is not wanted.
    mutating func adopt(_ subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
        guard isCurrent(number), self.subscription == nil else { return nil }
        self.subscription = subscription
        return demand
    }
}

// MARK: Events

extension ExchangeState {
    /// The consequence of an event.
    enum Reception {
        case nothing
        case pass(Downstream)
        /// The head of the last hop.
        case respond(Downstream, ExchangeContext?)
        /// The body of a redirect is read to its end and dropped.
        case drain
        /// The body of a redirect stays where it is.
        case abandon((any Subscription)?)
        case stop(TransportError.Phase, TransportError.Reason, (any Subscription)?)
    }

    mutating func take(_ event: ExchangeEvent, from number: Int) -> Reception {
        guard isCurrent(number), let downstream else { return .nothing }
        if next != nil { return drop(event) }
        switch event {
        case .sent: break
        case .head(let head):
            if let other = take(head) { return other }
            return .respond(downstream, request.context)
        case .body(let data):
            if let reason = limits.count(data.count) { return .stop(.body, reason, subscription) }
        }
        if demand > .none { demand -= .max(1) }
        return .pass(downstream)
    }

    /// Checks a head; nil if it is for the subscriber.
    private mutating func take(_ head: ResponseHead) -> Reception? {
        guard ResponseCheck.passes(head) else { return .stop(.head, .malformedResponse, subscription) }
        if let reason = limits.excess(ofFieldsIn: head) { return .stop(.head, reason, subscription) }
        switch RedirectPolicy.decide(request, head, followed: followed) {
        case .respond:
            return limits.excess(ofBodyAfter: head, to: request.urlRequest.httpMethod)
                .map { .stop(.head, $0, subscription) }
        case .refuse(let reason): return .stop(.redirect, reason, subscription)
        case .follow(let next):
            self.next = next
            guard let length = head.contentLength, length > Self.drainedBytes else { return .drain }
            return .abandon(subscription)
        }
    }

    private mutating func drop(_ event: ExchangeEvent) -> Reception {
        guard case .body(let data) = event else { return .nothing }
        drained += data.count
        return drained > Self.drainedBytes ? .abandon(subscription) : .nothing
    }

    /// Whether the end of a hop is that of a redirect, even a failed one: its body is of no use. Only a time-out, which is
    /// that of the whole exchange, ends it. Nil if the hop is not heard any more.
    func endsRedirect(by completion: Subscribers.Completion<TransportError>, from number: Int) -> Bool? {
        guard isCurrent(number) else { return nil }
        return next != nil && !completion.isTimeout
    }

    /// Goes on to the next hop: its request and its number; nil if there is none.
    mutating func follow() -> (ExchangeRequest, Int)? {
        guard downstream != nil, let next else { return nil }
        request = next
        self.next = nil
        subscription = nil
        followed += 1
        drained = 0
        return (next, followed)
    }
}

// MARK: The end

extension ExchangeState {
    /// The objects that an exchange leaves behind: to be let go of outside the lock.
    struct Remains {
        var downstream: Downstream?
        var subscription: (any Subscription)?
        var context: ExchangeContext?
    }

    /// Ends the exchange. The first time, the remains have the subscriber.
    mutating func close() -> Remains {
        defer {
            downstream = nil
            subscription = nil
            next = nil
        }
        return Remains(downstream: downstream, subscription: subscription, context: request.context)
    }
}

extension Subscribers.Completion<TransportError> {
    fileprivate var isTimeout: Bool {
        if case .failure(let error) = self, case .timedOut = error.reason { return true }
        return false
    }
}
