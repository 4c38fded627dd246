import Basics

/// JSON values as JSON Schema compares and shows them.
extension JSON {
    /// The same bytes for equal values: numbers by value, and members in one order.
    var canonical: [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    /// The same, of a value that may be in many others.
    var canonicalOnDeepStack: [UInt8] {
        guard ValueTree(self).isDeep else { return canonical }
        return (try? DeepStack.run { canonical }) ?? []
    }

    private func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "n".utf8
        case .bool(let value): bytes += (value ? "t" : "f").utf8
        case .number(let digits):
            guard let number = ExactNumber(digits) else { return bytes += digits.utf8 }
            bytes += "\(number.isNegative ? "-" : "+")\(number.exponent)e".utf8
            bytes += number.digits
            bytes.append(0xFF)
        case .string(let text): Self.write(text, into: &bytes)
        case .array(let elements):
            bytes += "[".utf8
            for element in elements { element.write(into: &bytes) }
            bytes += "]".utf8
        case .object:
            bytes += "{".utf8
            for (name, value) in pairs.sorted(by: { $0.name < $1.name }) {
                Self.write(name, into: &bytes)
                value.write(into: &bytes)
            }
            bytes += "}".utf8
        }
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes += "\"".utf8
        bytes += text.utf8
        bytes.append(0xFF)
    }

    /// The value for a message, in about as many characters.
    func shortened(_ limit: Int = 60) -> String {
        switch self {
        case .string(let text):
            return "“\(text.shortened(limit))”"
        case .null, .bool, .number: return text?.shortened(limit) ?? "null"
        case .array(let elements):
            return "[\(Self.shortened(elements.lazy.map { ("", $0) }, limit))]"
        case .object(let members):
            return
                "{\(Self.shortened(zip(members.names, members.values).lazy.map { ("\($0.shortened()): ", $1) }, limit))}"
        }
    }

    private static func shortened(_ parts: some Sequence<(String, JSON)>, _ limit: Int) -> String {
        var line = ""
        for (name, value) in parts {
            if !line.isEmpty { line += ", " }
            if line.count + name.count + 2 > limit { return "\(line)…" }
            line += name
            line += value.shortened(max(limit - line.count - 2, 1))
        }
        return line
    }
}

extension String {
    /// The text for a message.
    func shortened(_ limit: Int = 60) -> String {
        let start = prefix(limit)
        return start.endIndex < endIndex ? "\(start)…" : self
    }
}

extension Sequence where Element == String {
    /// `a, b or c`, with a limit.
    func listed(_ limit: Int = 8, last: String) -> String {
        let words = Array(self)
        if words.count > limit { return "\(words.prefix(limit).joined(separator: ", ")), …" }
        guard let final = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", "))\(last)\(final)"
    }
}
