public import Basics

/// An event that another thread has left for one subscriber.
@usableFromInline enum Delivery<Output, Failure: Error> {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
}

/// One thread's way through the subscribers that nobody else is delivering to.
@usableFromInline struct DeliveryRound {
    /// The number that marks its slots.
    @usableFromInline let number: Int
    /// The slot it is at; 0 before the first.
    @usableFromInline var slot: Int
    /// The index at which that slot was last found.
    @usableFromInline var index: Int
    /// Slots behind this one are none of its own.
    @usableFromInline let last: Int
    /// Whether something has been left for the subscriber it is at.
    @usableFromInline var isHeldUp = false

    /// A round to all slots up to the last, which begins at one of them.
    @inlinable init(number: Int, at slot: Int = 0, index: Int = 0, last: Int) {
        (self.number, self.slot, self.index, self.last) = (number, slot, index, last)
    }

    /// The part of it that is left at the slot it is at.
    @inlinable var rest: DeliveryRound { DeliveryRound(number: number, at: slot, index: index, last: slot) }
}

/// The decisions made under the lock, between the deliveries of a round.
extension Broadcast.State {
    /// Goes on to the next slot of the round from the one at `start`; returns the subscriber there.
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

    /// After something has been delivered: the next subscriber; nil if there is none, or if the round is held up.
    @inlinable mutating func settle(
        _ returned: Subscribers.Demand,
        in round: inout DeliveryRound
    ) -> AnySubscriber<Output, Failure>? {
        round.isHeldUp = false
        let index = position(of: round.slot, near: round.index)
        guard isSlot(round.slot, at: index) else { return advance(&round, from: index) }
        if slots[index].round == round.number { round.isHeldUp = slots[index].settle(returned) }
        return round.isHeldUp ? nil : advance(&round, from: index + 1)
    }

    /// The next event that has been left for a subscriber of the round; nil when there is none.
    @inlinable mutating func next(in round: inout DeliveryRound, returned: Subscribers.Demand) -> Delivery<
        Output, Failure
    >? {
        var index = position(of: round.slot, near: round.index)
        if isSlot(round.slot, at: index) { slots[index].demand += returned }
        while let target = advance(&round, from: index) {
            index = round.index
            if slots[index].owesCurrent { slots[index].greet(with: current) }
            if let left = slots[index].pending.popFirst() { return .value(left, target) }
            if let ending = slots[index].ending, !(slots[index].owesCurrent && memory == .only) {
                slots[index].target = nil
                slots[index].ending = nil
                tidy()
                return .end(ending, target)
            }
            slots[index].round = 0
        }
        return nil
    }

    @inlinable func isSlot(_ slot: Int, at index: Int) -> Bool { index < slots.count && slots[index].number == slot }

    /// The index of a slot, or of the one behind where it would be. It is mostly where it was.
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
