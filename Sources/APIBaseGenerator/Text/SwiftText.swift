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

    /// A head with a list in parentheses, on one line or else on lines of their own, filled with elements.
    mutating func block(_ head: String, list: [String], _ tail: String = "", _ body: (inout SwiftText) -> Void) {
        let whole = "\(head)(\(list.joined(separator: ", ")))\(tail)"
        if whole.count + 2 <= room { return block(whole, body) }
        line("\(head)(")
        indented { text in
            var filled = ""
            for (index, element) in list.enumerated() {
                let piece = element + (index + 1 < list.count ? "," : "")
                if !filled.isEmpty, filled.count + 1 + piece.count > text.room {
                    text.line(filled)
                    filled = ""
                }
                filled += (filled.isEmpty ? "" : " ") + piece
            }
            text.line(filled)
        }
        block(")\(tail)", body)
    }

    /// Assignments, several on a line: `(self.a, self.b) = (a, b)`.
    mutating func assignments(_ pairs: [(left: String, right: String)]) {
        var rest = pairs[...]
        while !rest.isEmpty {
            var length = 7
            let count = rest.prefix(6).prefix { pair in
                length += pair.left.count + pair.right.count + 4
                return length <= room
            }.count
            let filled = rest.prefix(max(count, 1))
            rest = rest.dropFirst(filled.count)
            let (left, right) = (
                filled.map(\.left).joined(separator: ", "), filled.map(\.right).joined(separator: ", ")
            )
            line(filled.count == 1 ? "\(left) = \(right)" : "(\(left)) = (\(right))")
        }
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
