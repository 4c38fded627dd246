public import Basics

/// The decisions made under the lock.
extension Outlet.State {
    /// Delivers the value as soon as there is demand, and then asks for another one if the inlet's policy says so.
    @inlinable mutating func enqueue(_ value: inout Output?, from inlet: AnyInlet? = nil) {
        guard ending == nil, let value = value.take() else { return }
        queue.append((value, inlet?.policy.refills(under: demand) == true ? inlet : nil))
    }

    /// Delivers the value if there is demand for it.
    @inlinable mutating func offer(_ value: inout Output?) { if demand > queue.count { enqueue(&value) } }

    /// Ends the stream after the queued values or, on failure, at once. Publishers that have not ended are cancelled.
    @inlinable mutating func end(_ completion: Subscribers.Completion<Failure>) {
        guard ending == nil else { return }
        ending = completion
        if case .failure = completion { discardsQueue = true }
    }

    /// Ends the stream after the queued values, also on failure.
    @inlinable mutating func finish(_ completion: Subscribers.Completion<Failure>) {
        if ending == nil { ending = completion }
    }

    /// Ends the stream on failure, or once all publishers have ended.
    @inlinable mutating func settle(_ completion: Subscribers.Completion<Failure>) {
        if case .failure = completion { end(completion) } else if inlets.isEmpty { end(.finished) }
    }

    /// The inlets with a subscription. The others ask for values when theirs arrives.
    @inlinable var present: [AnyInlet] { awaited == 0 ? inlets : inlets.filter { $0.subscription != nil } }

    /// Adds an inlet. It is open if the stream is.
    @inlinable mutating func add(_ inlet: AnyInlet) {
        guard downstream != nil, ending == nil else { return }
        inlet.isOpen = true
        inlet.index = inlets.count
        inlets.append(inlet)
        awaited += 1
    }

    /// Closes an inlet. The result is to be released or cancelled outside the lock.
    @inlinable mutating func remove(_ inlet: AnyInlet) -> (any Subscription)? {
        inlet.isOpen = false
        inlets.swapAt(inlet.index, inlets.count - 1)
        inlets[inlet.index].index = inlet.index
        inlets.removeLast()
        if inlet.subscription == nil { awaited -= 1 }
        return inlet.subscription.take()
    }

    /// Closes all inlets. The result is to be cancelled outside the lock.
    @inlinable mutating func close() -> [any Subscription] {
        let subscriptions = inlets.compactMap { inlet in
            inlet.isOpen = false
            return inlet.subscription.take()
        }
        inlets = []
        awaited = 0
        return subscriptions
    }

    @inlinable mutating func takeQueue() -> Queue<(value: Output, inlet: AnyInlet?)> {
        var taken = Queue<(value: Output, inlet: AnyInlet?)>()
        swap(&queue, &taken)
        return taken
    }

    /// Returns the next event to deliver and sets `isDelivering`; without one, clears it.
    @inlinable mutating func next() -> Outlet.Event {
        guard let downstream else { return .nothing }
        isDelivering = true
        if ending != nil, discardsQueue || !inlets.isEmpty {
            defer { discardsQueue = false }
            return .close(close(), discardsQueue ? takeQueue() : Queue())
        }
        if demand > .none, let first = queue.popFirst() {
            demand -= 1
            return .value(first.value, from: first.inlet, to: downstream)
        }
        if queue.isEmpty, let ending {
            self.downstream = nil
            return .end(ending, downstream)
        }
        isDelivering = false
        return .nothing
    }
}
