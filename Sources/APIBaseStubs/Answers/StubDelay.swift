import APIBaseKit
import Foundation

/// The time that a stub waits before it answers, on the clock of its ``Stubs``.
public struct StubDelay: Sendable {
    /// The wait; nil means for ever.
    let next: @Sendable (Dice, Dice.Use) -> Duration?

    /// No wait.
    public static let none = StubDelay { _, _ in .zero }

    /// Always so long; nothing if that is below zero.
    public static func fixed(_ duration: Duration) -> StubDelay { StubDelay { _, _ in duration.bounded } }

    /// Any time within the range, each as probable as the others: the same ones for the same seed, in the order of the
    /// calls.
    public static func uniform(_ range: ClosedRange<Duration>, seed: UInt64) -> StubDelay {
        let (least, most) = (range.lowerBound.bounded, range.upperBound.bounded)
        return StubDelay { dice, use in least + (most - least) * dice.roll(use, seed: seed, in: 0...1) }
    }

    /// As networks are slow: mostly near `median`, now and then a multiple of it (log-normal). `sigma` says how far the
    /// times lie apart: with 0.5, one of forty takes longer than 2.7 times the median. No time is more than a million times the
    /// median, and a `sigma` that is no number counts as 0.
    public static func logNormal(median: Duration, sigma: Double, seed: UInt64) -> StubDelay {
        StubDelay { dice, use in
            // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
            let radius = (-2 * log(dice.roll(use, seed: seed, in: Double.leastNonzeroMagnitude...1))).squareRoot()
            let factor = exp(sigma * radius * cos(2 * Double.pi * dice.roll(use, seed: seed, in: 0...1)))
            return median.bounded * (factor.isNaN ? 1 : min(factor, 1e6))
        }
    }

    /// For ever: the call ends by its own time-out, or when it is cancelled.
    public static let never = StubDelay { _, _ in nil }
}

extension Duration {
    /// Nothing at the least, and a hundred years at the most.
    fileprivate var bounded: Duration { max(.zero, min(self, .longest)) }
}
