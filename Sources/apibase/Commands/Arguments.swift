/// The parsed arguments of a command: options with their values, and operands in order.
struct Arguments {
    private var values: [Option: [String]] = [:]
    private var operands: ArraySlice<String> = []

    /// If an option is repeated, the last value counts, unless the command takes all of them. After `--`, everything is an operand.
    init(_ list: [String], options: [Option]) throws {
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
                throw UsageError.unknownOption(parts[0])
            }
            switch (option.placeholder, parts.count) {
            case (nil, 1): values[option] = [""]
            case (nil, _): throw UsageError.unexpectedArgument(word)
            case (_, 1):
                guard let value = rest.popFirst() else { throw UsageError.missingValue(option: option.name) }
                values[option, default: []].append(value)
            default: values[option, default: []].append(parts[1])
            }
        }
    }

    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of `--name value` or `--name=value`; `nil` if the option is not given.
    func value(_ option: Option) -> String? { values[option]?.last }

    /// The values of an option in their order; none if it is not given.
    func values(_ option: Option) -> [String] { values[option] ?? [] }

    /// The parsed value; `nil` if the option is not given. Throws ``UsageError`` if `parse` returns `nil`.
    func value<Value>(_ option: Option, expected: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = value(option) else { return nil }
        guard let value = parse(text) else { throw UsageError.badValue(option.name, text, expected) }
        return value
    }

    /// The value of the option as an integer in a range.
    func number(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try value(option, expected: expected) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Takes the next operand; `nil` if none is left.
    mutating func next() -> String? { operands.popFirst() }

    /// - Throws: ``UsageError`` if an operand is left.
    func end() throws {
        if let extra = operands.first { throw UsageError.unexpectedArgument(extra) }
    }

    /// Takes the name of the command out of a list: the first operand. `options` are those of all commands, which may
    /// stand before it.
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
    /// Whether it looks like an option. `-` stands for the standard input, and `-1` is a number.
    fileprivate var isOption: Bool { hasPrefix("-") && self != "-" && self != "--" && Int(self) == nil }
}

/// An error in the arguments.
enum UsageError: Error, Hashable, CustomStringConvertible {
    case unknownCommand(String)
    case unknownOption(String)
    case missingValue(option: String)
    case badValue(String, String, String)
    case missingArgument(String)
    case unexpectedArgument(String)
    case conflict(String, String)
    case needs(String, String)
    case unavailable(String, reason: String)

    var description: String {
        switch self {
        case .unknownCommand(let name): "there is no command “\(name)”."
        case .unknownOption(let name): "the command has no option “\(name)”."
        case .missingValue(let option): "the option “\(option)” needs a value."
        case .badValue(let name, let value, let expected):
            "“\(value)” is not valid for “\(name)”: expected \(expected)."
        case .missingArgument(let name): "\(name) is missing."
        case .unexpectedArgument(let text): "“\(text)” is one argument too many."
        case .conflict(let one, let other): "“\(one)” and “\(other)” cannot be combined."
        case .needs(let one, let other): "“\(one)” needs “\(other)”."
        case .unavailable(let name, let reason): "the value of “\(name)” cannot be read: \(reason)."
        }
    }
}
