import Foundation
import Harness

extension Quartiles {
    /// The median with that number of decimal places, and the quartiles in parentheses.
    func text(_ digits: Int) -> String {
        "**\(fixed(median, digits))** (\(fixed(lower, digits))–\(fixed(upper, digits)))"
    }
}

/// The number with that number of decimal places.
func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Prints at once, also into a file.
func show(_ text: some CustomStringConvertible) {
    print(text)
    fflush(nil)
}
