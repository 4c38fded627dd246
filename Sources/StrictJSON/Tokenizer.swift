/// Cuts a text into tokens, and refuses what is not JSON (RFC 8259), whether or not anybody is going to read it.
///
/// It does not call itself: what is open is known from the places on the tape.
struct Tokenizer: ~Copyable {
    let bytes: Bytes
    var tape: TapeWriter

    /// How many arrays and objects may be inside each other; as many as Foundation allows.
    static let maximumDepth = 512

    /// The tokens of a text.
    static func tokens(of bytes: Bytes) throws(SyntaxError) -> Tape {
        var tokenizer = Tokenizer(bytes: bytes, tape: TapeWriter(bytes: bytes.count))
        try tokenizer.run()
        return tokenizer.finish()
    }

    private consuming func finish() -> Tape { tape.finish() }

    private mutating func run() throws(SyntaxError) {
        var at = 0
        var depth = 0
        var isInObject = false
        var container = Place.none
        var count: UInt32 = 0
        while true {
            // A value begins here.
            at = skipBlanks(at)
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "\""):
                at = try string(after: at)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < Self.maximumDepth else { throw SyntaxError(problem: .tooDeep, offset: at) }
                let isObject = byte == UInt8(ascii: "{")
                // A key is the token before its value.
                let ordinal = isInObject ? tape.count &- 1 : count
                if depth > 0 { tape.pause(container, count: count) }
                let place = Place(parent: container, ordinal: ordinal, hint: tape.count &+ 2)
                let start = UInt32(truncatingIfNeeded: at)
                container = tape.count
                tape.open(Token(start: start, length: 0, kind: isObject ? .object : .array, flags: []), at: place)
                depth &+= 1
                isInObject = isObject
                count = 0
                at = skipBlanks(at &+ 1)
                if bytes[at] != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject { at = try key(at, in: container) }
                    continue
                }
                // Empty: what is below closes it, and counts no element.
                count = UInt32.max
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                at = try number(at)
            case UInt8(ascii: "t"):
                at = try word(at, 0x6575_7274, 4, .yes)
            case UInt8(ascii: "f"):
                at = try word(at &+ 1, 0x6573_6C61, 4, .no)
            case UInt8(ascii: "n"):
                at = try word(at, 0x6C6C_756E, 4, .null)
            default:
                throw unexpected(at)
            }

            // A value ends here, and what is around it perhaps as well.
            while true {
                at = skipBlanks(at)
                guard depth > 0 else {
                    guard at >= bytes.count else { throw unexpected(at) }
                    // One more, for values that are not there: `Document.absent`.
                    tape.append(Token(start: 0, length: 0, kind: .null, flags: []))
                    return
                }
                count &+= 1
                let byte = bytes[at]
                if byte == UInt8(ascii: ",") {
                    at &+= 1
                    if isInObject { at = try key(skipBlanks(at), in: container) }
                    break
                }
                guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw unexpected(at) }
                at &+= 1
                depth &-= 1
                container = tape.close(container, count: count).parent
                if depth > 0 {
                    let around = tape[container]
                    isInObject = around.kind == .object
                    count = around.count
                } else {
                    isInObject = false
                }
            }
        }
    }

    /// Reads a key and its colon.
    @inline(__always) private mutating func key(_ start: Int, in object: UInt32) throws(SyntaxError) -> Int {
        guard bytes[start] == UInt8(ascii: "\"") else { throw unexpected(start) }
        let token = tape.count
        var at = try string(after: start)
        if !tape[token].flags.isEmpty { tape.insert(.uneven, at: object) }
        if bytes[at] != UInt8(ascii: ":") {
            at = skipBlanks(at)
            guard bytes[at] == UInt8(ascii: ":") else { throw unexpected(at) }
        }
        return at &+ 1
    }

    /// Reads `true`, `null` and the end of `false`, whose four letters are those of a number.
    private mutating func word(
        _ start: Int,
        _ letters: UInt32,
        _ length: Int,
        _ kind: Token.Kind
    ) throws(SyntaxError) -> Int {
        guard UInt32(truncatingIfNeeded: bytes.word(at: start)) == letters else {
            var at = start
            while at < start + length, bytes[at] == UInt8(truncatingIfNeeded: letters >> (8 * UInt32(at - start))) {
                at += 1
            }
            throw unexpected(at)
        }
        tape.append(Token(start: UInt32(truncatingIfNeeded: start), length: 4, kind: kind, flags: []))
        return start &+ length
    }

    /// The place of the first byte that is not white space.
    @inline(__always) private func skipBlanks(_ start: Int) -> Int {
        bytes[start] > UInt8(ascii: " ") ? start : skipMoreBlanks(start)
    }

    private func skipMoreBlanks(_ start: Int) -> Int {
        var at = start
        while true {
            switch bytes[at] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): at &+= 1
            default: return at
            }
            while bytes.word(at: at) == 0x2020_2020_2020_2020 { at &+= 8 }
        }
    }

    @inline(never) func unexpected(_ offset: Int) -> SyntaxError {
        SyntaxError(problem: offset >= bytes.count ? .unexpectedEnd : .unexpectedByte, offset: offset)
    }
}
