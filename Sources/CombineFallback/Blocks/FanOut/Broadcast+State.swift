public import Basics

/// The decisions made under the lock.
extension Broadcast.State {
    /// A slot for `target` and a round to it, which begins once it has its subscription; or the end, which is all it gets.
    @inlinable mutating func admit(
        _ target: AnySubscriber<Output, Failure>,
        of subject: AnyObject?
    ) -> (round: DeliveryRound?, refusal: Subscribers.Completion<Failure>?) {
        let owesCurrent = current != nil
        if let completion, !(memory == .only && owesCurrent) { return (nil, completion) }
        lastSlot += 1
        var slot = SubscriberSlot<Output, Failure>(number: lastSlot, target: target, round: 0)
        slot.owesCurrent = owesCurrent
        slot.ending = completion
        slots.append(slot)
        self.subject = subject
        return (round(at: slots.count - 1), nil)
    }

    /// A round to one slot.
    @inlinable mutating func round(at index: Int) -> DeliveryRound {
        lastRound += 1
        slots[index].round = lastRound
        return DeliveryRound(number: lastRound, at: slots[index].number, index: index, last: slots[index].number)
    }

    /// Accepts `value` for everybody with demand; returns the round to those whom nobody else is delivering to.
    @inlinable mutating func accept(_ value: Output) -> DeliveryRound {
        lastRound += 1
        for index in slots.indices { slots[index].accept(value, for: lastRound, orOweIt: memory == .current) }
        return DeliveryRound(number: lastRound, last: lastSlot)
    }

    /// Ends the stream: the round that delivers the end, and what is to be let go of outside; nil if it has ended before.
    ///
    /// An only value is owed to everybody.
    @inlinable mutating func end(
        with completion: Subscribers.Completion<Failure>,
        after only: Output?
    ) -> (round: DeliveryRound, upstreams: [any Subscription])? {
        guard self.completion == nil else { return nil }
        self.completion = completion
        if let only { current = only }
        lastRound += 1
        for index in slots.indices where slots[index].target != nil {
            if only != nil { slots[index].owesCurrent = true }
            slots[index].ending = completion
            if slots[index].round == 0 { slots[index].round = lastRound }
        }
        let last = upstreams
        upstreams = []
        return (DeliveryRound(number: lastRound, last: lastSlot), last)
    }

    /// Ends the stream for one subscriber; returns what is to be let go of outside.
    @inlinable mutating func empty(_ number: Int) -> SubscriberSlot<Output, Failure>? {
        let index = position(of: number)
        guard isSlot(number, at: index), slots[index].target != nil else { return nil }
        let left = slots[index]
        slots[index].target = nil
        slots[index].pending = Queue()
        slots[index].ending = nil
        tidy()
        return left
    }

    /// Counts one more slot that has been left, and clears them away when they are half of all.
    @inlinable mutating func tidy() {
        empty += 1
        guard empty * 2 >= slots.count else { return }
        slots.removeAll { $0.target == nil }
        empty = 0
    }

    /// The subject that has no subscriber left, to be let go of outside.
    @inlinable mutating func subjectOfNobody() -> AnyObject? { slots.isEmpty ? subject.take() : nil }
}
