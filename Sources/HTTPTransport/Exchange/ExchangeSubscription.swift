import Basics
import Foundation
package import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One subscription to ``HTTPSession/events(for:)``: hop after hop, with the limits on what comes back.
///
/// Demand that one hop has not used goes on to the next. The body of a redirect is read and dropped, so that the
/// connection can be used again, unless it is longer than that is worth.
package final class ExchangeSubscription: Subscription, Sendable {
    typealias Downstream = any ExchangeReader

    private let session: any HTTPSession
    private let state: Locked<ExchangeState>

    /// A subscription that starts nothing: the first demand does.
    package init(
        _ request: consuming ExchangeRequest,
        on session: any HTTPSession,
        for downstream: any ExchangeReader
    ) {
        self.session = session
        request.context = ExchangeContext()
        state = Locked(ExchangeState(request, for: downstream))
    }

    deinit { state.withLock { $0.close() }.context?.end() }

    /// Asks for more events.
    package func request(_ demand: Subscribers.Demand) {
        switch state.withLock({ $0.request(demand) }) {
        case .nothing: break
        case .begin(let request): begin(request)
        case .pass(let subscription): subscription.request(demand)
        }
    }

    /// Ends the exchange, and delivers nothing more.
    package func cancel() {
        let remains = state.withLock { $0.close() }
        remains.subscription?.cancel()
        remains.context?.end()
        withExtendedLifetime(remains) {}
    }

    private func begin(_ request: ExchangeRequest) {
        var request = request
        do throws(InvalidRequest) {
            try request.check()
        } catch {
            return fail(.request, .invalidRequest(error))
        }
        subscribe(to: request, number: 0)
    }

    private func subscribe(to request: ExchangeRequest, number: Int) {
        session.exchange(request).subscribe(HopSubscriber(exchange: self, number: number))
    }

    /// Goes on to the next hop, if there is one and the exchange has not been cancelled.
    private func follow() {
        if let (request, number) = state.withLock({ $0.follow() }) { subscribe(to: request, number: number) }
    }
}

// MARK: What one hop says

extension ExchangeSubscription {
    fileprivate func receive(_ subscription: any Subscription, from number: Int) {
        guard let demand = state.withLock({ $0.adopt(subscription, from: number) }) else {
            return subscription.cancel()
        }
        if demand > .none { subscription.request(demand) }
    }

    fileprivate func receive(_ event: ExchangeEvent, from number: Int) -> Subscribers.Demand {
        switch state.withLock({ $0.take(event, from: number) }) {
        case .nothing: return .none
        case .drain: return .unlimited
        case .abandon(let subscription):
            subscription?.cancel()
            follow()
            return .none
        case .pass(let downstream): return pass(event, to: downstream)
        case .respond(let downstream, let context):
            context?.end()
            return pass(event, to: downstream)
        case .stop(let phase, let reason, let subscription):
            subscription?.cancel()
            fail(phase, reason)
            return .none
        }
    }

    private func pass(_ event: ExchangeEvent, to downstream: Downstream) -> Subscribers.Demand {
        let more = downstream.receive(event)
        if more > .none { state.withLock { $0.add(more) } }
        return more
    }

    fileprivate func receive(_ completion: Subscribers.Completion<TransportError>, from number: Int) {
        switch state.withLock({ $0.endsRedirect(by: completion, from: number) }) {
        case nil: break
        case true?: follow()
        case false?: finish(completion)
        }
    }

    private func fail(_ phase: TransportError.Phase, _ reason: TransportError.Reason) {
        let url = state.withLock { $0.url }
        finish(.failure(TransportError(phase: phase, reason: reason, url: url)))
    }

    private func finish(_ completion: Subscribers.Completion<TransportError>) {
        let remains = state.withLock { $0.close() }
        remains.context?.end()
        remains.downstream?.receive(completion: completion)
        withExtendedLifetime(remains) {}
    }
}

/// The subscriber of one hop: what it says carries the hop's number, so that a hop that was left is not heard any more.
private struct HopSubscriber: Subscriber {
    let exchange: ExchangeSubscription
    let number: Int

    var combineIdentifier: CombineIdentifier { CombineIdentifier(exchange) }

    func receive(subscription: any Subscription) { exchange.receive(subscription, from: number) }
    func receive(_ input: ExchangeEvent) -> Subscribers.Demand { exchange.receive(input, from: number) }
    func receive(completion: Subscribers.Completion<TransportError>) { exchange.receive(completion, from: number) }
}
