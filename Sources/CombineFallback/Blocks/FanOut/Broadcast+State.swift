public import Basics

/// The decisions made under the lock.
extension Broadcast.State {
    /// Adds a slot for `target`. Returns the round to run when it has its subscription, or after the end the
    /// completion.
    @inlinable mutating func subscribe(
        _ target: AnySubscriber<Output, Failure>,
        of subject: AnyObject?
    ) -> (round: DeliveryRound?, refusal: Subscribers.Completion<Failure>?) {
        let needsCurrent = current != nil
        if let completion, !(memory == .only && needsCurrent) { return (nil, completion) }
        lastSlot += 1
        var slot = SubscriberSlot<Output, Failure>(number: lastSlot, target: target, round: 0)
        slot.needsCurrent = needsCurrent
        slot.ending = completion
        slots.append(slot)
        self.subject = subject
        return (round(at: slots.count - 1), nil)
    }

    /// Starts a round to one slot.
    @inlinable mutating func round(at index: Int) -> DeliveryRound {
        lastRound += 1
        slots[index].round = lastRound
        return DeliveryRound(number: lastRound, at: slots[index].number, index: index, last: slots[index].number)
    }

    /// Accepts `value` for all slots with demand. Returns the round to those that no other round is delivering to.
    @inlinable mutating func accept(_ value: Output) -> DeliveryRound {
        lastRound += 1
        for index in slots.indices { slots[index].accept(value, for: lastRound, elseNeedsIt: memory == .current) }
        return DeliveryRound(number: lastRound, last: lastSlot)
    }

    /// Ends the stream. Returns the round that delivers the end, and subscriptions to release outside the lock; nil if
    /// it has ended before.
    @inlinable mutating func end(
        with completion: Subscribers.Completion<Failure>,
        after only: Output?
    ) -> (round: DeliveryRound, upstreams: [any Subscription])? {
        guard self.completion == nil else { return nil }
        self.completion = completion
        if let only { current = only }
        lastRound += 1
        for index in slots.indices where slots[index].target != nil {
            if only != nil { slots[index].needsCurrent = true }
            slots[index].ending = completion
            if slots[index].round == 0 { slots[index].round = lastRound }
        }
        let last = upstreams
        upstreams = []
        return (DeliveryRound(number: lastRound, last: lastSlot), last)
    }

    /// Ends the stream for one subscriber. The result is to be released outside the lock.
    @inlinable mutating func clear(_ number: Int) -> SubscriberSlot<Output, Failure>? {
        let index = position(of: number)
        guard isSlot(number, at: index), slots[index].target != nil else { return nil }
        let left = slots[index]
        slots[index].target = nil
        slots[index].pending = Queue()
        slots[index].ending = nil
        compact()
        return left
    }

    /// Counts a slot as empty, and removes the empty slots when they are half of all.
    @inlinable mutating func compact() {
        empty += 1
        guard empty * 2 >= slots.count else { return }
        slots.removeAll { $0.target == nil }
        empty = 0
    }

    /// Takes the subject if it has no subscriber left, to be released outside the lock.
    @inlinable mutating func takeUnusedSubject() -> AnyObject? { slots.isEmpty ? subject.take() : nil }
}

/// An event that waits for one subscriber.
@usableFromInline enum Delivery<Output, Failure: Error> {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
}

/// A pass of one thread over the subscribers that no other thread is delivering to.
@usableFromInline struct DeliveryRound {
    /// The number that marks its slots.
    @usableFromInline let number: Int
    /// The current slot; 0 before the first.
    @usableFromInline var slot: Int
    /// The index at which that slot was last found.
    @usableFromInline var index: Int
    /// The last slot of the round.
    @usableFromInline let last: Int
    /// Whether events wait for the subscriber in the current slot.
    @usableFromInline var hasPending = false

    /// Creates a round from one slot to the last.
    @inlinable init(number: Int, at slot: Int = 0, index: Int = 0, last: Int) {
        (self.number, self.slot, self.index, self.last) = (number, slot, index, last)
    }

    /// The round to the current slot only.
    @inlinable var rest: DeliveryRound { DeliveryRound(number: number, at: slot, index: index, last: slot) }
}

/// The decisions made under the lock, between the deliveries of a round.
extension Broadcast.State {
    /// Moves to the next slot of the round at or after `start`. Returns its subscriber.
    @inlinable func advance(_ round: inout DeliveryRound, from start: Int) -> AnySubscriber<Output, Failure>? {
        var index = start
        while index < slots.count, slots[index].number <= round.last {
            if slots[index].round == round.number, let target = slots[index].target {
                (round.slot, round.index) = (slots[index].number, index)
                return target
            }
            index += 1
        }
        return nil
    }

    /// Returns the next subscriber after a delivery; nil after the last one, or if events wait for the current one.
    @inlinable mutating func settle(
        _ returned: Subscribers.Demand,
        in round: inout DeliveryRound
    ) -> AnySubscriber<Output, Failure>? {
        round.hasPending = false
        let index = position(of: round.slot, near: round.index)
        guard isSlot(round.slot, at: index) else { return advance(&round, from: index) }
        if slots[index].round == round.number { round.hasPending = slots[index].settle(returned) }
        return round.hasPending ? nil : advance(&round, from: index + 1)
    }

    /// The next event that waits for a subscriber of the round, or nil.
    @inlinable mutating func next(in round: inout DeliveryRound, returned: Subscribers.Demand) -> Delivery<
        Output, Failure
    >? {
        var index = position(of: round.slot, near: round.index)
        if isSlot(round.slot, at: index) { slots[index].demand += returned }
        while let target = advance(&round, from: index) {
            index = round.index
            if slots[index].needsCurrent { slots[index].queueCurrent(current) }
            if let left = slots[index].pending.popFirst() { return .value(left, target) }
            if let ending = slots[index].ending, !(slots[index].needsCurrent && memory == .only) {
                slots[index].target = nil
                slots[index].ending = nil
                compact()
                return .end(ending, target)
            }
            slots[index].round = 0
        }
        return nil
    }

    @inlinable func isSlot(_ slot: Int, at index: Int) -> Bool { index < slots.count && slots[index].number == slot }

    /// The index of a slot, or where it would be inserted. It is usually `index`.
    @inlinable func position(of slot: Int, near index: Int = 0) -> Int {
        if isSlot(slot, at: index) { return index }
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].number < slot { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
