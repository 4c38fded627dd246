public import Basics

/// One subscriber of a ``Broadcast`` and the events that wait for it. The broadcast's lock protects it.
@usableFromInline struct SubscriberSlot<Output, Failure: Error> {
    /// The number in the order of subscription.
    @usableFromInline let number: Int
    /// Nil once the stream has ended for this subscriber.
    @usableFromInline var target: AnySubscriber<Output, Failure>?
    @usableFromInline var demand = Subscribers.Demand.none
    /// The round that delivers to this subscriber, or 0. Meanwhile other threads leave their events here.
    @usableFromInline var round: Int
    /// Whether the current value is to be delivered when there is demand.
    @usableFromInline var needsCurrent = false
    @usableFromInline var pending = Queue<Output>()
    @usableFromInline var ending: Subscribers.Completion<Failure>?

    @inlinable init(number: Int, target: AnySubscriber<Output, Failure>, round: Int) {
        (self.number, self.target, self.round) = (number, target, round)
    }

    /// Queues the current value if it is to be delivered and there is demand.
    @inlinable mutating func queueCurrent(_ current: Output?) {
        guard needsCurrent, demand > .none, let current else { return }
        needsCurrent = false
        demand -= 1
        pending.append(current)
    }

    /// Reserves this slot for `round`, or queues `value`, if there is demand.
    @inlinable mutating func accept(_ value: Output, for round: Int, elseNeedsIt: Bool) {
        guard demand > .none, target != nil else {
            needsCurrent = elseNeedsIt
            return
        }
        demand -= 1
        needsCurrent = false
        if self.round == 0 { self.round = round } else { pending.append(value) }
    }

    /// Adds the demand returned for a value. Returns whether events wait; if not, the round leaves this slot.
    @inlinable mutating func settle(_ returned: Subscribers.Demand) -> Bool {
        if returned > .none { demand += returned }
        if !pending.isEmpty || ending != nil || needsCurrent { return true }
        round = 0
        return false
    }
}

/// The subscription of one slot's subscriber.
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

    @inlinable func cancel() { broadcast.unsubscribe(slot) }
}
