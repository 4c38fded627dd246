import Foundation
import Locking
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One subscription to ``HTTPSession/events(for:)``: hop after hop, with the limits on what comes back.
///
/// Demand that the one hop has not used goes on to the next. The body of a redirect is read and dropped, so that the
/// connection can be used again, unless it is longer than that is worth.
final class RedirectChain: Subscription, Sendable {
    typealias Downstream = AnySubscriber<ExchangeEvent, TransportError>

    fileprivate static let drainedBytes = 64 << 10

    fileprivate struct State {
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        var request: ExchangeRequest
        var hop: Hop?
        var subscription: (any Subscription)?
        var next: ExchangeRequest?
        var followed = 0
        var bytes = 0
    }

    private let session: any HTTPSession
    private let state: Locked<State>

    init(_ request: ExchangeRequest, on session: any HTTPSession, for downstream: Downstream) {
        self.session = session
        var request = request
        if request.clock == nil { request.clock = ExchangeClock() }
        state = Locked(State(downstream: downstream, request: request))
    }

    func request(_ demand: Subscribers.Demand) {
        let hop = Hop(self)
        let (first, subscription) = state.withLock { state -> (ExchangeRequest?, (any Subscription)?) in
            guard state.downstream != nil, demand > .none else { return (nil, nil) }
            state.demand += demand
            if state.hop == nil {
                state.hop = hop
                return (state.request, nil)
            }
            return (nil, state.next == nil ? state.subscription : nil)
        }
        if let first { begin(first, hop) }
        subscription?.request(demand)
    }

    func cancel() {
        let (subscription, downstream) = state.withLock { state in
            defer { state.close() }
            return (state.subscription, state.downstream)
        }
        subscription?.cancel()
        _ = downstream
    }
}

// MARK: Hops

extension RedirectChain {
    fileprivate final class Hop: Subscriber, Sendable {
        private let chain: RedirectChain

        init(_ chain: RedirectChain) { self.chain = chain }

        func receive(subscription: any Subscription) { chain.adopt(subscription, of: self) }
        func receive(_ input: ExchangeEvent) -> Subscribers.Demand { chain.receive(input, from: self) }
        func receive(completion: Subscribers.Completion<TransportError>) { chain.receive(completion, from: self) }
    }

