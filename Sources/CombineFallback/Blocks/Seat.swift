/// One subscriber of an ``Audience``. The audience's lock guards everything in it that changes.
@usableFromInline
final class Seat<Output, Failure: Error>: Subscription, CustomStringConvertible {
    @usableFromInline let audience: Audience<Output, Failure>
    @usableFromInline let name: StaticString
    /// Nil once the stream is over for this subscriber.
    @usableFromInline var target: AnySubscriber<Output, Failure>?
    @usableFromInline var demand = Subscribers.Demand.none
    /// Whether somebody is delivering to this subscriber, or is about to. Everybody else leaves the event here.
    @usableFromInline var isBusy = true
    /// Whether the current value has still to be delivered, once there is demand.
    @usableFromInline var owesCurrent = false
    @usableFromInline var pending = Queue<Output>()
    @usableFromInline var ending: Subscribers.Completion<Failure>?

    @inlinable
    init(
        in audience: Audience<Output, Failure>,
        for target: AnySubscriber<Output, Failure>,
        name: StaticString
    ) {
        self.audience = audience
        self.target = target
        self.name = name
    }

    @usableFromInline var description: String { "\(name)" }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        audience.request(demand, by: self)
    }

    @usableFromInline
    func cancel() { audience.dismiss(self) }

    /// Under the audience's lock: leaves the value owed, if there is demand for it.
    @inlinable
    func greet(with current: Output?) {
        guard owesCurrent, demand > .none, let current else { return }
        owesCurrent = false
        demand -= 1
        pending.append(current)
    }

    /// Under the audience's lock: accepts `value` if there is demand for it; whether the caller must deliver it.
    @inlinable
    func accept(_ value: Output, orOweIt: Bool) -> Bool {
        guard demand > .none else {
            owesCurrent = orOweIt
            return false
        }
        demand -= 1
        owesCurrent = false
        if isBusy {
            pending.append(value)
            return false
        }
        isBusy = true
        return true
    }
}
