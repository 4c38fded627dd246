/// Cuts a text into tokens, and refuses what is not JSON (RFC 8259), whether or not anybody is going to read it.
///
/// It does not call itself: what is open is known from the places on the tape.
struct Tokenizer: ~Copyable {
    let bytes: Bytes
    var tape: Tape

    /// The number of arrays and objects that may be inside each other, as Foundation has it. `SyntaxError` names it as well.
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
            // A value begins here.
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
                // Empty: what is below closes it, and counts no element.
                count = 0xFFFF_FFFF
            case Byte.lowerT:
                at = try word(at, 0x6575_7274, .yes)
            case Byte.lowerF:
                at = try word(at &+ 1, 0x6573_6C61, .no)
            case Byte.lowerN:
                at = try word(at, 0x6C6C_756E, .null)
            default:
                // No range as a pattern: in debug builds that is generic code.
                guard byte &- Byte.zero < 10 || byte == Byte.minus else { throw bytes.unexpected(at) }
                at = try number(at)
            }

            // A value ends here, and what is around it perhaps as well.
            while true {
                at = bytes.skipBlanks(at)
                guard depth > 0 else {
                    guard at >= bytes.count else { throw bytes.unexpected(at) }
                    // One more, for values that are not there: `Document.absent`.
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
        if tape[token].flags.bits != 0 { tape[object].flags.insert(.uneven) }
        let at = bytes.skipBlanks(end)
        guard bytes[at] == Byte.colon else { throw bytes.unexpected(at) }
        return at &+ 1
    }

    /// Reads `true`, `null` and the end of `false`, whose four letters are those of a number.
    private mutating func word(_ start: Int, _ letters: UInt32, _ kind: Token.Kind) throws(SyntaxError) -> Int {
        let difference = UInt32(truncatingIfNeeded: bytes.word(at: start)) ^ letters
        guard difference == 0 else { throw bytes.unexpected(start &+ difference.trailingZeroBitCount / 8) }
        tape.append(start, 4, kind)
        return start &+ 4
    }
}
