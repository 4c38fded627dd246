import Foundation
import HTTPTransport
import Basics
import PortableCombine

/// The subscriber of a request that is passed through: what the real session tells goes to the stubbed exchange.
final class RealExchange: Subscriber, Sendable {
    typealias Input = ExchangeEvent
    typealias Failure = TransportError

    private struct State {
        var upstream: (any Subscription)?
        var isPaused = false
        var isOwed = false
        var isOver = false
    }

    private let exchange: StubExchange
    private let state = Locked(State())

    init(of exchange: StubExchange) { self.exchange = exchange }

    func receive(subscription: any Subscription) {
        let isWanted = state.withLock { state in
            if !state.isOver { state.upstream = subscription }
            return !state.isOver
        }
        guard isWanted else { return subscription.cancel() }
        exchange.observer?.began()
        subscription.request(.max(1))
    }

    func receive(_ event: ExchangeEvent) -> Subscribers.Demand {
        switch event {
        case .sent(let bytes, let expected): exchange.observer?.sent(bytes, expected: expected)
        case .head(let head): exchange.observer?.received(head)
        case .body(let data): exchange.observer?.received(data)
        }
        return state.withLock { state in
            state.isOwed = state.isPaused
            return state.isPaused ? .none : .max(1)
        }
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        state.withLock { $0 = State(isOver: true) }
        switch completion {
        case .finished: exchange.finish(nil)
        case .failure(let error): exchange.finish(EngineFailure(reason: error.reason, underlying: error.underlying))
        }
    }

    func setPaused(_ paused: Bool) {
        let upstream = state.withLock { state -> (any Subscription)? in
            state.isPaused = paused
            guard !paused, state.isOwed else { return nil }
            state.isOwed = false
            return state.upstream
        }
        upstream?.request(.max(1))
    }

    func cancel() {
        let upstream = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.upstream
        }
        upstream?.cancel()
    }
}

extension HTTPSession {
    /// One hop, read to its end.
    func reply(to request: ExchangeRequest) async throws -> StubReply {
        var head: ResponseHead?
        var data = Data()
        for try await event in exchange(request).values {
            switch event {
            case .sent: break
            case .head(let received): head = received
            case .body(let chunk): data.append(chunk)
            }
        }
        try Task.checkCancellation()
        guard let head else { throw CancellationError() }
        return StubReply(head, data: data)
    }
}
