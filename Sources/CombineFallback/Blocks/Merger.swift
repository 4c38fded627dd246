/// The subscriber of `flatMap`: subscribes to the publishers made of upstream's values, and merges theirs into one.
@usableFromInline
struct Merger<Input, Inner: Publisher, Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible
where Downstream.Input == Inner.Output, Downstream.Failure == Inner.Failure {
    @usableFromInline typealias Failure = Inner.Failure

    @usableFromInline
    struct State {
        @usableFromInline let downstream: Downstream
        @usableFromInline let transform: (Input) -> Inner
        @usableFromInline let maxPublishers: Subscribers.Demand
        @usableFromInline var upstream: (any Subscription)?
        @usableFromInline var hasUpstreamEnded = false
        @usableFromInline var inners: [Int: (any Subscription)?] = [:]
        @usableFromInline var count = 0
        /// Whether downstream wants everything, so that publishers are asked for all they have, not for one at a time.
        @usableFromInline var isUnlimited = false

        @inlinable
        init(_ downstream: Downstream, _ transform: @escaping (Input) -> Inner, _ maxPublishers: Subscribers.Demand) {
            self.downstream = downstream
            self.transform = transform
            self.maxPublishers = maxPublishers
        }
    }

    @usableFromInline let outlet: Outlet<Downstream>
    /// Nil once nothing more can come.
    @usableFromInline let state: Guarded<State?>

    @inlinable
    init(
        _ downstream: Downstream,
        transform: @escaping (Input) -> Inner,
        maxPublishers: Subscribers.Demand,
        failure: Failure.Type
    ) {
        outlet = Outlet(downstream)
        state = Guarded(State(downstream, transform, maxPublishers))
    }

    @usableFromInline var combineIdentifier: CombineIdentifier { state.identifier }
    @usableFromInline var description: String { "FlatMap" }
}

extension Merger {
    @inlinable
    func receive(subscription: any Subscription) {
        let accepted: State? = state.withLock { state in
            guard state != nil, state?.upstream == nil, state?.hasUpstreamEnded == false else { return nil }
            state?.upstream = subscription
            return state
        }
        guard let accepted else { return subscription.cancel() }
        accepted.downstream.receive(subscription: Link(self))
        let isOpen = state.withLock { $0 != nil }
        if isOpen, accepted.maxPublishers > .none { subscription.request(accepted.maxPublishers) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        let next: (transform: (Input) -> Inner, tag: Int)? = state.withLock { state in
            guard let current = state, !current.hasUpstreamEnded else { return nil }
            state?.count += 1
            state?.inners[current.count] = .some(nil)
            return (current.transform, current.count)
        }
        if let next { next.transform(input).attach(Branch(of: self, tag: next.tag)) }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished:
            let ended: (isLast: Bool, upstream: (any Subscription)?) = state.withLock { state in
                let upstream = state?.upstream
                state?.hasUpstreamEnded = true
                state?.upstream = nil
                return (state?.inners.isEmpty == true, upstream)
            }
            if ended.isLast { finish() }
        case .failure:
            stop(cancellingUpstream: false)
            outlet.finish(completion, discarding: true)
        }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        if demand == .unlimited { pullEverything() }
        outlet.request(demand, delivered: delivered)
    }

    @inlinable
    func cancel() {
        outlet.close()
        stop(cancellingUpstream: true)
    }

    @inlinable
    func delivered(tag: Int, returned: Subscribers.Demand) {
        if returned == .unlimited { pullEverything() }
        let inner = state.withLock { state in
            state?.isUnlimited == true ? nil : state?.inners[tag].flatMap { $0 }
        }
        inner?.request(.max(1))
    }

    @inlinable
    func pullEverything() {
        let inners: [any Subscription] = state.withLock { state in
            guard state?.isUnlimited == false else { return [] }
            state?.isUnlimited = true
            return state?.inners.values.compactMap { $0 } ?? []
        }
        for inner in inners { inner.request(.unlimited) }
    }

    @inlinable
    func finish() {
        stop(cancellingUpstream: false)
        outlet.finish(.finished, delivered: delivered)
    }

    @inlinable
    func stop(cancellingUpstream: Bool) {
        let last = state.withLock { $0.take() }
        if cancellingUpstream { last?.upstream?.cancel() }
        for case let inner? in last?.inners.values.map({ $0 }) ?? [] { inner.cancel() }
    }
}

extension Merger {
    /// The subscriber of one publisher.
    @usableFromInline
    struct Branch: Subscriber {
        @usableFromInline typealias Input = Inner.Output
        @usableFromInline typealias Failure = Inner.Failure

        @usableFromInline let merger: Merger
        @usableFromInline let tag: Int

        @inlinable
        init(of merger: Merger, tag: Int) {
            self.merger = merger
            self.tag = tag
        }

        @inlinable var combineIdentifier: CombineIdentifier { merger.combineIdentifier }

        @inlinable
        func receive(subscription: any Subscription) {
            let demand: Subscribers.Demand? = merger.state.withLock { state in
                guard let known = state?.inners[tag], known == nil else { return nil }
                state?.inners[tag] = subscription
                return state?.isUnlimited == true ? .unlimited : .max(1)
            }
            if let demand { subscription.request(demand) } else { subscription.cancel() }
        }

        @inlinable
        func receive(_ input: Inner.Output) -> Subscribers.Demand {
            merger.outlet.send(input, tag: tag, delivered: merger.delivered)
            return .none
        }

        @inlinable
        func receive(completion: Subscribers.Completion<Inner.Failure>) {
            let ended: Ended? = merger.state.withLock { state in
                guard let inner = state?.inners.removeValue(forKey: tag) else { return nil }
                return Ended(
                    inner: inner,
                    isLast: state?.hasUpstreamEnded == true && state?.inners.isEmpty == true,
                    upstream: state?.maxPublishers == .unlimited ? nil : state?.upstream
                )
            }
            guard let ended else { return }
            if case .failure = completion {
                merger.stop(cancellingUpstream: true)
                merger.outlet.finish(completion, discarding: true)
            } else if ended.isLast {
                merger.finish()
            } else {
                ended.upstream?.request(.max(1))
            }
        }
    }

    /// What is left of a publisher that has ended.
    @usableFromInline
    struct Ended {
        /// Travels out of the lock before it is released.
        @usableFromInline let inner: (any Subscription)?
        @usableFromInline let isLast: Bool
        /// Asked for another value, if the number of publishers is limited.
        @usableFromInline let upstream: (any Subscription)?

        @inlinable
        init(inner: (any Subscription)?, isLast: Bool, upstream: (any Subscription)?) {
            self.inner = inner
            self.isLast = isLast
            self.upstream = upstream
        }
    }
}
