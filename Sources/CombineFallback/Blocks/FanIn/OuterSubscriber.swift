public import Basics

/// The subscriber of operators that make publishers of upstream's values, and deliver what those deliver.
@usableFromInline final class OuterSubscriber<Input, Inner: Publisher>: AnyInlet, Subscriber {
    @usableFromInline typealias Failure = Inner.Failure

    @usableFromInline let outlet: Outlet<Inner.Output, Failure>
    @usableFromInline let transform: (Input) -> Inner
    /// Whether a new publisher takes the place of the one before.
    @usableFromInline let switches: Bool

    @inlinable init(
        _ outlet: Outlet<Inner.Output, Failure>,
        maxPublishers: Subscribers.Demand = .unlimited,
        switches: Bool = false,
        transform: @escaping (Input) -> Inner
    ) {
        (self.outlet, self.transform, self.switches) = (outlet, transform, switches)
        super.init(.few(maxPublishers))
        outlet.state.withLock { $0.add(self) }
    }

    /// Gives downstream its subscription, and then subscribes to the publisher whose values are made into publishers.
    @inlinable func begin<P: Publisher>(with upstream: P) where P.Output == Input, P.Failure == Failure {
        outlet.begin()
        if outlet.state.withLock({ _ in isOpen }) { upstream.attach(self) }
    }

    @inlinable var isUnlimited: Bool { policy.first(under: .none) == .unlimited }

    @inlinable func receive(subscription: any Subscription) { outlet.adopt(subscription, for: self) }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        guard outlet.state.withLock({ _ in isOpen }) else { return .none }
        let inner = transform(input)
        if !switches, let known = Self.value(of: inner) {
            var value: Inner.Output? = known
            outlet.act { if isOpen { $0.enqueue(&value) } }
            return isUnlimited ? .none : .max(1)
        }
        if switches { dismissOthers() }
        subscriber().attach(to: inner)
        return .none
    }

    /// The subscriber of one more publisher.
    @inlinable func subscriber() -> Inlet<Inner.Output, Failure, Inner.Output, Failure> {
        if switches || isUnlimited { return Inlet(merging: outlet, switches ? .asDemanded : .oneByOne) }
        return Inlet(passing: outlet, .oneByOne) { state, completion in
            state.settle(completion)
            return state.ending == nil ? self.askForAnother : nil
        }
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        outlet.close(self) { state in
            state.settle(completion)
            return nil
        }
    }

    @inlinable func askForAnother() { outlet.state.withLock { _ in subscription }?.request(.max(1)) }

    /// Cancels the publisher whose turn is over, and drops what of its values has not been delivered.
    @inlinable func dismissOthers() {
        let dismissed = outlet.state.withLock { state in
            let others = state.inlets.filter { $0 !== self }
            return (others.compactMap { state.remove($0) }, state.takeQueue())
        }
        for subscription in dismissed.0 { subscription.cancel() }
    }

    /// The one value of a publisher that has it at hand: there is no need to subscribe to that.
    @inlinable static func value(of inner: Inner) -> Inner.Output? {
        if Inner.self == Just<Inner.Output>.self { return (inner as? Just<Inner.Output>)?.output }
        guard Inner.self == Publishers.SetFailureType<Just<Inner.Output>, Failure>.self else { return nil }
        return (inner as? Publishers.SetFailureType<Just<Inner.Output>, Failure>)?.upstream.output
    }
}
