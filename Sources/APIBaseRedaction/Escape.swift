import Basics

/// The escapes with which a text is written inside another text.
package enum Escape: CaseIterable {
    /// Those of strings in JSON.
    case json
    /// Those of URLs and forms.
    case percent
    /// Those of HTML and XML.
    case html

    /// The maximum number of encodings inside each other that are searched for secrets.
    static let deepest = 4

    /// The first byte of each escape.
    var mark: UInt8 {
        switch self {
        case .json: UInt8(ascii: "\\")
        case .percent: UInt8(ascii: "%")
        case .html: UInt8(ascii: "&")
        }
    }

    /// A part of a text without its escapes.
    func decoded(_ text: [UInt8], _ part: Range<Int>) -> ArraySlice<UInt8> {
        guard text[part].contains(where: { $0 == mark || isSpace($0) }) else { return text[part] }
        var result: [UInt8] = []
        result.reserveCapacity(part.count)
        var index = part.lowerBound
        while index < part.upperBound {
            let byte = text[index]
            if byte == mark, let escape = text.escapeSequence(at: index) {
                result += escape
                index += escape.length
            } else {
                result.append(isSpace(byte) ? 0x20 : byte)
                index += 1
            }
        }
        return result[...]
    }

    /// Forms write a space as a plus sign.
    private func isSpace(_ byte: UInt8) -> Bool { self == .percent && byte == UInt8(ascii: "+") }

    /// The text with escapes where they are necessary.
    ///
    /// - Parameters:
    ///   - text: The text without escapes.
    ///   - original: The text with escapes that was there before.
    /// - Returns: The text, written as the original where the format leaves a choice.
    func encoded(_ text: [UInt8], like original: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(original.count)
        let hasPlus = self == .percent && original.contains(UInt8(ascii: "+"))
        // An apostrophe without an escape shows that the text is not between apostrophes.
        let hasQuote = self == .html && original.contains(UInt8(ascii: "'"))
        for byte in text {
            switch self {
            case .json where byte == UInt8(ascii: "\"") || byte == mark: result += [mark, byte]
            case .json where byte < 0x20: result += Array("\\u00".utf8) + byte.hexDigits
            case .percent where byte == 0x20 && hasPlus: result.append(UInt8(ascii: "+"))
            case .percent where !byte.isUnreserved: result += [mark] + byte.hexDigits
            case .html where byte != UInt8(ascii: "'") || !hasQuote:
                guard let name = Self.names.first(where: { $0.byte == byte }) else { fallthrough }
                result += "\(name.text)".utf8
            default: result.append(byte)
            }
        }
        return result
    }

    /// The named references of HTML for its special characters.
    fileprivate static let names: [(text: StaticString, byte: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
    ]

    /// The named references of HTML for other ASCII characters and for the no-break space, which is read as a space
    /// (HTML standard, section 13.5).
    fileprivate static let otherNames: [(text: StaticString, byte: UInt8)] = [
        ("&Tab;", 0x09), ("&NewLine;", 0x0A), ("&excl;", UInt8(ascii: "!")), ("&QUOT;", UInt8(ascii: "\"")),
        ("&num;", UInt8(ascii: "#")), ("&dollar;", UInt8(ascii: "$")), ("&percnt;", UInt8(ascii: "%")),
        ("&AMP;", UInt8(ascii: "&")), ("&lpar;", UInt8(ascii: "(")), ("&rpar;", UInt8(ascii: ")")),
        ("&ast;", UInt8(ascii: "*")), ("&midast;", UInt8(ascii: "*")), ("&plus;", UInt8(ascii: "+")),
        ("&comma;", UInt8(ascii: ",")), ("&period;", UInt8(ascii: ".")), ("&sol;", UInt8(ascii: "/")),
        ("&colon;", UInt8(ascii: ":")), ("&semi;", UInt8(ascii: ";")), ("&LT;", UInt8(ascii: "<")),
        ("&equals;", UInt8(ascii: "=")), ("&GT;", UInt8(ascii: ">")), ("&quest;", UInt8(ascii: "?")),
        ("&commat;", UInt8(ascii: "@")), ("&lsqb;", UInt8(ascii: "[")), ("&lbrack;", UInt8(ascii: "[")),
        ("&bsol;", UInt8(ascii: "\\")), ("&rsqb;", UInt8(ascii: "]")), ("&rbrack;", UInt8(ascii: "]")),
        ("&Hat;", UInt8(ascii: "^")), ("&lowbar;", UInt8(ascii: "_")), ("&UnderBar;", UInt8(ascii: "_")),
        ("&grave;", UInt8(ascii: "`")), ("&lcub;", UInt8(ascii: "{")), ("&lbrace;", UInt8(ascii: "{")),
        ("&verbar;", UInt8(ascii: "|")), ("&vert;", UInt8(ascii: "|")), ("&rcub;", UInt8(ascii: "}")),
        ("&rbrace;", UInt8(ascii: "}")), ("&nbsp;", 0x20),
    ]
}

extension UInt8 {
    fileprivate var hexDigits: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}

/// The bytes that an escape encodes, at most four, and the length of the escape.
package struct EscapeSequence: RandomAccessCollection {
    private var packed: UInt32 = 0
    package private(set) var endIndex = 0
    package let length: Int

    package var startIndex: Int { 0 }

    fileprivate init(_ byte: UInt8, length: Int) {
        (packed, endIndex, self.length) = (UInt32(byte), 1, length)
    }

    /// Nil if no character has this number.
    fileprivate init?(scalar: UInt32, length: Int) {
        guard let scalar = Unicode.Scalar(scalar) else { return nil }
        self.length = length
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            packed |= UInt32(byte) << (8 * UInt32(endIndex))
            endIndex += 1
        }
    }

    package subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * UInt32(index))) }
}

