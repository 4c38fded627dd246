/// The subscriber of one publisher that feeds an ``Outlet``.
@usableFromInline final class Inlet<Input, InputFailure: Error, Output, Failure: Error>: AnyInlet, Subscriber {
    @usableFromInline typealias State = Outlet<Output, Failure>.State
    /// Work for after the lock has been released.
    @usableFromInline typealias Work = () -> Void
    /// Runs under the lock. It takes the value, or replaces it by what is to be released outside the lock.
    @usableFromInline typealias Take = (inout State, inout Input?, AnyInlet) -> Work?
    /// Runs under the lock, after the inlet was closed.
    @usableFromInline typealias End = (inout State, Subscribers.Completion<InputFailure>) -> Work?

    @usableFromInline let outlet: Outlet<Output, Failure>
    @usableFromInline let take: Take
    @usableFromInline let end: End

    @inlinable init(
        _ outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        startsDownstream: Bool = false,
        schedule: ((@escaping () -> Void) -> Void)? = nil,
        take: @escaping Take,
        end: @escaping End
    ) {
        (self.outlet, self.take, self.end) = (outlet, take, end)
        super.init(policy, startsDownstream: startsDownstream, schedule: schedule)
        outlet.state.withLock { $0.add(self) }
    }

    /// Subscribes to the publisher, unless the stream has ended or is about to fail.
    @inlinable func attach<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == InputFailure {
        if outlet.state.withLock({ isOpen && !$0.discardsQueue }) { publisher.attach(self) }
    }

    @inlinable func receive(subscription: any Subscription) { outlet.accept(subscription, for: self) }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        var value: Input? = input
        let (work, event) = outlet.decide { isOpen ? take(&$0, &value, self) : nil }
        let more = outlet.run(event, for: self)
        work?()
        return more
    }

    @inlinable func receive(completion: Subscribers.Completion<InputFailure>) {
        outlet.close(self) { end(&$0, completion) }
    }
}

extension Inlet where InputFailure == Failure {
    /// Creates an inlet whose end is the stream's.
    @inlinable convenience init(
        _ outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        startsDownstream: Bool = false,
        take: @escaping Take
    ) {
        self.init(outlet, policy, startsDownstream: startsDownstream, take: take) { state, completion in
            state.end(completion)
            return nil
        }
    }
}

extension Inlet where Input == Output {
    /// Creates an inlet that passes values on.
    @inlinable convenience init(
        passing outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        startsDownstream: Bool = false,
        end: @escaping End
    ) {
        let pass: Take = { state, value, inlet in
            state.enqueue(&value, from: inlet)
            return nil
        }
        self.init(outlet, policy, startsDownstream: startsDownstream, take: pass, end: end)
    }
}

extension Inlet where Input == Output, InputFailure == Failure {
    /// Creates an inlet that passes values on. The stream finishes when all inlets have; a failure ends it at once.
    @inlinable convenience init(
        merging outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        startsDownstream: Bool = false
    ) {
        self.init(passing: outlet, policy, startsDownstream: startsDownstream) { state, completion in
            state.settle(completion)
            return nil
        }
    }
}

extension Outlet {
    /// Passes on the values of a publisher, which gets the demand that is left. `end` decides what follows it.
    @inlinable func forward<P: Publisher>(
        _ publisher: P,
        startsDownstream: Bool = false,
        end: @escaping Inlet<Output, P.Failure, Output, Failure>.End
    ) where P.Output == Output {
        Inlet(passing: self, .asDemanded, startsDownstream: startsDownstream, end: end).attach(to: publisher)
    }

    /// Passes on the values and the end of the last publisher.
    @inlinable
    func forward<P: Publisher>(_ publisher: P, startsDownstream: Bool = false)
    where P.Output == Output, P.Failure == Failure {
        Inlet(merging: self, .asDemanded, startsDownstream: startsDownstream).attach(to: publisher)
    }

    /// Opens an inlet for one of several publishers. The result subscribes to the publisher.
    @inlinable func inlet<P: Publisher>(_ publisher: P) -> () -> Void where P.Output == Output, P.Failure == Failure {
        let inlet = Inlet(merging: self, .oneByOne)
        return { inlet.attach(to: publisher) }
    }
}

/// An inlet without the type of its values. The lock of its ``Outlet`` protects its variables.
@usableFromInline class AnyInlet {
    @usableFromInline let policy: DemandPolicy
    /// Whether downstream gets its subscription when this publisher has sent one.
    @usableFromInline let startsDownstream: Bool
    /// Schedules a delivery; nil to deliver on the publisher's thread.
    @usableFromInline let schedule: ((@escaping () -> Void) -> Void)?
    @usableFromInline var isOpen = false
    /// Nil until it arrives, and once the inlet is closed.
    @usableFromInline var subscription: (any Subscription)?
    /// The index in the outlet's inlets.
    @usableFromInline var index = 0

    @inlinable init(
        _ policy: DemandPolicy,
        startsDownstream: Bool = false,
        schedule: ((@escaping () -> Void) -> Void)? = nil
    ) {
        (self.policy, self.startsDownstream, self.schedule) = (policy, startsDownstream, schedule)
    }
}

/// The demand of an inlet on its publisher.
@usableFromInline enum DemandPolicy {
    /// Unlimited, from the start.
    case all
    /// A number of values, and another one whenever one was delivered.
    case limited(Subscribers.Demand)
    /// The demand of downstream.
    case asDemanded
    /// One value, and another one when that was delivered; unlimited if downstream's demand is.
    case oneByOne

    /// The demand on the publisher when its subscription arrives, if downstream's demand is `demand`.
    @inlinable func first(under demand: Subscribers.Demand) -> Subscribers.Demand {
        switch self {
        case .all: .unlimited
        case .limited(let count): count
        case .asDemanded: demand
        case .oneByOne: demand == .unlimited ? demand : .max(1)
        }
    }

    /// Whether additional demand of downstream is passed on.
    @inlinable func passesOn(_ demand: Subscribers.Demand) -> Bool {
        switch self {
        case .asDemanded: true
        case .oneByOne: demand == .unlimited
        case .all, .limited: false
        }
    }

    /// Whether another value is asked for when one was delivered and downstream's demand is `demand`.
    @inlinable func refills(under demand: Subscribers.Demand) -> Bool {
        switch self {
        case .oneByOne: demand != .unlimited
        case .limited: true
        case .all, .asDemanded: false
        }
    }
}
