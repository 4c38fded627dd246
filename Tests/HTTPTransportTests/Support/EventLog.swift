import Foundation
import HostileServer
import HTTPTransport
import Basics
import PortableCombine

/// A subscriber that keeps what it gets, and asks for no more than it is told to.
final class EventLog: Subscriber, Sendable {
    typealias Input = ExchangeRequest.Event
    typealias Failure = TransportError

    private struct State {
        var subscription: (any Subscription)?
        var events: [ExchangeRequest.Event] = []
        var ends = 0
        var isInside = false
        var overlaps = 0
        var lastCount: (count: Int, reached: Later<Void>)?

        mutating func enter() {
            if isInside { overlaps += 1 }
            isInside = true
        }
    }

    private let state = Locked(State())
    private let demand: Subscribers.Demand
    private let reaction: @Sendable (ExchangeRequest.Event) -> Subscribers.Demand
    private let ended: @Sendable () -> Void

    /// The error of the completion: nil for the proper end.
    let end = Later<TransportError?>()

    init(
        demand: Subscribers.Demand = .unlimited,
        _ reaction: @escaping @Sendable (ExchangeRequest.Event) -> Subscribers.Demand = { _ in .none },
        ended: @escaping @Sendable () -> Void = {}
    ) {
        self.demand = demand
        self.reaction = reaction
        self.ended = ended
    }

    /// A slow reader: takes so long for each event.
    static func slow(_ time: Duration) -> EventLog {
        let microseconds = UInt32(time / .microseconds(1))
        return EventLog { _ in
            usleep(microseconds)
            return .none
        }
    }

    var events: [ExchangeRequest.Event] { state.withLock { $0.events } }
    var ends: Int { state.withLock { $0.ends } }

    /// The number of events that came while another was being received.
    var overlaps: Int { state.withLock { $0.overlaps } }

    var data: Data {
        events.reduce(into: Data()) { data, event in
            if case .body(let chunk) = event { data.append(chunk) }
        }
    }

    var head: ResponseHead? {
        for case .head(let head) in events { return head }
        return nil
    }

    /// Bytes of the request's body that have been sent, as the last event has it that says so.
    var sentBytes: Int64 {
        for case .sent(let bytes, _) in events.reversed() { return bytes }
        return 0
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.subscription }?.request(demand)
    }

    func cancel() {
        state.withLock { $0.subscription }?.cancel()
    }

    /// Lets go of the subscription, which need not let go of this.
    func forget() {
        let subscription = state.withLock { state in
            defer { state.subscription = nil }
            return state.subscription
        }
        _ = subscription
    }

    /// Waits until so many events have come.
    func wait(for count: Int) async throws {
        let reached = Later<Void>()
        let isReached = state.withLock { state in
            state.lastCount = (count, reached)
            return state.events.count >= count
        }
        if isReached { reached.set() }
        try await reached.value()
    }

    func receive(subscription: any Subscription) {
        state.withLockUnchecked { $0.subscription = subscription }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ event: ExchangeRequest.Event) -> Subscribers.Demand {
        let reached = state.withLock { state -> Later<Void>? in
            state.enter()
            state.events.append(event)
            guard let lastCount = state.lastCount, state.events.count >= lastCount.count else { return nil }
            return lastCount.reached
        }
        reached?.set()
        let more = reaction(event)
        state.withLock { $0.isInside = false }
        return more
    }

    func receive(completion: Subscribers.Completion<TransportError>) {
        state.withLock { state in
            state.enter()
            state.ends += 1
            state.isInside = false
        }
        switch completion {
        case .finished: end.set(nil)
        case .failure(let error): end.set(error)
        }
        ended()
    }
}
