import Basics

/// The random numbers of one stub: a sequence for each seed and use, which goes on from call to call, also in answers that are
/// made anew for each.
final class Dice: Sendable {
    /// The purpose of random numbers.
    enum Use: UInt64 {
        case delay, chunk, fault
    }

    private let sequences = Locked<[UInt64: RandomNumbers]>([:])

    func roll(_ use: Use, seed: UInt64, in range: ClosedRange<Double>) -> Double {
        sequences.withLock { sequences in
            let seed = seed ^ (use.rawValue << 62)
            return Double.random(in: range, using: &sequences[seed, default: RandomNumbers(seed: seed)])
        }
    }
}
