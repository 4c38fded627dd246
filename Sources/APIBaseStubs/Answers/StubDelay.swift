import APIBaseKit
import Basics
import Foundation

/// The time that a stub waits before it answers, on the clock of its ``Stubs``.
public struct StubDelay: Sendable {
    /// Returns the next wait; nil means forever.
    let next: @Sendable (SeededRandom, SeededRandom.Use) -> Duration?

    /// No wait.
    public static let none = StubDelay { _, _ in .zero }

    /// Always the same wait. A negative duration counts as zero.
    public static func fixed(_ duration: Duration) -> StubDelay { StubDelay { _, _ in duration.bounded } }

    /// A random wait within the range, uniformly distributed. The same seed gives the same waits, in the order of the
    /// calls.
    public static func uniform(_ range: ClosedRange<Duration>, seed: UInt64) -> StubDelay {
        let (least, most) = (range.lowerBound.bounded, range.upperBound.bounded)
        return StubDelay { random, use in least + (most - least) * random.next(use, seed: seed, in: 0...1) }
    }

    /// A random wait with a log-normal distribution, as networks have it: mostly near `median`, sometimes a multiple of
    /// it.
    ///
    /// `sigma` is the spread of the waits: with 0.5, one of forty is longer than 2.7 times the median. No wait is
    /// longer than a million times the median. A `sigma` that is not a number counts as 0.
    public static func logNormal(median: Duration, sigma: Double, seed: UInt64) -> StubDelay {
        StubDelay { random, use in
            // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
            let radius = (-2 * log(random.next(use, seed: seed, in: Double.leastNonzeroMagnitude...1))).squareRoot()
            let factor = exp(sigma * radius * cos(2 * Double.pi * random.next(use, seed: seed, in: 0...1)))
            return median.bounded * (factor.isNaN ? 1 : min(factor, 1e6))
        }
    }

    /// Forever: the call ends by its own timeout, or when it is canceled.
    public static let never = StubDelay { _, _ in nil }
}

extension Duration {
    /// The duration, at least zero and at most a hundred years.
    fileprivate var bounded: Duration { max(.zero, min(self, .longest)) }
}

/// The random numbers of one stub: a sequence for each seed and use, which continues from call to call.
final class SeededRandom: Sendable {
    enum Use: UInt64 {
        case delay, chunk, fault
    }

    private let sequences = Locked<[UInt64: RandomNumbers]>([:])

    func next(_ use: Use, seed: UInt64, in range: ClosedRange<Double>) -> Double {
        sequences.withLock { sequences in
            let seed = seed ^ (use.rawValue << 62)
            return Double.random(in: range, using: &sequences[seed, default: RandomNumbers(seed: seed)])
        }
    }
}
