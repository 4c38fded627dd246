/// The arguments of a command: its options, and what is left, in its order.
struct Arguments {
    private var values: [Option: String] = [:]
    private var operands: ArraySlice<String> = []

    /// Reads the arguments. Of an option that is given twice, the last value counts; behind `--`, nothing is an option.
    ///
    /// - Parameters:
    ///   - list: What stands behind the name of the command.
    ///   - options: The options of the command.
    /// - Throws: ``UsageError`` for an option that the command does not have, and for one that lacks its value.
    init(_ list: [String], options: [Option]) throws(UsageError) {
        var rest = list[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.isOption else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.names.contains(parts[0]) }) else {
                throw .unknownOption(parts[0])
            }
            switch (option.placeholder, parts.count) {
            case (nil, 1): values[option] = ""
            case (nil, _): throw .unexpectedArgument(word)
            case (_, 1):
                guard let value = rest.popFirst() else { throw .missingValue(option: option.name) }
                values[option] = value
            default: values[option] = parts[1]
            }
        }
    }

    /// Whether this option is there.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of this option, given as `--name value` or `--name=value`, or `nil` if it is not there.
    func value(_ option: Option) -> String? { values[option] }

    /// The value of this option as a whole number within a range.
    func number(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badValue(
                option: option.name,
                value: text,
                expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The next argument that is no option, or `nil`.
    mutating func next() -> String? { operands.popFirst() }

    /// - Throws: ``UsageError`` if anything is left.
    func end() throws(UsageError) {
        if let extra = operands.first { throw .unexpectedArgument(extra) }
    }

    /// Takes the first argument that is no option out of a list: the name of the command, before which options may stand.
    ///
    /// - Parameters:
    ///   - list: The arguments.
    ///   - options: All options there are, to know which of them take the next argument as their value.
    /// - Returns: The argument, or `nil` if there is none.
    static func takeOperand(from list: inout [String], options: [Option]) -> String? {
        var index = 0
        while index < list.count, list[index].isOption {
            let option = options.first { $0.names.contains(list[index]) }
            index += option?.placeholder == nil ? 1 : 2
        }
        if index < list.count, list[index] == "--" { index += 1 }
        return index < list.count ? list.remove(at: index) : nil
    }
}

extension String {
    /// Whether it looks like an option. A single `-` stands for a file, and `-1` is a number.
    fileprivate var isOption: Bool { hasPrefix("-") && self != "-" && self != "--" && Int(self) == nil }
}
