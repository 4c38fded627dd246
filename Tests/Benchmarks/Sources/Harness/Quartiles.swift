/// The median of a sample, and the quartiles on both sides of it.
public struct Quartiles {
    /// A quarter of the sample is smaller.
    public let lower: Double
    /// Half of the sample is smaller.
    public let median: Double
    /// A quarter of the sample is larger.
    public let upper: Double

    /// Sorts `sample`, which must not be empty, and interpolates between neighbours.
    public init(_ sample: [Double]) {
        precondition(!sample.isEmpty, "there is no median of nothing")
        let sorted = sample.sorted()
        func at(_ share: Double) -> Double {
            let position = share * Double(sorted.count - 1)
            let index = Int(position)
            let next = min(index + 1, sorted.count - 1)
            return sorted[index] + (position - Double(index)) * (sorted[next] - sorted[index])
        }
        lower = at(0.25)
        median = at(0.5)
        upper = at(0.75)
    }
}
