/// The arguments of a command, taken one after the other: options first, by name, then what is left.
struct Arguments {
    private var rest: [String]

    init(_ arguments: [String]) {
        rest = arguments
    }

    /// Whether this option is there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = optionIndex(name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// The value of this option, given as `--name value` or `--name=value`, or `nil` if it is not there.
    mutating func option(_ name: String) throws(UsageError) -> String? {
        if let index = rest.prefix(while: { $0 != "--" }).firstIndex(where: { $0.hasPrefix("\(name)=") }) {
            return String(rest.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = optionIndex(name) else { return nil }
        guard index + 1 < rest.count else { throw .missingValue(option: name) }
        defer { rest.removeSubrange(index...index + 1) }
        return rest[index + 1]
    }

    /// The value of this option as a whole number within a range.
    mutating func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = try option(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badValue(
                option: name,
                value: text,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The next argument that is no option, or `nil`.
    mutating func next() throws(UsageError) -> String? {
        guard let first = rest.first else { return nil }
        if first == "--" {
            rest.removeFirst()
            return rest.isEmpty ? nil : rest.removeFirst()
        }
        guard !first.hasPrefix("-") || Int(first) != nil else { throw .unknownOption(first) }
        return rest.removeFirst()
    }

    /// - Throws: ``UsageError`` if anything is left.
    mutating func end() throws(UsageError) {
        if let extra = try next() { throw .unexpectedArgument(extra) }
    }

    private func optionIndex(_ name: String) -> Int? {
        rest.prefix { $0 != "--" }.firstIndex(of: name)
    }
}
