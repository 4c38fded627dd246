/// The grammar of RFC 8259 once more, by recursive descent and without any of the module: what says whether the decoder
/// is right to refuse a text.
struct GrammarOfJSON {
    private var rest: ArraySlice<UInt8>

    /// Whether the bytes are a document: without half surrogate pairs, and at most 512 deep.
    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var grammar = GrammarOfJSON(rest: bytes[...])
        return grammar.value(0) && grammar.rest.isEmpty
    }

    private mutating func blanks() {
        rest = rest.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let bytes = text.withUTF8Buffer { Array($0) }
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    private mutating func value(_ depth: Int) -> Bool {
        blanks()
        defer { blanks() }
        switch rest.first {
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        case UInt8(ascii: "n"): return take("null")
        case UInt8(ascii: "["): return depth < 512 && members("[", "]") { $0.value(depth + 1) }
        case UInt8(ascii: "{"):
            return depth < 512
                && members("{", "}") {
                    $0.blanks()
                    guard $0.string() else { return false }
                    $0.blanks()
                    return $0.take(":") && $0.value(depth + 1)
                }
        default: return number()
        }
    }

    private mutating func members(
        _ open: StaticString,
        _ close: StaticString,
        _ member: (inout GrammarOfJSON) -> Bool
    ) -> Bool {
        guard take(open) else { return false }
        blanks()
        if take(close) { return true }
        repeat {
            guard member(&self) else { return false }
            blanks()
        } while take(",")
        return take(close)
    }

    private mutating func digits() -> Bool {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), !digits() { return false }
        if take("."), !digits() { return false }
        guard take("e") || take("E") else { return true }
        _ = take("+") || take("-")
        return digits()
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case 0..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let letter = rest.popFirst() else { return false }
                guard letter == UInt8(ascii: "u") else {
                    guard "\"\\/bfnrt".utf8.contains(letter) else { return false }
                    continue
                }
                guard let unit = unit(), !(0xDC00...0xDFFF).contains(unit) else { return false }
                guard (0xD800...0xDBFF).contains(unit) else { continue }
                guard take("\\u"), let second = self.unit(), (0xDC00...0xDFFF).contains(second) else { return false }
            default: continue
            }
        }
        return false
    }

    private mutating func unit() -> UInt32? {
        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
        rest = rest.dropFirst(4)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(digits, radix: 16)
    }
}
