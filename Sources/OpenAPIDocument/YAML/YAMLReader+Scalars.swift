/// Scalars: plain, quoted, and blocks of lines.
extension YAMLReader {
    /// A line break between two lines of a text is a space, and an empty line is a line break.
    private static func folded(_ breaks: Int) -> String {
        breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1)
    }

    // MARK: Plain scalars

    /// Whether a plain scalar may begin here.
    var isPlainStart: Bool {
        if isSpace(0) { return false }
        // In brackets, readers differ about what begins with a question mark or a colon.
        if flowDepth > 0, isNext("?") || isNext(":") { return false }
        if "-?:".utf8.contains(peek()) { return !isSpace(1) && !endsFlow(1) }
        return !",[]{}#&*!|>'\"%@`".utf8.contains(peek())
    }

    private func endsFlow(_ distance: Int) -> Bool { flowDepth > 0 && ",[]{}".utf8.contains(peek(distance)) }

    private var isColon: Bool { isNext(":") && (isSpace(1) || endsFlow(1)) }

    /// Skips the part of a plain scalar that is on this line, without spaces at its end.
    mutating func skipPlain() {
        var end = place
        while !isLineEnd, !endsFlow(0), !isColon, !isNext("#") || !isSpace(-1) {
            place += 1
            if !isSpace(-1) { end = place }
        }
        place = end
    }

    /// A plain scalar, which may go on in lines that are further to the right.
    mutating func plain(below indentation: Int) throws(Problem) -> String {
        guard isPlainStart else { throw problem("expected a value") }
        var text = ""
        while true {
            let start = place
            skipPlain()
            text += self.text(from: start)
            let end = place
            skipSpaces()
            let breaks = skipBreaks()
            guard breaks > 0, !isAtEnd, !isMarker, !isNext("#"),
                flowDepth > 0 ? !endsFlow(0) && !isColon : column > indentation
            else {
                place = end
                return text
            }
            if flowDepth == 0, hasKey { throw problem("a key cannot stand here") }
            text += Self.folded(breaks)
        }
    }

    /// Skips line breaks with the spaces after each. Returns their number.
    private mutating func skipBreaks() -> Int {
        var breaks = 0
        while isNext("\n") {
            place += 1
            breaks += 1
            skipSpaces()
        }
        return breaks
    }

    // MARK: Quoted scalars

    /// A text in quotes, which may go on in lines that are further to the right.
    mutating func quoted(below indentation: Int = -1) throws(Problem) -> String {
        let start = place
        let quote: Unicode.Scalar = isNext("\"") ? "\"" : "'"
        var text: [UInt8] = []
        place += 1
        while !isAtEnd {
            let before = place
            skipSpaces()
            // Spaces before a line break do not count.
            if isNext("\n") {
                text += Self.folded(try breaksInQuotes(below: indentation)).utf8
                continue
            }
            text += bytes[before..<place]
            if isNext("\\"), quote == "\"" {
                text += try escaped(below: indentation).utf8
                continue
            }
            if isNext(quote) {
                place += 1
                // In single quotes, two are one.
                guard quote == "'", isNext("'") else { return String(decoding: text, as: UTF8.self) }
            }
            text.append(peek())
            place += 1
        }
        place = start
        throw problem("the text in quotes does not end")
    }

    private mutating func breaksInQuotes(below indentation: Int) throws(Problem) -> Int {
        var breaks = 0
        while isNext("\n") {
            place += 1
            breaks += 1
            if isMarker { throw problem("the text in quotes does not end") }
            while isNext(" ") { place += 1 }
            let width = column
            skipSpaces()
            if !isLineEnd, width <= indentation { throw problem("the text goes on further to the right") }
        }
        return breaks
    }

    private mutating func escaped(below indentation: Int) throws(Problem) -> String {
        place += 1
        if isLineEnd {
            // The line goes on in the next one.
            return String(repeating: "\n", count: max(0, try breaksInQuotes(below: indentation) - 1))
        }
        let letter = Unicode.Scalar(peek())
        if let length = ["x": 2, "u": 4, "U": 8][letter] {
            place += 1
            return String(try character(length))
        }
        guard let escaped = Self.escapes[letter] else { throw problem("there is no such escape") }
        place += 1
        return escaped
    }

    private mutating func character(_ length: Int) throws(Problem) -> Character {
        var number = try digits(length)
        // Two halves of one character, as in JSON.
        if 0xD800..<0xDC00 ~= number, isNext("\\"), peek(1) == UInt8(ascii: "u") {
            place += 2
            let low = try digits(4)
            guard 0xDC00..<0xE000 ~= low else { throw problem("half a character") }
            number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(number) else { throw problem("there is no such character") }
        return Character(scalar)
    }

    private mutating func digits(_ length: Int) throws(Problem) -> UInt32 {
        guard let number = JSONReader.hexadecimal(bytes[place...].prefix(length)), place + length <= bytes.count else {
            throw problem("expected \(length) hexadecimal digits")
        }
        place += length
        return number
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "\t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}",
        "r": "\r", "e": "\u{1B}", " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{A0}",
        "L": "\u{2028}", "P": "\u{2029}",
    ]

    // MARK: Blocks of lines

    /// `|` keeps line breaks, `>` makes spaces of them.
    mutating func blockScalar(below indentation: Int) throws(Problem) -> String {
        let isFolded = isNext(">")
        place += 1
        var (keepsBreaks, step): (Bool?, Int?) = (nil, nil)
        while !isSpace(0) {
            if keepsBreaks == nil, isNext("+") || isNext("-") {
                keepsBreaks = isNext("+")
            } else if step == nil, 0x31...0x39 ~= peek() {
                step = Int(peek() - UInt8(ascii: "0"))
            } else {
                throw problem("expected the end of the line")
            }
            place += 1
        }
        try expectLineEnd()
        skipLine()
        place = min(place + 1, bytes.count)
        var own = max(indentation, 0) + (step ?? 0)
        if step == nil { own = try detectedIndentation(below: indentation) }
        let (text, breaks) = lines(at: own, isFolded: isFolded)
        switch keepsBreaks {
        case true: return text + String(repeating: "\n", count: breaks)
        case false: return text
        default: return text.isEmpty || breaks == 0 ? text : "\(text)\n"
        }
    }

    /// The indentation of the first line that is not empty.
    private func detectedIndentation(below indentation: Int) throws(Problem) -> Int {
        var (reader, longest, start) = (self, 0, place)
        while reader.isSpace(0), !reader.isAtEnd, !reader.isNext("\t") {
            let isBreak = reader.isLineEnd
            if isBreak { longest = max(longest, reader.place - start) }
            reader.place += 1
            if isBreak { start = reader.place }
        }
        let width = reader.place - start
        if reader.isAtEnd { return max(indentation + 1, longest, width) }
        if width <= indentation { return max(indentation + 1, longest) }
        if longest > width { throw reader.problem("an empty line before has more spaces") }
        return width
    }

    /// The text of lines that are at least so far to the right, and the number of the breaks at their end.
    private mutating func lines(at indentation: Int, isFolded: Bool) -> (text: String, breaks: Int) {
        var text = ""
        var breaks = skipEmptyLines(at: indentation)
        // Beside a line with more spaces, as before the first one, breaks stay.
        var keepsBreaks = true
        while isLine(at: indentation) {
            place += indentation
            let isIndented = isSpace(0)
            let folds = isFolded && !keepsBreaks && !isIndented
            text += folds ? Self.folded(breaks) : String(repeating: "\n", count: breaks)
            keepsBreaks = isIndented
            let start = place
            skipLine()
            text += self.text(from: start)
            breaks = isAtEnd ? 0 : 1
            place += breaks
            breaks += skipEmptyLines(at: indentation)
        }
        return (text, breaks)
    }

    /// Skips lines of at most that number of spaces. Returns their number.
    private mutating func skipEmptyLines(at indentation: Int) -> Int {
        var count = 0
        while let end = bytes[place...].prefix(indentation + 1).firstIndex(where: { $0 != 0x20 }), bytes[end] == 0x0A {
            place = end + 1
            count += 1
        }
        return count
    }

    /// Whether a line begins here that is at least so far to the right.
    private func isLine(at indentation: Int) -> Bool {
        place + indentation < bytes.count && !isMarker
            && bytes[place..<place + indentation].allSatisfy { $0 == 0x20 }
    }
}