    private func begin(_ request: ExchangeRequest, _ hop: Hop) {
        var request = request
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            return fail(.request, .invalidRequest(error))
        }
        session.exchange(request).subscribe(hop)
    }

    private func adopt(_ subscription: any Subscription, of hop: Hop) {
        let demand = state.withLock { state -> Subscribers.Demand? in
            guard state.hop === hop, state.downstream != nil, state.subscription == nil else { return nil }
            state.subscription = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    /// Goes on to the next hop, if there is one and the chain has not been cancelled.
    private func follow() {
        let hop = Hop(self)
        let request = state.withLock { state -> ExchangeRequest? in
            guard state.downstream != nil, let next = state.next else { return nil }
            state.request = next
            state.next = nil
            state.hop = hop
            state.subscription = nil
            state.followed += 1
            state.bytes = 0
            return next
        }
        if let request { session.exchange(request).subscribe(hop) }
    }
}

// MARK: Events

extension RedirectChain {
    private func receive(_ event: ExchangeEvent, from hop: Hop) -> Subscribers.Demand {
        if case .head(let head) = event { return receive(head, from: hop) }
        var bytes = 0
        if case .body(let data) = event { bytes = data.count }
        switch state.withLock({ $0.take(bytes, from: hop) }) {
        case .nothing: return .none
        case .leave:
            leave()
            return .none
        case .pass(let downstream): return pass(event, to: downstream)
        case .exceed(let limit): return stop(.body, .tooLarge(.responseBytes, limit: limit))
        }
    }

    private func receive(_ head: ResponseHead, from hop: Hop) -> Subscribers.Demand {
        let current = state.withLock { state in
            state.hop === hop && state.downstream != nil && state.next == nil
                ? (request: state.request, followed: state.followed) : nil
        }
        guard let current else { return .none }
        guard ResponseCheck.passes(head) else { return stop(.head, .malformedResponse) }
        if let reason = Self.excessOfFields(in: head, current.request) { return stop(.head, reason) }
        switch RedirectPolicy.decide(current.request, head, followed: current.followed) {
        case .respond: break
        case .follow(let next): return turn(to: next, head)
        case .refuse(let reason): return stop(.redirect, reason)
        }
        if let reason = Self.excessOfBody(after: head, current.request) { return stop(.head, reason) }
        guard case .pass(let downstream) = state.withLock({ $0.take(0, from: hop) }) else { return .none }
        return pass(.head(head), to: downstream)
    }

    private func pass(_ event: ExchangeEvent, to downstream: Downstream) -> Subscribers.Demand {
        let more = downstream.receive(event)
        if more > .none { state.withLock { $0.demand += more } }
        return more
    }

    private static func excessOfFields(in head: ResponseHead, _ request: ExchangeRequest) -> TransportError.Reason? {
        let limit = request.limits.headerBytes
        return head.headerBytes > limit ? .tooLarge(.headerBytes, limit: limit) : nil
    }

    private static func excessOfBody(after head: ResponseHead, _ request: ExchangeRequest) -> TransportError.Reason? {
        let limit = request.limits.responseBytes
        let hasBody = request.urlRequest.httpMethod != "HEAD" && ![204, 304].contains(head.statusCode)
        guard hasBody, let length = head.contentLength, length > limit else { return nil }
        return .tooLarge(.responseBytes, limit: limit)
    }

    private func receive(_ completion: Subscribers.Completion<TransportError>, from hop: Hop) {
        let isDraining = state.withLock { state in
            state.hop === hop && state.downstream != nil ? state.next != nil : nil
        }
        guard let isDraining else { return }
        if isDraining, !completion.isTimeout { return follow() }
        finish(completion)
    }
}

// MARK: Redirects

extension RedirectChain {
    /// Begins to drop the body of a redirect, or leaves it where it is if it is long.
    private func turn(to next: ExchangeRequest, _ head: ResponseHead) -> Subscribers.Demand {
        state.withLock { $0.next = next }
        if let length = head.contentLength, length > Self.drainedBytes {
            leave()
            return .none
        }
        return .unlimited
    }

    private func leave() {
        let subscription = state.withLock { $0.subscription }
        subscription?.cancel()
        follow()
    }
}

// MARK: The end

extension RedirectChain {
    private func stop(_ phase: TransportError.Phase, _ reason: TransportError.Reason) -> Subscribers.Demand {
        let subscription = state.withLock { $0.subscription }
        subscription?.cancel()
        fail(phase, reason)
        return .none
    }

    private func fail(_ phase: TransportError.Phase, _ reason: TransportError.Reason) {
        let url = state.withLock { $0.request.urlRequest.url }
        finish(.failure(TransportError(phase: phase, reason: reason, url: url)))
    }

    private func finish(_ completion: Subscribers.Completion<TransportError>) {
        let downstream = state.withLock { state in
            defer { state.close() }
            return state.downstream
        }
        downstream?.receive(completion: completion)
    }
}

extension RedirectChain.State {
    fileprivate enum Reception {
        case nothing
        case leave
        case pass(RedirectChain.Downstream)
        case exceed(limit: Int)
    }

    /// What becomes of so many bytes of a body, or of an event without any.
    fileprivate mutating func take(_ bytes: Int, from hop: RedirectChain.Hop) -> Reception {
        guard self.hop === hop, let downstream else { return .nothing }
        self.bytes += bytes
        if next != nil { return self.bytes > RedirectChain.drainedBytes && bytes > 0 ? .leave : .nothing }
        guard self.bytes <= request.limits.responseBytes else { return .exceed(limit: request.limits.responseBytes) }
        if demand > .none { demand -= .max(1) }
        return .pass(downstream)
    }

    /// Drops everything but what the caller has taken out to release it without the lock.
    fileprivate mutating func close() {
        downstream = nil
        hop = nil
        subscription = nil
        next = nil
    }
}

extension Subscribers.Completion<TransportError> {
    fileprivate var isTimeout: Bool {
        if case .failure(let error) = self, case .timedOut = error.reason { return true }
        return false
    }
}
