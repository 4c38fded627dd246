extension Tokenizer {
    /// Reads a number (RFC 8259, section 6).
    @inline(__always) mutating func number(_ start: Int) throws(SyntaxError) -> Int {
        var at = start
        if bytes[at] == UInt8(ascii: "-") { at &+= 1 }
        var byte = bytes[at]
        if byte == UInt8(ascii: "0") {
            at &+= 1
        } else {
            let first = at
            while bytes[at] &- UInt8(ascii: "0") < 10 { at &+= 1 }
            guard at > first else { throw malformed(at) }
        }
        var flags: Token.Flags = []
        byte = bytes[at]
        if byte == UInt8(ascii: ".") {
            flags = .fractional
            at = try digits(at &+ 1)
            byte = bytes[at]
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            flags = .fractional
            at &+= 1
            byte = bytes[at]
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { at &+= 1 }
            at = try digits(at)
        }
        let length = UInt32(truncatingIfNeeded: at &- start)
        tape.append(Token(start: UInt32(truncatingIfNeeded: start), length: length, kind: .number, flags: flags))
        return at
    }

    /// Reads one digit or more.
    @inline(__always) private func digits(_ start: Int) throws(SyntaxError) -> Int {
        var at = start
        while bytes[at] &- UInt8(ascii: "0") < 10 { at &+= 1 }
        guard at > start else { throw malformed(at) }
        return at
    }

    @inline(never) private func malformed(_ offset: Int) -> SyntaxError {
        SyntaxError(problem: offset >= bytes.count ? .unexpectedEnd : .badNumber, offset: offset)
    }
}
