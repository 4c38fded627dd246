extension Tokenizer {
    /// Reads a number (RFC 8259, section 6).
    @inline(__always) mutating func number(_ start: Int) throws(SyntaxError) -> Int {
        var at = start
        if bytes[at] == Byte.minus { at &+= 1 }
        var byte = bytes[at]
        if byte == Byte.zero {
            at &+= 1
        } else {
            at = try digits(at)
        }
        var flags: Token.Flags = .none
        byte = bytes[at]
        if byte == Byte.point {
            flags = .fractional
            at = try digits(at &+ 1)
            byte = bytes[at]
        }
        if byte | 0x20 == Byte.lowerE {
            flags = .fractional
            at &+= 1
            byte = bytes[at]
            if byte == Byte.plus || byte == Byte.minus { at &+= 1 }
            at = try digits(at)
        }
        tape.append(start, at &- start, .number, flags)
        return at
    }

    /// Reads one digit or more.
    @inline(__always) private func digits(_ start: Int) throws(SyntaxError) -> Int {
        let at = bytes.skipDigits(start)
        guard at > start else { throw malformed(at) }
        return at
    }

    @inline(never) private func malformed(_ offset: Int) -> SyntaxError {
        SyntaxError(problem: offset >= bytes.count ? .unexpectedEnd : .badNumber, offset: offset)
    }
}
