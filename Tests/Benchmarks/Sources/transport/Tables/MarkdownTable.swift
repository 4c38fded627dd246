/// A table in Markdown: the first column holds names, the others numbers.
struct MarkdownTable: CustomStringConvertible {
    private var lines: [String]

    init(_ columns: [String]) {
        lines = [Self.line(columns), "|---|" + String(repeating: "---:|", count: columns.count - 1)]
    }

    /// Adds a row. What failed is said beside its name.
    mutating func add(_ name: String, failures: Int = 0, _ cells: [String]) {
        lines.append(Self.line([failures == 0 ? name : "\(name) (\(failures) failures)"] + cells))
    }

    var description: String { lines.joined(separator: "\n") + "\n" }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
