public import Basics

/// One subscriber of an ``Audience``, and what is due to it. The audience's lock guards it.
@usableFromInline struct Seat<Output, Failure: Error> {
    /// Seats are numbered in the order of subscription.
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
        self.number = number
        self.target = target
        self.round = round
    }

    /// Whether something has been left for this subscriber.
    @inlinable var hasBacklog: Bool { !pending.isEmpty || ending != nil || owesCurrent }

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
}

/// The subscription of the subscriber in one seat.
@usableFromInline final class Ticket<Output, Failure: Error>: Subscription, CustomStringConvertible {
    @usableFromInline let audience: Audience<Output, Failure>
    @usableFromInline let seat: Int
    @usableFromInline let name: StaticString

    @inlinable init(to audience: Audience<Output, Failure>, seat: Int, name: StaticString) {
        self.audience = audience
        self.seat = seat
        self.name = name
    }

    @usableFromInline var description: String { "\(name)" }

    @inlinable func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        audience.request(demand, by: seat)
    }

    @inlinable func cancel() { audience.dismiss(seat) }
}
