/// Scalars: plain, quoted, and blocks of lines.
extension YAMLReader {
    // MARK: Plain scalars

    /// Whether a plain scalar may begin here.
    var isPlainStart: Bool {
        if isAtEnd || isSpace(0) { return false }
        let first = peek()
        // In brackets, readers differ about what begins with a question mark or a colon.
        if "?:".utf8.contains(first), flowDepth > 0 { return false }
        if "-?:".utf8.contains(first) { return !isSpace(1) && !(flowDepth > 0 && ",[]{}".utf8.contains(peek(1))) }
        return !",[]{}#&*!|>'\"%@`".utf8.contains(first)
    }

    /// Skips the part of a plain scalar that is on this line, without spaces at its end.
    mutating func skipPlain() {
        var end = place
        while !isAtEnd, peek() != 0x0A {
            let byte = peek()
            let endsFlow = flowDepth > 0 && ",[]{}".utf8.contains(byte)
            let isColon = byte == UInt8(ascii: ":") && (isSpace(1) || flowDepth > 0 && ",[]{}".utf8.contains(peek(1)))
            let isComment = byte == UInt8(ascii: "#") && place > 0 && [0x20, 0x09].contains(bytes[place - 1])
            if endsFlow || isColon || isComment { break }
            place += 1
            if byte != 0x20, byte != 0x09 { end = place }
        }
        place = end
    }

    /// A plain scalar, which may go on in lines that are further to the right.
    mutating func plain(below indentation: Int) throws(JSONReader.Problem) -> String {
        guard isPlainStart else { throw problem("expected a value") }
        var text = ""
        while true {
            let start = place
            skipPlain()
            text += String(decoding: bytes[start..<place], as: UTF8.self)
            let end = place
            while isNext(" ") || isNext("\t") { place += 1 }
            guard !isAtEnd, peek() == 0x0A else {
                place = end
                return text
            }
            let breaks = skipBreaks()
            let goesOn =
                !isAtEnd && !isMarker && !isNext("#") && (flowDepth > 0 ? !endsPlainInFlow : column > indentation)
            guard goesOn else {
                place = end
                return text
            }
            if flowDepth == 0, try hasKey() { throw problem("a key cannot stand here") }
            text += breaks == 1 ? " " : String(repeating: "\n", count: breaks - 1)
        }
    }

    private var endsPlainInFlow: Bool { ",[]{}".utf8.contains(peek()) || isNext(":") && isSpace(1) }

    /// Skips line breaks with the spaces after each. Returns their number.
    private mutating func skipBreaks() -> Int {
        var breaks = 0
        while !isAtEnd, peek() == 0x0A {
            place += 1
            breaks += 1
            while isNext(" ") || isNext("\t") { place += 1 }
        }
        return breaks
    }

    // MARK: Quoted scalars

    /// A text in quotes, which may go on in lines that are further to the right.
    mutating func quoted(below indentation: Int = -1) throws(JSONReader.Problem) -> String {
        let start = place
        let isDouble = isNext("\"")
        let quote = peek()
        place += 1
        var text: [UInt8] = []
        protected = 0
        while true {
            guard !isAtEnd else {
                place = start
                throw problem("the text in quotes does not end")
            }
            let byte = peek()
            if byte == quote {
                place += 1
                // In single quotes, two are one.
                guard !isDouble, !isAtEnd, peek() == quote else { return String(decoding: text, as: UTF8.self) }
                text.append(quote)
                place += 1
            } else if isDouble, byte == UInt8(ascii: "\\") {
                try appendEscaped(to: &text, below: indentation)
            } else if byte == 0x0A {
                try fold(into: &text, below: indentation)
            } else {
                text.append(byte)
                place += 1
            }
        }
    }

    /// A line break in quotes is a space, and an empty line is a line break.
    private mutating func fold(into text: inout [UInt8], below indentation: Int) throws(JSONReader.Problem) {
        while let last = text.last, [0x20, 0x09].contains(last), text.count > protected { text.removeLast() }
        let breaks = try breaksInQuotes(below: indentation)
        text += breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
    }

    private mutating func breaksInQuotes(below indentation: Int) throws(JSONReader.Problem) -> Int {
        var breaks = 0
        while !isAtEnd, peek() == 0x0A {
            place += 1
            breaks += 1
            if isMarker { throw problem("the text in quotes does not end") }
            while isNext(" ") { place += 1 }
            let width = column
            while isNext("\t") || isNext(" ") { place += 1 }
            if !isAtEnd, peek() != 0x0A, width <= indentation { throw problem("the text goes on further to the right") }
        }
        return breaks
    }

    private mutating func appendEscaped(to text: inout [UInt8], below indentation: Int) throws(JSONReader.Problem) {
        place += 1
        guard !isAtEnd else { throw problem("the text in quotes does not end") }
        let letter = peek()
        if letter == 0x0A {
            // The line goes on in the next one.
            let breaks = try breaksInQuotes(below: indentation)
            text += Array(repeating: 0x0A, count: breaks - 1)
            protected = text.count
            return
        }
        place += 1
        if let length = ["x": 2, "u": 4, "U": 8][Character(Unicode.Scalar(letter))] {
            text += Array(String(try scalar(length)).utf8)
        } else if let escaped = Self.escapes[letter] {
            text += Array(escaped.utf8)
        } else {
            place -= 1
            throw problem("there is no such escape")
        }
        protected = text.count
    }

