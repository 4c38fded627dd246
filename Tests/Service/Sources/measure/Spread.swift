import Foundation

/// The median of some figures, and their quartiles.
struct Spread {
    let median: Double
    private let low: Double
    private let high: Double

    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        func figure(at share: Double) -> Double { sorted[Int(Double(sorted.count - 1) * share)] }
        (low, median, high) = (figure(at: 0.25), figure(at: 0.5), figure(at: 0.75))
    }

    func text(_ digits: Int) -> String { "\(median.text(digits)) (\(low.text(digits)) to \(high.text(digits)))" }
}

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