extension [UInt8] {
    /// The escape at an index, or nil.
    package func escapeSequence(at index: Int) -> EscapeSequence? {
        switch self[index] {
        case Escape.percent.mark: number(16, index + 1..<index + 3).map { EscapeSequence(UInt8($0), length: 3) }
        case Escape.json.mark: index + 1 < count ? jsonEscape(at: index) : nil
        case Escape.html.mark: htmlEscape(at: index)
        default: nil
        }
    }

    private func jsonEscape(at index: Int) -> EscapeSequence? {
        let letter = self[index + 1]
        switch letter {
        case UInt8(ascii: "n"): return EscapeSequence(10, length: 2)
        case UInt8(ascii: "r"): return EscapeSequence(13, length: 2)
        case UInt8(ascii: "t"): return EscapeSequence(9, length: 2)
        case UInt8(ascii: "b"): return EscapeSequence(8, length: 2)
        case UInt8(ascii: "f"): return EscapeSequence(12, length: 2)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return EscapeSequence(letter, length: 2)
        // JavaScript's.
        case UInt8(ascii: "x"): return number(16, index + 2..<index + 4).map { EscapeSequence(UInt8($0), length: 4) }
        case UInt8(ascii: "u"): break
        default: return nil
        }
        guard let high = number(16, index + 2..<index + 6) else { return nil }
        if let character = EscapeSequence(scalar: high, length: 6) { return character }
        guard begins("\\u", at: index + 6), let low = number(16, index + 8..<index + 12),
            low >= 0xDC00, high >= 0xD800, high < 0xDC00
        else { return nil }
        return EscapeSequence(scalar: 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), length: 12)
    }

    private func htmlEscape(at index: Int) -> EscapeSequence? {
        for (text, byte) in Escape.names where begins(text, at: index) {
            return EscapeSequence(byte, length: text.utf8CodeUnitCount)
        }
        guard let end = self[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        guard begins("&#", at: index) else {
            return Escape.otherNames.first { begins($0.text, at: index) }.map {
                EscapeSequence($0.byte, length: $0.text.utf8CodeUnitCount)
            }
        }
        let isHexadecimal = self[index + 2].lowercasedASCII == UInt8(ascii: "x")
        let start = index + (isHexadecimal ? 3 : 2)
        guard start < end else { return nil }
        return number(isHexadecimal ? 16 : 10, start..<end).flatMap {
            EscapeSequence(scalar: $0, length: end - index + 1)
        }
    }

    /// The number with these digits; nil if a byte is not a digit.
    private func number(_ radix: UInt32, _ digits: Range<Int>) -> UInt32? {
        guard digits.upperBound <= count, !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for byte in self[digits] {
            guard let digit = byte.digit, digit < radix else { return nil }
            number = number * radix + digit
        }
        return number
    }
}

extension UInt8 {
    /// The value of a decimal or hexadecimal digit, in either case.
    fileprivate var digit: UInt32? {
        if isASCIIDigit { return UInt32(self & 0x0F) }
        return isASCIIHexDigit ? UInt32(lowercasedASCII - UInt8(ascii: "a") + 10) : nil
    }
}
