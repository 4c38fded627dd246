import Foundation

/// JSON as text.
extension JSON {
    /// On one line: `{"id": 1, "tags": ["a"]}`.
    package var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        case .object: "{\(pairs.map { "\(Self.quoted($0)): \($1.line)" }.joined(separator: ", "))}"
        }
    }

    /// On several lines, of which those with a value that fits into the width hold all of it. Values in more than 40
    /// others are indented like those in 40.
    package func lines(width: Int) -> [String] {
        var lines: [String] = []
        write(into: &lines, "", margin: "", width: width, end: "")
        return lines
    }

    private func write(into lines: inout [String], _ name: String, margin: String, width: Int, end: String) {
        let parts: [(name: String, value: JSON)]
        switch self {
        case .array(let elements): parts = elements.map { ("", $0) }
        case .object: parts = pairs.map { ("\(Self.quoted($0)): ", $1) }
        default: parts = []
        }
        var room = width
        guard !parts.isEmpty, !fits(&room) else { return lines.append("\(margin)\(name)\(line)\(end)") }
        let (open, close) = array == nil ? ("{", "}") : ("[", "]")
        lines.append("\(margin)\(name)\(open)")
        // Values in thousands of others are not indented for each of them: the text would grow with the square of that.
        let inner = margin.utf8.count < 80 ? "\(margin)  " : margin
        for (index, part) in parts.enumerated() {
            let end = index < parts.count - 1 ? "," : ""
            part.value.write(into: &lines, part.name, margin: inner, width: max(width - 2, 40), end: end)
        }
        lines.append("\(margin)\(close)\(end)")
    }

    /// Whether the line has room. It is not written for that: a value within others would be written once for each.
    private func fits(_ room: inout Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: room -= line.utf8.count
        case .array(let elements): room -= 2 * max(elements.count, 1)
        case .object(let members): room -= members.names.reduce(2) { $0 + $1.utf8.count + 6 } - 2
        }
        return room >= 0 && children.allSatisfy { $0.fits(&room) }
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
            case _ where scalar.isUnprintable: quoted += scalar.utf16.map { String(format: "\\u%04x", $0) }.joined()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension Unicode.Scalar {
    /// Whether it ends a line, does not show, or changes how its neighbors show: what must not stand in source code.
    package var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
