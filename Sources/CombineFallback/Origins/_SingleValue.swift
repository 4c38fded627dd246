/// A publisher of at most one value, which is known: what picks one of its values, or leaves out others, changes
/// nothing, and neither does what is done about failures that come again each time.
///
/// Conform nothing to it: it is public only because its members could not be otherwise.
public protocol _SingleValue: Publisher {}

extension _SingleValue {
    /// The same: the first value is the only one.
    public func first() -> Self { self }

    /// The same: the last value is the only one.
    public func last() -> Self { self }

    /// The same: the least value is the only one.
    public func min(by precedes: (Output, Output) -> Bool) -> Self { self }

    /// The same: the greatest value is the only one.
    public func max(by precedes: (Output, Output) -> Bool) -> Self { self }

    /// The same: there are no two values to compare.
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    /// The same: it would end in the same way each time.
    public func retry(_ times: Int) -> Self { self }

    /// A publisher of just the end.
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    /// The same: the least value is the only one.
    public func min() -> Self where Output: Comparable { self }

    /// The same: the greatest value is the only one.
    public func max() -> Self where Output: Comparable { self }

    /// The same: there are no two values to compare.
    public func removeDuplicates() -> Self where Output: Equatable { self }
}
