import Basics

/// A source of random numbers that all answers made from one share, in the order in which they ask.
struct Dice: Sendable {
    private let numbers: Locked<RandomNumbers>

    init(seed: UInt64) { numbers = Locked(RandomNumbers(seed: seed)) }

    func roll(in range: ClosedRange<Double>) -> Double {
        numbers.withLock { Double.random(in: range, using: &$0) }
    }
}
