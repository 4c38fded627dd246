public import Basics

/// One subscriber of an ``Broadcast``, and what is due to it. The broadcast's lock guards it.
@usableFromInline struct SubscriberSlot<Output, Failure: Error> {
    /// Slots are numbered in the order of subscription.
    @usableFromInline let number: Int
    /// Nil once the stream is over for this subscriber.
    @usableFromInline var target: AnySubscriber<Output, Failure>?
    @usableFromInline var demand = Subscribers.Demand.none
    /// The round that is delivering to this subscriber, or is about to; everybody else leaves the event here. 0 is none.
    @usableFromInline var round: Int
    /// Whether the current value has still to be delivered, once there is demand.
    @usableFromInline var owesCurrent = false
    @usableFromInline var pending = Queue<Output>()
    @usableFromInline var ending: Subscribers.Completion<Failure>?

    @inlinable init(number: Int, target: AnySubscriber<Output, Failure>, round: Int) {
        (self.number, self.target, self.round) = (number, target, round)
    }

    /// Leaves the value owed, if there is demand for it.
    @inlinable mutating func greet(with current: Output?) {
        guard owesCurrent, demand > .none, let current else { return }
        owesCurrent = false
        demand -= 1
        pending.append(current)
    }

    /// Accepts `value` for `round` if there is demand for it.
    @inlinable mutating func accept(_ value: Output, for round: Int, orOweIt: Bool) {
        guard demand > .none, target != nil else {
            owesCurrent = orOweIt
            return
        }
        demand -= 1
        owesCurrent = false
        if self.round == 0 { self.round = round } else { pending.append(value) }
    }

    /// Counts the demand that came back for a value, and ends the round here unless something has been left, as it says.
    @inlinable mutating func settle(_ returned: Subscribers.Demand) -> Bool {
        if returned > .none { demand += returned }
        if !pending.isEmpty || ending != nil || owesCurrent { return true }
        round = 0
        return false
    }
}

/// The subscription of the subscriber in one slot.
@usableFromInline final class SlotSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible {
    @usableFromInline let broadcast: Broadcast<Output, Failure>
    @usableFromInline let slot: Int
    @usableFromInline let name: StaticString

    @inlinable init(to broadcast: Broadcast<Output, Failure>, slot: Int, name: StaticString) {
        (self.broadcast, self.slot, self.name) = (broadcast, slot, name)
    }

    @usableFromInline var description: String { "\(name)" }

    @inlinable func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        broadcast.request(demand, by: slot)
    }

    @inlinable func cancel() { broadcast.dismiss(slot) }
}
