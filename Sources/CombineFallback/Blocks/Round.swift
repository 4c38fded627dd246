/// One delivery that is due to one subscriber.
@usableFromInline enum Delivery<Output, Failure: Error> {
    /// The value that the round has set out with.
    case own(AnySubscriber<Output, Failure>)
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
}

/// One thread's way through the subscribers that nobody else is delivering to: to each the value it has set out with,
/// and whatever has been left there meanwhile.
@usableFromInline struct Round {
    /// What its seats are marked with.
    @usableFromInline let number: Int
    /// The seat it is at; 0 before the first.
    @usableFromInline var seat: Int
    /// Where that seat was when it was last looked at.
    @usableFromInline var index = 0
    /// Seats behind this one are none of its own.
    @usableFromInline let last: Int
    /// Whether its own value is due to the seat it is at.
    @usableFromInline var owes = false
    /// What the last delivery returned.
    @usableFromInline var returned = Subscribers.Demand.none

    /// A round to one seat, or to all up to the last.
    @inlinable init(number: Int, at seat: Int = 0, index: Int = 0, last: Int) {
        self.number = number
        self.seat = seat
        self.index = index
        self.last = last
    }
}

extension Audience.State {
    /// What the round delivers next; nil when all its seats have been served. `isSending`: whether it has a value.
    @inlinable mutating func next(in round: inout Round, isSending: Bool) -> Delivery<Output, Failure>? {
        var index = position(of: round.seat, near: round.index)
        if round.seat > 0, index < seats.count, seats[index].number == round.seat {
            if let delivery = next(at: index, in: &round) { return delivery }
            seats[index].round = 0
            index += 1
        }
        while index < seats.count, seats[index].number <= round.last {
            guard seats[index].round == round.number else {
                index += 1
                continue
            }
            round.seat = seats[index].number
            round.index = index
            round.owes = isSending
            if let delivery = next(at: index, in: &round) { return delivery }
            seats[index].round = 0
            index += 1
        }
        return nil
    }

    /// What is due to one seat of the round.
    @inlinable mutating func next(at index: Int, in round: inout Round) -> Delivery<Output, Failure>? {
        if round.returned > .none {
            seats[index].demand += round.returned
            round.returned = .none
        }
        guard let target = seats[index].target else { return nil }
        if round.owes {
            round.owes = false
            return .own(target)
        }
        if seats[index].owesCurrent { seats[index].greet(with: current) }
        if let left = seats[index].pending.popFirst() { return .value(left, target) }
        guard let ending = seats[index].ending, !(seats[index].owesCurrent && memory == .only) else { return nil }
        seats[index].target = nil
        seats[index].ending = nil
        tidy()
        return .end(ending, target)
    }

    /// The index of a seat, or of the one behind where it would be. It is mostly where it was.
    @inlinable func position(of seat: Int, near index: Int) -> Int {
        if index < seats.count, seats[index].number == seat { return index }
        var (low, high) = (0, seats.count)
        while low < high {
            let middle = (low + high) / 2
            if seats[middle].number < seat { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
