import Foundation
import HostileServer
import PortableCombine
import Testing

@testable import HTTPTransport

/// The state of an exchange and the hop it has just now, for tests of what follows from what.
struct TestedExchange {
    /// A hop that does nothing.
    final class Hop: EngineTask {
        let canPause: Bool
        let reportsConnection: Bool

        init(canPause: Bool = true, reportsConnection: Bool = true) {
            self.canPause = canPause
            self.reportsConnection = reportsConnection
        }

        func start(_ request: ExchangeRequest, observer: any EngineTaskObserver) {}
        func setPaused(_ paused: Bool) {}
        func cancel() {}
    }

    /// A reader that is told nothing.
    final class Reader: ExchangeReader, WholeReader {
        func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand { .none }
        func receive(_ head: ResponseHead) {}
        func receive(_ progress: ExchangeRequest.Progress) {}
        func receive(whole data: Data, after head: ResponseHead) {}
        func receive(completion: Subscribers.Completion<TransportError>) {}
    }

    var state: ExchangeState
    var hop: Hop

    /// An exchange whose first hop has been started, if there is demand.
    init(
        _ request: ExchangeRequest,
        for reading: Exchange.Reading,
        on hop: Hop = Hop(),
        demand: Subscribers.Demand = .unlimited
    ) {
        self.hop = hop
        state = ExchangeState(request, for: reading)
        guard demand > .none else { return }
        #expect(state.request(demand).start != nil, "The first demand starts the exchange.")
        #expect(state.adopt(hop) == true)
    }

    mutating func begin(at now: UInt64 = 0) -> ExchangeState.Action { state.began(hop, at: now) }

    mutating func connected(at now: UInt64 = 0) { state.connected(hop, at: now) }

    mutating func take(_ event: ExchangeRequest.Event, at now: UInt64 = 0) -> ExchangeState.Action {
        state.take(event, from: hop, at: now)
    }

    mutating func finish(_ failure: EngineFailure? = nil) -> ExchangeState.Action {
        state.finished(failure, from: hop, at: 0)
    }

    mutating func next(adding more: Subscribers.Demand = .none) -> ExchangeState.Step? {
        state.nextStep(adding: more, at: 0)
    }

    mutating func nextPause(at now: UInt64 = 0, continuing: Bool) -> Bool? {
        state.nextPause(of: hop, at: now, continuing: continuing)
    }

    /// Whether an action has no effect.
    static func isNothing(_ action: ExchangeState.Action) -> Bool {
        !action.cancels && !action.delivers && !action.regulates && action.start == nil && action.deadline == nil
            && action.alarm == nil
    }
}
