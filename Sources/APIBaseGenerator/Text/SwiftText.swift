/// Swift code in the making: lines, each with the indentation of the blocks around it.
struct SwiftText {
    static let width = 120

    private(set) var lines: [String] = []
    private var depth = 0

    var text: String { lines.joined(separator: "\n") + "\n" }
    var room: Int { Self.width - 4 * depth }

    mutating func line(_ text: String) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// An empty line, unless one would follow another one or the beginning of a block.
    mutating func gap() {
        if let last = lines.last, !last.isEmpty, !last.hasSuffix("{") { lines.append("") }
    }

    /// A line that ends with a brace, what is in the braces, and the closing one.
    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line("\(head) {")
        indented(body)
        line("}")
    }

    /// A head with a list in parentheses, on one line or else with an element on each.
    mutating func block(_ head: String, list: [String], _ tail: String = "", _ body: (inout SwiftText) -> Void) {
        let whole = "\(head)(\(list.joined(separator: ", ")))\(tail)"
        if whole.count + 2 <= room { return block(whole, body) }
        line("\(head)(")
        indented { text in
            for (index, element) in list.enumerated() { text.line(element + (index + 1 < list.count ? "," : "")) }
        }
        block(")\(tail)", body)
    }

    /// A call, on one line or else with its argument on one of its own.
    mutating func call(_ function: String, _ argument: String) {
        let whole = "\(function)(\(argument))"
        if whole.count <= room { return line(whole) }
        line("\(function)(")
        indented { $0.line(argument) }
        line(")")
    }

    /// A statement with a body in braces, on one line or else on three.
    mutating func braced(_ head: String, _ body: String) {
        let whole = "\(head) { \(body) }"
        if whole.count <= room { return line(whole) }
        block(head) { $0.line(body) }
    }

    /// A documentation comment: the first paragraph of a text, cut to some lines. Nothing for an empty one.
    mutating func comment(_ text: String?, atMost limit: Int = 3) {
        for line in Comment.lines(text ?? "", width: room - 4, atMost: limit) { self.line("/// \(line)") }
    }

    mutating func indented(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }
}
