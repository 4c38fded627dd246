/// The subscriber of one publisher that feeds an ``Outlet``.
@usableFromInline final class Inlet<Input, InputFailure: Error, Output, Failure: Error>: AnyInlet, Subscriber {
    @usableFromInline typealias State = Outlet<Output, Failure>.State
    /// Work to be done when the lock has been given back.
    @usableFromInline typealias Work = () -> Void
    /// Runs under the lock: takes the value, or leaves in its place what is to be released outside.
    @usableFromInline typealias Take = (inout State, inout Input?, AnyInlet) -> Work?
    /// Runs under the lock, after the inlet has been closed.
    @usableFromInline typealias End = (inout State, Subscribers.Completion<InputFailure>) -> Work?

    @usableFromInline let outlet: Outlet<Output, Failure>
    @usableFromInline let take: Take
    @usableFromInline let end: End

    @inlinable init(
        _ outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        begins: Bool = false,
        schedule: ((@escaping () -> Void) -> Void)? = nil,
        take: @escaping Take,
        end: @escaping End
    ) {
        (self.outlet, self.take, self.end) = (outlet, take, end)
        super.init(policy, begins: begins, schedule: schedule)
        outlet.state.withLock { $0.add(self) }
    }

    /// Subscribes to the publisher, unless the stream is over, or is about to be for an error.
    @inlinable func attach<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == InputFailure {
        if outlet.state.withLock({ isOpen && !$0.discards }) { publisher.attach(self) }
    }

    @inlinable func receive(subscription: any Subscription) { outlet.adopt(subscription, for: self) }

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
    /// An inlet whose end is the stream's.
    @inlinable convenience init(
        _ outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        begins: Bool = false,
        take: @escaping Take
    ) {
        self.init(outlet, policy, begins: begins, take: take) { state, completion in
            state.end(completion)
            return nil
        }
    }
}

extension Inlet where Input == Output {
    /// An inlet that passes values on.
    @inlinable convenience init(
        passing outlet: Outlet<Output, Failure>,
        _ policy: DemandPolicy,
        begins: Bool = false,
        end: @escaping End
    ) {
        let pass: Take = { state, value, inlet in
            state.enqueue(&value, from: inlet)
            return nil
        }
        self.init(outlet, policy, begins: begins, take: pass, end: end)
    }
}

extension Inlet where Input == Output, InputFailure == Failure {
    /// An inlet that passes values on, and whose end is the stream's once no other inlet is open.
    @inlinable convenience init(merging outlet: Outlet<Output, Failure>, _ policy: DemandPolicy, begins: Bool = false) {
        self.init(passing: outlet, policy, begins: begins) { state, completion in
            state.settle(completion)
            return nil
        }
    }
}

extension Outlet {
    /// Passes on the values of one publisher after another, asked for what is still asked for.
    @inlinable func follow<P: Publisher>(
        _ publisher: P,
        begins: Bool = false,
        end: @escaping Inlet<Output, P.Failure, Output, Failure>.End
    ) where P.Output == Output {
        Inlet(passing: self, .asDemanded, begins: begins, end: end).attach(to: publisher)
    }

    /// Passes on the values of the last publisher, and its end.
    @inlinable
    func follow<P: Publisher>(_ publisher: P, begins: Bool = false) where P.Output == Output, P.Failure == Failure {
        Inlet(merging: self, .asDemanded, begins: begins).attach(to: publisher)
    }

    /// An inlet for one of several publishers. What is returned subscribes to it.
    @inlinable func inlet<P: Publisher>(_ publisher: P) -> () -> Void where P.Output == Output, P.Failure == Failure {
        let inlet = Inlet(merging: self, .oneByOne)
        return { inlet.attach(to: publisher) }
    }
}
