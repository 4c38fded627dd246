import Dispatch
import Foundation
import HTTPTransport
import Locking
import PortableCombine

/// A subscriber that keeps what it gets, notes when it should not have got it, and can be waited for.
final class Recorder<Input, Failure: Error>: Subscriber, Sendable {
    struct Record {
        var values: [Input] = []
        var completion: Subscribers.Completion<Failure>?
        var completions = 0
        var subscription: (any Subscription)?
        var isInside = false
        var overlaps = 0
        var deliveries = 0
        var threads: Set<String> = []
        var waiters: [@Sendable () -> Void] = []
    }

    let record = Locked(Record())
    private let demand: Subscribers.Demand
    private let onValue: (@Sendable (Recorder) -> Subscribers.Demand)?

    init(_ demand: Subscribers.Demand = .unlimited, onValue: (@Sendable (Recorder) -> Subscribers.Demand)? = nil) {
        self.demand = demand
        self.onValue = onValue
    }

    func receive(subscription: any Subscription) {
        record.withLock { $0.subscription = subscription }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        enter { $0.values.append(input) }
        let more = onValue?(self) ?? .none
        leave()
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        enter { record in
            record.completion = completion
            record.completions += 1
        }
        leave()
    }

    func request(_ demand: Subscribers.Demand) { record.withLock { $0.subscription }?.request(demand) }
    func cancel() { record.withLock { $0.subscription }?.cancel() }

    var values: [Input] { record.withLock { $0.values } }
    var completion: Subscribers.Completion<Failure>? { record.withLock { $0.completion } }
    var deliveries: Int { record.withLock { $0.deliveries } }
    var overlaps: Int { record.withLock { $0.overlaps } }
    var completions: Int { record.withLock { $0.completions } }

    private func enter(_ change: (inout Record) -> Void) {
        let waiters = record.withLock { record -> [@Sendable () -> Void] in
            if record.isInside { record.overlaps += 1 }
            record.isInside = true
            record.deliveries += 1
            change(&record)
            defer { record.waiters = [] }
            return record.waiters
        }
        for waiter in waiters { waiter() }
    }

    private func leave() { record.withLock { $0.isInside = false } }

    /// Waits until the record is as `condition` asks; false when the time is up.
    func wait(
        _ limit: Duration = .seconds(20),
        until condition: @escaping @Sendable (borrowing Record) -> Bool
    ) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !record.withLock({ condition($0) }) {
            guard ContinuousClock.now < deadline else { return false }
            await nextChange(unless: condition)
        }
        return true
    }

    /// Returns when something has come, or a little later.
    private func nextChange(unless condition: @escaping @Sendable (borrowing Record) -> Bool) async {
        await withCheckedContinuation { continuation in
            let once = Once { continuation.resume() }
            let isMet = record.withLock { record in
                if !condition(record) { record.waiters.append { once.run() } }
                return condition(record)
            }
            if isMet { once.run() } else { Ticker.shared.add(once) }
        }
    }

    /// Waits for the end; nil when the time is up.
    func end(_ limit: Duration = .seconds(20)) async -> Subscribers.Completion<Failure>? {
        _ = await wait(limit) { $0.completion != nil }
        return completion
    }
}
