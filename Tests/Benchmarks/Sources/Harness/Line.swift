/// One line of a benchmark: what one contender does in it.
public struct Line {
    /// What is measured; the same for all contenders.
    public let name: String
    /// How many elements one run handles; 1 where the run as a whole is of interest.
    public let elements: Int
    /// Does it once, to its end.
    public let run: () -> Void

    /// Creates a line.
    public init(_ name: String, elements: Int = 1, run: @escaping () -> Void) {
        self.name = name
        self.elements = elements
        self.run = run
    }
}

/// Keeps the compiler from leaving out the work that leads to `value`.
@inline(never)
public func blackHole<Value>(_ value: Value) {}
