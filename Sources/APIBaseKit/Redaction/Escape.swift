import Basics

/// A way in which a text is written inside of another.
enum Escape: CaseIterable {
    /// In a string of JSON, between quotes.
    case json
    /// In a URL or a form.
    case percent
    /// In HTML or XML.
    case html

    /// The first byte of such an escape.
    var mark: UInt8 {
        switch self {
        case .json: UInt8(ascii: "\\")
        case .percent: UInt8(ascii: "%")
        case .html: UInt8(ascii: "&")
        }
    }

    var marks: ByteSet {
        switch self {
        case .json: Self.backslash
        case .percent: Self.percentSign
        case .html: Self.ampersand
        }
    }

    private static let backslash = ByteSet("\\".utf8)
    private static let percentSign = ByteSet("%".utf8)
    private static let ampersand = ByteSet("&".utf8)

    /// The text with everything escaped that has to be.
    ///
    /// - Parameters:
    ///   - text: The bytes.
    ///   - original: What they have been made of, for the choices that the format leaves.
    /// - Returns: The bytes with escapes.
    func encoded(_ text: [UInt8], like original: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .json:
            text.flatMap { byte -> [UInt8] in
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return [UInt8(ascii: "\\"), byte] }
                return byte < 0x20 ? Array("\\u00".utf8) + byte.hexDigits : [byte]
            }
        case .percent:
            text.flatMap { byte -> [UInt8] in
                if byte == 0x20, original.contains(UInt8(ascii: "+")) { return [UInt8(ascii: "+")] }
                return byte.isPlainInURLs ? [byte] : [UInt8(ascii: "%")] + byte.hexDigits
            }
        case .html:
            text.flatMap { byte -> [UInt8] in
                // A quote that was none may be one of the text around it.
                if byte == UInt8(ascii: "'"), original.contains(byte) { return [byte] }
                return Self.entities[byte].map { Array("&\($0);".utf8) } ?? [byte]
            }
        }
    }

    fileprivate static let entities: [UInt8: String] = [
        UInt8(ascii: "&"): "amp", UInt8(ascii: "<"): "lt", UInt8(ascii: ">"): "gt", UInt8(ascii: "\""): "quot",
        UInt8(ascii: "'"): "apos",
    ]
}

extension UInt8 {
    /// Whether URLs and forms have it without an escape, whatever it means (RFC 3986, section 2.3).
    fileprivate var isPlainInURLs: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
            || "-._~".utf8.contains(self)
    }

    /// Whether it can be a part of a text that is escaped for URLs.
    var isEscapedForURLs: Bool { isPlainInURLs || "%+!*()".utf8.contains(self) }

    fileprivate var hexDigits: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}

extension [UInt8] {
    /// The bytes that the escape at this index stands for, and its length in bytes; nil if there is none.
    func escapeSequence(at index: Int) -> (bytes: [UInt8], length: Int)? {
        switch self[index] {
        case Escape.percent.mark: number(16, at: index + 1, digits: 2).map { ([UInt8($0)], 3) }
        case Escape.json.mark: index + 1 < count ? jsonEscape(at: index) : nil
        case Escape.html.mark: htmlEscape(at: index)
        default: nil
        }
    }

    private func jsonEscape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        let letter = self[index + 1]
        if letter == UInt8(ascii: "u") {
            guard let high = number(16, at: index + 2, digits: 4) else { return nil }
            if let scalar = Unicode.Scalar(high) { return (Array(String(scalar).utf8), 6) }
            guard index + 7 < count, self[index + 6] == UInt8(ascii: "\\"), self[index + 7] == letter,
                let low = number(16, at: index + 8, digits: 4), low >= 0xDC00, high >= 0xD800, high < 0xDC00,
                let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
            else { return nil }
            return (Array(String(scalar).utf8), 12)
        }
        switch letter {
        case UInt8(ascii: "n"): return ([10], 2)
        case UInt8(ascii: "r"): return ([13], 2)
        case UInt8(ascii: "t"): return ([9], 2)
        case UInt8(ascii: "b"): return ([8], 2)
        case UInt8(ascii: "f"): return ([12], 2)
        default: return "\"\\/".utf8.contains(letter) ? ([letter], 2) : nil
        }
    }

    private func htmlEscape(at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard let end = self[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: self[(index + 1)..<end], as: UTF8.self)
        if let byte = Escape.entities.first(where: { $0.value == name })?.key { return ([byte], end - index + 1) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
            let scalar = Unicode.Scalar(number)
        else { return nil }
        return (Array(String(scalar).utf8), end - index + 1)
    }

    private func number(_ radix: Int, at index: Int, digits: Int) -> UInt32? {
        guard index + digits <= count else { return nil }
        var number: UInt32 = 0
        for byte in self[index..<(index + digits)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 + UInt32(digit)
        }
        return number
    }
}
