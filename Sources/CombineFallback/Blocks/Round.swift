public import Basics

/// What has been left for one subscriber.
@usableFromInline enum Delivery<Output, Failure: Error> {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
}

/// One thread's way through the subscribers that nobody else is delivering to.
@usableFromInline struct Round {
    /// What its seats are marked with.
    @usableFromInline let number: Int
    /// The seat it is at; 0 before the first.
    @usableFromInline var seat: Int
    /// Where that seat was when it was last looked at.
    @usableFromInline var index: Int
    /// Seats behind this one are none of its own.
    @usableFromInline let last: Int
    /// Whether something has been left for the subscriber it is at.
    @usableFromInline var isHeldUp = false

    /// A round to all seats up to the last, which begins at one of them.
    @inlinable init(number: Int, at seat: Int = 0, index: Int = 0, last: Int) {
        self.number = number
        self.seat = seat
        self.index = index
        self.last = last
    }

    /// The part of it that is left at the seat it is at.
    @inlinable var rest: Round { Round(number: number, at: seat, index: index, last: seat) }
}

/// What is decided under the lock, between the deliveries of a round.
extension Audience.State {
    /// Goes on to the next seat of the round from the one at `start`; returns the subscriber there.
    @inlinable mutating func advance(_ round: inout Round, from start: Int) -> AnySubscriber<Output, Failure>? {
        var index = start
        while index < seats.count, seats[index].number <= round.last {
            if seats[index].round == round.number {
                round.seat = seats[index].number
                round.index = index
                if let target = seats[index].target { return target }
                seats[index].round = 0
            }
            index += 1
        }
        return nil
    }

    /// After the round's value has been delivered: the next subscriber; nil if there is none, or if the round is held up.
    @inlinable mutating func settle(
        _ returned: Subscribers.Demand,
        in round: inout Round
    ) -> AnySubscriber<Output, Failure>? {
        var index = position(of: round.seat, near: round.index)
        if index < seats.count, seats[index].number == round.seat {
            if returned > .none { seats[index].demand += returned }
            round.isHeldUp = seats[index].hasBacklog
            if round.isHeldUp { return nil }
            seats[index].round = 0
            index += 1
        }
        return advance(&round, from: index)
    }

    /// After the round has been held up: the next subscriber.
    @inlinable mutating func resume(_ round: inout Round) -> AnySubscriber<Output, Failure>? {
        round.isHeldUp = false
        let index = position(of: round.seat, near: round.index)
        let isThere = index < seats.count && seats[index].number == round.seat
        return advance(&round, from: isThere ? index + 1 : index)
    }

    /// What has been left for the subscribers of the round; nil when nothing is left for any.
    @inlinable mutating func next(in round: inout Round, returned: Subscribers.Demand) -> Delivery<Output, Failure>? {
        var index = position(of: round.seat, near: round.index)
        if index < seats.count, seats[index].number == round.seat { seats[index].demand += returned }
        while advance(&round, from: index) != nil {
            index = round.index
            if seats[index].owesCurrent { seats[index].greet(with: current) }
            if let target = seats[index].target {
                if let left = seats[index].pending.popFirst() { return .value(left, target) }
                if let ending = seats[index].ending, !(seats[index].owesCurrent && memory == .only) {
                    seats[index].target = nil
                    seats[index].ending = nil
                    tidy()
                    return .end(ending, target)
                }
            }
            seats[index].round = 0
        }
        return nil
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
