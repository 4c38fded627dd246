/// Texts with colours, or without them.
struct Style: Sendable {
    /// Whether there are colours.
    let hasColours: Bool

    static let plain = Style(hasColours: false)

    /// The role of a text, which gives it its colour: one of the eight that every terminal has (ECMA-48, section 8.3.117).
    enum Role: Int {
        case bad = 31
        case good = 32
        case number = 33
        case key = 34
        case literal = 35
        case bar = 36
        case faint = 90
    }

    func text(_ text: some StringProtocol, as role: Role) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : String(text)
    }
}

extension String {
    /// The text without what a terminal would obey: control characters but line breaks and tabs, and those that change the
    /// direction of the text after them (Unicode, UAX #9), written as `\u001B`.
    var withoutControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isControl ? "\\u" + scalar.value.hexadecimal(digits: 4) : String(scalar)
        }
    }

    /// The number of columns that a terminal needs for the text, approximately: two for Chinese, Japanese and Korean characters
    /// and for most pictures, none for marks on another character.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text in at most so many columns, its middle left out if it has more.
    func shortened(to width: Int) -> String {
        guard columns > width else { return self }
        var (start, end) = (Substring(), Substring())
        var rest = self[...]
        while true {
            let isStart = start.columns <= end.columns
            guard let next = isStart ? rest.popFirst() : rest.popLast(),
                start.columns + end.columns + next.columns < width
            else { return "\(start)…\(end)" }
            if isStart { start.append(next) } else { end.insert(next, at: end.startIndex) }
        }
    }

    /// The text with spaces behind it, so that it has so many columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }
}

extension Substring {
    fileprivate var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first, first.properties.generalCategory != .nonspacingMark else { return 0 }
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        // The deprecated relatives of those that direct the text, and the separators that end a line of it.
        case 0x2028, 0x2029, 0x206A...0x206F: true
        default: properties.generalCategory == .control || properties.isBidiControl
        }
    }
}

extension UInt32 {
    fileprivate func hexadecimal(digits: Int) -> String {
        let text = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
    }
}
