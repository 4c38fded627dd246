/// JSON as text.
extension JSON {
    /// On one line: `{"id": 1, "tags": ["a"]}`.
    var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .object: "{\(pairs.map { "\(Self.quoted($0)): \($1.line)" }.joined(separator: ", "))}"
        }
    }

    /// On several lines, of which those with a value that fits into the width hold all of it.
    func lines(width: Int) -> [String] {
        let line = line
        let parts: [(name: String, value: JSON)]
        switch self {
        case _ where line.utf8.count <= width: return [line]
        case .array(let elements): parts = elements.map { ("", $0) }
        case .object: parts = pairs.map { ("\(Self.quoted($0)): ", $1) }
        default: return [line]
        }
        let (open, close) = array == nil ? ("{", "}") : ("[", "]")
        let last = parts.count - 1
        let inner = parts.enumerated().flatMap { index, part in
            var lines = part.value.lines(width: max(width - 2, 40))
            lines[0] = part.name + lines[0]
            if index < last { lines[lines.count - 1] += "," }
            return lines.map { "  \($0)" }
        }
        return [open] + inner + [close]
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.isUnprintable: quoted += scalar.utf16.map { "\\u" + hex($0) }.joined()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Unicode.Scalar {
    /// Whether it ends a line, does not show, or changes how its neighbors show: what must not stand in source code.
    var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
