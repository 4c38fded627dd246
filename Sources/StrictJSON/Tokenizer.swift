/// Splits a text into tokens, and rejects what is not JSON (RFC 8259), even where no model reads it.
///
/// It is not recursive: the tape knows the open arrays and objects.
struct Tokenizer: ~Copyable {
    let bytes: Bytes
    var tape: Tape

    /// The maximum nesting of arrays and objects, as in Foundation. `SyntaxError` names it as well.
    static let maximumDepth = 512

    /// The tokens of a text.
    static func tokens(of bytes: Bytes) throws(SyntaxError) -> Tape {
        var tokenizer = Tokenizer(bytes: bytes, tape: Tape(bytes: bytes.count))
        try tokenizer.run()
        return tokenizer.finish()
    }

    deinit { tape.deallocate() }

    private consuming func finish() -> Tape {
        let tape = tape
        discard self
        return tape
    }

    private mutating func run() throws(SyntaxError) {
        var at = 0
        var depth = 0
        var isInObject = false
        var container = Token.none
        var count: UInt32 = 0
        while true {
            // The start of a value.
            at = bytes.skipBlanks(at)
            let byte = bytes[at]
            switch byte {
            case Byte.quote:
                at = try string(after: at)
            case Byte.openBrace, Byte.openBracket:
                guard depth < Self.maximumDepth else { throw SyntaxError(problem: .tooDeep, offset: at) }
                let isObject = byte == Byte.openBrace
                // A key is the token before its value.
                let ordinal = isInObject ? tape.count &- 1 : count
                if depth > 0 { tape[container].count = count }
                container = tape.open(at, isObject ? .object : .array, in: container, ordinal)
                depth &+= 1
                isInObject = isObject
                count = 0
                at = bytes.skipBlanks(at &+ 1)
                if bytes[at] != (isObject ? Byte.closeBrace : Byte.closeBracket) {
                    if isObject { at = try key(at, in: container) }
                    continue
                }
                // Empty: the code below closes it and adds 1 to the count, which makes 0.
                count = 0xFFFF_FFFF
            case Byte.lowerT:
                at = try word(at, 0x6575_7274, .true)
            case Byte.lowerF:
                at = try word(at &+ 1, 0x6573_6C61, .false)
            case Byte.lowerN:
                at = try word(at, 0x6C6C_756E, .null)
            default:
                // No range pattern: in debug builds that is generic code.
                guard byte &- Byte.zero < 10 || byte == Byte.minus else { throw bytes.unexpected(at) }
                at = try number(at)
            }

            // The end of a value, and perhaps of the arrays and objects around it.
            while true {
                at = bytes.skipBlanks(at)
                guard depth > 0 else {
                    guard at >= bytes.count else { throw bytes.unexpected(at) }
                    // One more token, for missing values: `Document.absent`.
                    tape.append(0, 0, .null)
                    return
                }
                count &+= 1
                let byte = bytes[at]
                if byte == Byte.comma {
                    at &+= 1
                    if isInObject { at = try key(bytes.skipBlanks(at), in: container) }
                    break
                }
                guard byte == (isInObject ? Byte.closeBrace : Byte.closeBracket) else { throw bytes.unexpected(at) }
                at &+= 1
                depth &-= 1
                container = tape.close(container, count: count)
                if depth > 0 {
                    let around = tape[container]
                    isInObject = around.kind == .object
                    count = around.count
                }
            }
        }
    }

    /// Reads a key and its colon.
    @inline(__always) private mutating func key(_ start: Int, in object: UInt32) throws(SyntaxError) -> Int {
        guard bytes[start] == Byte.quote else { throw bytes.unexpected(start) }
        let token = tape.count
        let end = try string(after: start)
        if tape[token].flags.bits != 0 { tape[object].flags.insert(.complexKeys) }
        let at = bytes.skipBlanks(end)
        guard bytes[at] == Byte.colon else { throw bytes.unexpected(at) }
        return at &+ 1
    }

    /// Reads `true`, `null` or the end of `false`. `letters` are the four bytes as a number.
    private mutating func word(_ start: Int, _ letters: UInt32, _ kind: Token.Kind) throws(SyntaxError) -> Int {
        let difference = UInt32(truncatingIfNeeded: bytes.word(at: start)) ^ letters
        guard difference == 0 else { throw bytes.unexpected(start &+ difference.trailingZeroBitCount / 8) }
        tape.append(start, 4, kind)
        return start &+ 4
    }
}

/// The reason why a text is not JSON: the underlying error of a `DecodingError.dataCorrupted`.
package struct SyntaxError: Error, CustomStringConvertible {
    enum Problem: String {
        case unexpectedByte = "unexpected character"
        case unexpectedEnd = "unexpected end"
        case tooDeep = "more than 512 arrays and objects inside each other"
        case badEscape = "unknown escape"
        case badSurrogate = "half of a surrogate pair"
        case badUTF8 = "not UTF-8"
        case badNumber = "malformed number"
        case badEncoding = "not text in the encoding that its first bytes announce"
    }

    let problem: Problem
    /// The offset in the text, in bytes of UTF-8.
    let offset: Int

    package var description: String { "\(problem.rawValue) at byte \(offset)" }
}
