/// One delivery that is due to one subscriber.
@usableFromInline
enum Delivery<Output, Failure: Error> {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)

    /// Makes the call, and returns what the subscriber asks for in return.
    @inlinable
    func perform() -> Subscribers.Demand {
        switch self {
        case .value(let value, let target):
            return target.receive(value)
        case .end(let completion, let target):
            target.receive(completion: completion)
            return .none
        }
    }
}

/// One thread's way through subscribers that nobody else is delivering to: to each the value it set out with, and
/// whatever has been left there meanwhile.
@usableFromInline
struct Round<Output, Failure: Error> {
    @usableFromInline let seats: [Seat<Output, Failure>]
    @usableFromInline let value: Output?
    @usableFromInline var index = 0
    @usableFromInline var hasValue: Bool
    /// What the last delivery returned.
    @usableFromInline var returned = Subscribers.Demand.none

    @inlinable
    init(_ seats: [Seat<Output, Failure>], value: Output?) {
        self.seats = seats
        self.value = value
        hasValue = value != nil
    }

    /// Under the audience's lock: what to deliver next; nil when everybody has been served.
    @inlinable
    mutating func next(current: Output?, replays: Bool) -> Delivery<Output, Failure>? {
        while index < seats.count {
            let seat = seats[index]
            seat.demand += returned
            returned = .none
            if let target = seat.target {
                if hasValue, let value {
                    hasValue = false
                    return .value(value, target)
                }
                seat.greet(with: current)
                if let left = seat.pending.popFirst() { return .value(left, target) }
                if let ending = seat.ending, !(seat.owesCurrent && replays) {
                    seat.target = nil
                    return .end(ending, target)
                }
            }
            seat.isBusy = false
            index += 1
            hasValue = value != nil
        }
        return nil
    }
}
