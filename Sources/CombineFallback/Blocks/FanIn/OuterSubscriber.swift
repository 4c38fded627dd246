public import Basics

/// The subscriber of operators that turn upstream's values into publishers and deliver the values of those.
@usableFromInline final class OuterSubscriber<Input, Inner: Publisher>: AnyInlet, Subscriber {
    @usableFromInline typealias Failure = Inner.Failure

    @usableFromInline let outlet: Outlet<Inner.Output, Failure>
    @usableFromInline let transform: (Input) -> Inner
    /// Whether a new publisher replaces the one before.
    @usableFromInline let switches: Bool
    /// The value of a publisher that is known to have just one. It is delivered without a subscription.
    @usableFromInline let knownValue: ((Inner) -> Inner.Output?)?

    @inlinable init(
        _ outlet: Outlet<Inner.Output, Failure>,
        maxPublishers: Subscribers.Demand = .unlimited,
        switches: Bool = false,
        knownValue: ((Inner) -> Inner.Output?)? = nil,
        transform: @escaping (Input) -> Inner
    ) {
        (self.outlet, self.transform, self.switches) = (outlet, transform, switches)
        self.knownValue = knownValue
        super.init(.limited(maxPublishers))
        outlet.state.withLock { $0.add(self) }
    }

    /// Gives downstream its subscription, and then subscribes to upstream.
    @inlinable func start<P: Publisher>(with upstream: P) where P.Output == Input, P.Failure == Failure {
        outlet.start()
        if outlet.state.withLock({ _ in isOpen }) { upstream.attach(self) }
    }

    @inlinable var isUnlimited: Bool { policy.first(under: .none) == .unlimited }

    @inlinable func receive(subscription: any Subscription) { outlet.accept(subscription, for: self) }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        guard outlet.state.withLock({ _ in isOpen }) else { return .none }
        let inner = transform(input)
        if let known = knownValue?(inner) {
            var value: Inner.Output? = known
            outlet.act { if isOpen { $0.enqueue(&value) } }
            return isUnlimited ? .none : .max(1)
        }
        if switches { cancelOthers() }
        subscriber().attach(to: inner)
        return .none
    }

    /// Creates the subscriber of an inner publisher.
    @inlinable func subscriber() -> Inlet<Inner.Output, Failure, Inner.Output, Failure> {
        if switches || isUnlimited { return Inlet(merging: outlet, switches ? .asDemanded : .oneByOne) }
        return Inlet(passing: outlet, .oneByOne) { state, completion in
            state.settle(completion)
            return state.ending == nil ? self.requestAnother : nil
        }
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        outlet.close(self) { state in
            state.settle(completion)
            return nil
        }
    }

    @inlinable func requestAnother() { outlet.state.withLock { _ in subscription }?.request(.max(1)) }

    /// Cancels the previous inner publisher and drops those of its values that were not delivered.
    @inlinable func cancelOthers() {
        let dismissed = outlet.state.withLock { state in
            let others = state.inlets.filter { $0 !== self }
            return (others.compactMap { state.remove($0) }, state.takeQueue())
        }
        for subscription in dismissed.0 { subscription.cancel() }
    }
}
