public import Basics

/// What is decided under the lock.
extension Audience.State {
    /// A seat for `target` and a round to it, which begins once it has its subscription; or the end, which is all it gets.
    @inlinable mutating func admit(
        _ target: AnySubscriber<Output, Failure>,
        of subject: AnyObject?
    ) -> (round: Round?, refusal: Subscribers.Completion<Failure>?) {
        let owesCurrent = current != nil
        if let completion, !(memory == .only && owesCurrent) { return (nil, completion) }
        lastSeat += 1
        var seat = Seat<Output, Failure>(number: lastSeat, target: target, round: 0)
        seat.owesCurrent = owesCurrent
        seat.ending = completion
        seats.append(seat)
        self.subject = subject
        return (round(at: seats.count - 1), nil)
    }

    /// A round to one seat.
    @inlinable mutating func round(at index: Int) -> Round {
        lastRound += 1
        seats[index].round = lastRound
        return Round(number: lastRound, at: seats[index].number, index: index, last: seats[index].number)
    }

    /// Accepts `value` for everybody with demand; returns the round to those whom nobody else is delivering to.
    @inlinable mutating func accept(_ value: Output) -> Round {
        lastRound += 1
        for index in seats.indices { seats[index].accept(value, for: lastRound, orOweIt: memory == .current) }
        return Round(number: lastRound, last: lastSeat)
    }

    /// Makes `value` the only one, which everybody is owed.
    @inlinable mutating func owe(_ value: Output) {
        current = value
        for index in seats.indices { seats[index].owesCurrent = true }
    }

    /// Ends the stream: the round that delivers the end, and what is to be let go of outside; nil if it has ended before.
    @inlinable mutating func end(
        with completion: Subscribers.Completion<Failure>
    ) -> (round: Round, upstreams: [any Subscription])? {
        guard self.completion == nil else { return nil }
        self.completion = completion
        lastRound += 1
        for index in seats.indices where seats[index].target != nil {
            seats[index].ending = completion
            if seats[index].round == 0 { seats[index].round = lastRound }
        }
        let last = upstreams
        upstreams = []
        return (Round(number: lastRound, last: lastSeat), last)
    }

    /// Ends the stream for one subscriber; returns what is to be let go of outside.
    @inlinable mutating func empty(_ number: Int) -> Seat<Output, Failure>? {
        let index = position(of: number, near: 0)
        guard index < seats.count, seats[index].number == number, seats[index].target != nil else { return nil }
        let left = seats[index]
        seats[index].target = nil
        seats[index].pending = Queue()
        seats[index].ending = nil
        tidy()
        return left
    }

    /// Counts one more seat that has been left, and clears them away when they are half of all.
    @inlinable mutating func tidy() {
        empty += 1
        guard empty * 2 >= seats.count else { return }
        seats.removeAll { $0.target == nil }
        empty = 0
    }

    /// The subject that has no subscriber left, to be let go of outside.
    @inlinable mutating func subjectOfNobody() -> AnyObject? { seats.isEmpty ? subject.take() : nil }
}
