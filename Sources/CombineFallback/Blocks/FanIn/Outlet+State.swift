public import Basics

/// The steps of ports, taken under the lock.
extension Outlet.State {
    /// Delivers the value as soon as there is demand for it. Then its inlet is refilled, if that is what the inlet wants.
    @inlinable mutating func enqueue(_ value: inout Output?, from inlet: AnyInlet? = nil) {
        guard ending == nil, let value = value.take() else { return }
        queue.append((value, inlet?.policy.refills(under: demand) == true ? inlet : nil))
    }

    /// Delivers the value if there is demand left for it.
    @inlinable mutating func offer(_ value: inout Output?) { if demand > queue.count { enqueue(&value) } }

    /// Ends the stream after what is queued, or, for an error, at once. The publishers that have not ended are cancelled.
    @inlinable mutating func end(_ completion: Subscribers.Completion<Failure>) {
        guard ending == nil else { return }
        ending = completion
        if case .failure = completion { discards = true }
    }

    /// Ends the stream after what is queued, also for an error.
    @inlinable mutating func finish(_ completion: Subscribers.Completion<Failure>) {
        if ending == nil { ending = completion }
    }

    /// Ends the stream for an error, or once all publishers have ended.
    @inlinable mutating func settle(_ completion: Subscribers.Completion<Failure>) {
        if case .failure = completion { end(completion) } else if inlets.isEmpty { end(.finished) }
    }

    /// The publishers that have sent their subscription. Whoever is still to come is asked then.
    @inlinable var present: [AnyInlet] { missing == 0 ? inlets : inlets.filter { $0.subscription != nil } }

    /// A new inlet is open if the stream is.
    @inlinable mutating func add(_ inlet: AnyInlet) {
        guard downstream != nil, ending == nil else { return }
        inlet.isOpen = true
        inlet.index = inlets.count
        inlets.append(inlet)
        missing += 1
    }

    /// Closes a inlet that has ended, or is to be cancelled. What is returned is released outside the lock.
    @inlinable mutating func remove(_ inlet: AnyInlet) -> (any Subscription)? {
        inlet.isOpen = false
        inlets.swapAt(inlet.index, inlets.count - 1)
        inlets[inlet.index].index = inlet.index
        inlets.removeLast()
        if inlet.subscription == nil { missing -= 1 }
        return inlet.subscription.take()
    }

    /// Closes all inlets. What is returned is cancelled outside the lock.
    @inlinable mutating func close() -> [any Subscription] {
        let subscriptions = inlets.compactMap { inlet in
            inlet.isOpen = false
            return inlet.subscription.take()
        }
        inlets = []
        missing = 0
        return subscriptions
    }

    @inlinable mutating func takeQueue() -> Queue<(value: Output, inlet: AnyInlet?)> {
        var taken = Queue<(value: Output, inlet: AnyInlet?)>()
        swap(&queue, &taken)
        return taken
    }

    /// The next event that may be delivered, and then somebody is delivering; or nothing, and nobody is.
    @inlinable mutating func next() -> Outlet.Event {
        guard let downstream else { return .nothing }
        isBusy = true
        if ending != nil, discards || !inlets.isEmpty {
            defer { discards = false }
            return .close(close(), discards ? takeQueue() : Queue())
        }
        if demand > .none, let first = queue.popFirst() {
            demand -= 1
            return .value(first.value, from: first.inlet, to: downstream)
        }
        if queue.isEmpty, let ending {
            self.downstream = nil
            return .end(ending, downstream)
        }
        isBusy = false
        return .nothing
    }
}
