import Basics
import HTTPTransport

/// Calls one after another, or the body of a response, which ``APIBase/cancelAll()`` ends. It is among the running work
/// until it is released.
package final class CancelableSeries: CancelableWork {
    private struct State {
        var place: Int?
        var isCanceled = false
        /// The closures that end the parts that run, by their numbers.
        var ends: [Int: () -> Void] = [:]
        var last = 0
    }

    let type: any AnyObject.Type
    var scopeOwner: AnyObject? { scope?.standInOwner }
    private let scope: CallScope?
    private let state = Locked(State())

    package init(of api: APIBase, in scope: CallScope?) {
        type = Swift.type(of: api)
        self.scope = scope
        let place = RunningCalls.shared.addWeakly(self)
        state.withLock { $0.place = place }
    }

    deinit {
        if let place = state.withLock({ $0.place }) { RunningCalls.shared.remove(place) }
    }

    var isCanceled: Bool { state.withLock { $0.isCanceled } }

    /// - Throws: `CancellationError` if the series has been canceled.
    package func check() throws {
        if isCanceled { throw CancellationError() }
    }

    /// Keeps what ends a part of the series, on any thread.
    ///
    /// - Returns: The number of the part; `nil` if the series has been canceled.
    func begin(_ end: @escaping () -> Void) -> Int? {
        state.withLockUnchecked { state in
            guard !state.isCanceled else { return nil }
            state.last += 1
            state.ends[state.last] = end
            return state.last
        }
    }

    func end(_ number: Int) {
        let end = state.withLockUnchecked { $0.ends.removeValue(forKey: number) }
        withExtendedLifetime(end) {}
    }

    func cancelWithAll() -> () -> Void {
        let ends = state.withLockUnchecked { state in
            defer { (state.isCanceled, state.ends) = (true, [:]) }
            return state.ends.sorted { $0.key < $1.key }.map(\.value)
        }
        return { for end in ends { end() } }
    }
}

extension Publisher where Failure == any Error {
    /// The values of a part of a series. It fails with `CancellationError` when the series is canceled. `end` is told
    /// of the subscription that reads, and of its end.
    package func cancelable(with series: CancelableSeries, ending end: StreamEnd? = nil) -> AnyPublisher<
        Output, any Error
    > {
        CancelablePublisher(upstream: self, series: series, end: end).eraseToAnyPublisher()
    }

    /// The values of a series that begins with each subscription.
    package func cancelable(as api: APIBase, in scope: CallScope?) -> AnyPublisher<Output, any Error> {
        Deferred { cancelable(with: CancelableSeries(of: api, in: scope)) }.eraseToAnyPublisher()
    }
}

private struct CancelablePublisher<Upstream: Publisher>: Publisher where Upstream.Failure == any Error {
    typealias Output = Upstream.Output
    typealias Failure = any Error

    let upstream: Upstream
    let series: CancelableSeries
    let end: StreamEnd?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = CancelableSubscription<Output>(series, ending: end, for: subscriber)
        subscription.begin { upstream.subscribe(subscription) }
    }
}

/// Passes values on until the series is canceled. The error waits for a value that is being delivered.
private final class CancelableSubscription<Output>: Subscriber, Subscription, Sendable {
    typealias Input = Output
    typealias Failure = any Error
    private typealias Downstream = any Subscriber<Output, any Error>

    private struct State {
        var downstream: (any Subscriber<Output, any Error>)?
        var upstream: (any Subscription)?
        /// The number of this part of the series.
        var number: Int?
        var demand = Subscribers.Demand.none
        /// The number of values that are being delivered, one inside the other.
        var deliveries = 0
        /// Whether the series has been canceled.
        var isCut = false
    }

    private let series: CancelableSeries
    private let end: StreamEnd?
    private let state: Locked<State>

    init(_ series: CancelableSeries, ending end: StreamEnd?, for downstream: any Subscriber<Output, any Error>) {
        (self.series, self.end) = (series, end)
        state = Locked(uncheckedState: State(downstream: downstream))
    }

    deinit {
        if let number = state.withLock({ $0.number }) { series.end(number) }
    }

    /// Subscribes to the values by `subscribe`, unless the series has been canceled.
    func begin(_ subscribe: () -> Void) {
        let downstream = state.withLockUnchecked { $0.downstream }
        downstream?.receive(subscription: self)
        guard let number = series.begin({ [weak self] in self?.cut() }) else { return cut() }
        state.withLock { $0.number = number }
        if state.withLock({ $0.downstream != nil }) { subscribe() }
    }

    private func cut() {
        let (downstream, upstream) = state.withLockUnchecked { state -> (Downstream?, (any Subscription)?) in
            state.isCut = true
            return (state.deliveries > 0 ? nil : state.downstream.take(), state.upstream.take())
        }
        upstream?.cancel()
        downstream?.receive(completion: .failure(CancellationError()))
    }

    // MARK: The subscription

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLockUnchecked { state in
            if state.upstream == nil { state.demand += demand }
            return state.upstream
        }
        if let upstream { pull(demand, from: upstream) }
    }

    private func pull(_ demand: Subscribers.Demand, from upstream: any Subscription) {
        guard demand > .none else { return }
        end?.begin(ObjectIdentifier(self))
        upstream.request(demand)
    }

    func cancel() {
        let (downstream, upstream) = state.withLockUnchecked { state -> (Downstream?, (any Subscription)?) in
            (state.downstream.take(), state.upstream.take())
        }
        end?.end(.failure(CancellationError()), of: ObjectIdentifier(self))
        upstream?.cancel()
        withExtendedLifetime(downstream) {}
    }

    // MARK: The subscriber

    func receive(subscription: any Subscription) {
        let demand = state.withLockUnchecked { state -> Subscribers.Demand? in
            guard state.downstream != nil, !state.isCut else { return nil }
            state.upstream = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        pull(demand, from: subscription)
    }

    func receive(_ value: Output) -> Subscribers.Demand {
        let downstream = state.withLockUnchecked { state -> Downstream? in
            guard !state.isCut, let downstream = state.downstream else { return nil }
            state.deliveries += 1
            return downstream
        }
        guard let downstream else { return .none }
        let demand = downstream.receive(value)
        let isCut = state.withLock { state in
            state.deliveries -= 1
            return state.isCut && state.deliveries == 0 && state.downstream.take() != nil
        }
        if isCut { downstream.receive(completion: .failure(CancellationError())) }
        return demand
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let (downstream, upstream) = state.withLockUnchecked { state -> (Downstream?, (any Subscription)?) in
            (state.downstream.take(), state.upstream.take())
        }
        var completion = completion
        // The cancel of the series may end the upstream before this reader is cut.
        if case .failure(let error) = completion {
            completion = .failure(series.isCanceled ? CancellationError() : error.without(end?.secrets ?? .none))
        }
        end?.end(completion, of: ObjectIdentifier(self))
        downstream?.receive(completion: completion)
        withExtendedLifetime(upstream) {}
    }
}