    private mutating func scalar(_ length: Int) throws(JSONReader.Problem) -> Character {
        var number = try digits(length)
        // Two halves of one character, as in JSON.
        if (0xD800..<0xDC00).contains(number), isNext("\\"), peek(1) == UInt8(ascii: "u") {
            place += 2
            let low = try digits(4)
            guard (0xDC00..<0xE000).contains(low) else { throw problem("half a character") }
            number = 0x10000 + (number - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(number) else { throw problem("there is no such character") }
        return Character(scalar)
    }

    private mutating func digits(_ length: Int) throws(JSONReader.Problem) -> UInt32 {
        let end = min(place + length, bytes.count)
        let text = String(decoding: bytes[place..<end], as: UTF8.self)
        guard text.utf8.count == length, text.allSatisfy(\.isHexDigit), let number = UInt32(text, radix: 16) else {
            throw problem("expected \(length) hexadecimal digits")
        }
        place = end
        return number
    }

    private static let escapes: [UInt8: String] = Dictionary(
        uniqueKeysWithValues: [
            ("0", "\0"), ("a", "\u{7}"), ("b", "\u{8}"), ("t", "\t"), ("\t", "\t"), ("n", "\n"), ("v", "\u{B}"),
            ("f", "\u{C}"), ("r", "\r"), ("e", "\u{1B}"), (" ", " "), ("\"", "\""), ("/", "/"), ("\\", "\\"),
            ("N", "\u{85}"), ("_", "\u{A0}"), ("L", "\u{2028}"), ("P", "\u{2029}"),
        ].map { (UInt8(ascii: $0.0 as Unicode.Scalar), $0.1) }
    )

    // MARK: Blocks of lines

    /// `|` keeps line breaks, `>` makes spaces of them.
    mutating func blockScalar(below indentation: Int) throws(JSONReader.Problem) -> String {
        let isFolded = isNext(">")
        place += 1
        var (keepsBreaks, step): (Bool?, Int?) = (nil, nil)
        while !isAtEnd, !isSpace(0) {
            let byte = peek()
            if keepsBreaks == nil, "+-".utf8.contains(byte) {
                keepsBreaks = byte == UInt8(ascii: "+")
            } else if step == nil, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) {
                step = Int(byte - UInt8(ascii: "0"))
            } else {
                throw problem("expected the end of the line")
            }
            place += 1
        }
        let start = place
        while isNext(" ") || isNext("\t") { place += 1 }
        if isNext("#"), place > start { while !isAtEnd, peek() != 0x0A { place += 1 } }
        guard isAtEnd || peek() == 0x0A else { throw problem("expected the end of the line") }
        place = min(place + 1, bytes.count)
        var own = step.map { max(indentation, 0) + $0 }
        if own == nil { own = try detectedIndentation(below: indentation) }
        return lines(at: own ?? 0, isFolded: isFolded, keepsBreaks: keepsBreaks)
    }

    /// The indentation of the first line that is not empty.
    private func detectedIndentation(below indentation: Int) throws(JSONReader.Problem) -> Int {
        var (reader, longest) = (self, 0)
        while true {
            let start = reader.place
            while reader.isNext(" ") { reader.place += 1 }
            let width = reader.place - start
            if reader.isAtEnd { longest = max(longest, width) }
            if reader.isAtEnd || reader.peek() != 0x0A {
                let own = max(indentation + 1, reader.isAtEnd || width <= indentation ? longest : width)
                if !reader.isAtEnd, width > indentation, longest > width {
                    throw reader.problem("an empty line before has more spaces")
                }
                return own
            }
            longest = max(longest, width)
            reader.place += 1
        }
    }

    private mutating func lines(at indentation: Int, isFolded: Bool, keepsBreaks: Bool?) -> String {
        var text = ""
        var breaks = skipEmptyLines(at: indentation)
        var lastBreak = ""
        while isLine(at: indentation) {
            text += String(repeating: "\n", count: breaks)
            let start = place + indentation
            let isIndented = start < bytes.count && [0x20, 0x09].contains(bytes[start])
            place = start
            while !isAtEnd, peek() != 0x0A { place += 1 }
            text += String(decoding: bytes[start..<place], as: UTF8.self)
            lastBreak = isAtEnd ? "" : "\n"
            place = min(place + 1, bytes.count)
            breaks = skipEmptyLines(at: indentation)
            guard isLine(at: indentation) else { break }
            let next = bytes[place + indentation]
            if isFolded, !isIndented, next != 0x20, next != 0x09 {
                if breaks == 0 { text += " " }
            } else {
                text += lastBreak
            }
        }
        // The break of the last line is the scalar's own, and those after it are its end.
        if keepsBreaks != false { text += lastBreak }
        if keepsBreaks == true { text += String(repeating: "\n", count: breaks) }
        return text
    }

    /// Skips lines of at most so many spaces. Returns their number.
    private mutating func skipEmptyLines(at indentation: Int) -> Int {
        var count = 0
        while !isAtEnd {
            var end = place
            while end < bytes.count, end - place < indentation, bytes[end] == 0x20 { end += 1 }
            guard end < bytes.count, bytes[end] == 0x0A else { return count }
            place = end + 1
            count += 1
        }
        return count
    }

    /// Whether a line begins here that is at least so far to the right.
    private func isLine(at indentation: Int) -> Bool {
        guard place + indentation < bytes.count, !isMarker else { return false }
        let isFar = bytes[place..<place + indentation].allSatisfy { $0 == 0x20 }
        return isFar && (bytes[place + indentation] != 0x0A || indentation == 0)
    }
}
