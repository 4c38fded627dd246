import OpenAPIDocument

/// Texts of a document as string literals. Nothing in them can end the literal.
enum Literal {
    static func string(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The text between the quotation marks.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case _ where scalar.isUnprintable: escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A literal of JSON: raw, so that it reads as JSON, if nothing in it needs an escape.
    static func json(_ json: JSON, indentation: Int) -> String {
        let lines = json.lines(width: 100 - indentation)
        // By scalars: with a mark after it, `#` is another character, but ends a literal as well.
        let isRaw = lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0 != "\\" && $0 != "#" && !$0.isUnprintable } }
        guard isRaw else { return string(json.line) }
        if lines.count == 1 { return "#\"\(lines[0])\"#" }
        let margin = String(repeating: " ", count: indentation)
        return (["#\"\"\""] + lines.map { margin + $0 } + ["\(margin)\"\"\"#"]).joined(separator: "\n")
    }
}
