extension Tokenizer {
    /// Reads a string (RFC 8259, section 7).
    @inline(__always) mutating func string(after quote: Int) throws(SyntaxError) -> Int {
        let start = quote &+ 1
        var flags: Token.Flags = .none
        var at = bytes.skipPlainText(start)
        if bytes[at] != Byte.quote { at = try bytes.endOfString(at, &flags) }
        tape.append(start, at &- start, .string, flags)
        return at &+ 1
    }

    /// Reads a number (RFC 8259, section 6).
    @inline(__always) mutating func number(_ start: Int) throws(SyntaxError) -> Int {
        var at = start
        if bytes[at] == Byte.minus { at &+= 1 }
        var byte = bytes[at]
        if byte == Byte.zero {
            at &+= 1
        } else {
            at = try bytes.digits(at)
        }
        var flags: Token.Flags = .none
        byte = bytes[at]
        if byte == Byte.point {
            flags = .fractional
            at = try bytes.digits(at &+ 1)
            byte = bytes[at]
        }
        if byte | 0x20 == Byte.lowerE {
            flags = .fractional
            at &+= 1
            byte = bytes[at]
            if byte == Byte.plus || byte == Byte.minus { at &+= 1 }
            at = try bytes.digits(at)
        }
        tape.append(start, at &- start, .number, flags)
        return at
    }
}

extension Bytes {
    /// The offset of the closing quotation mark of a string with escapes or characters that are not ASCII.
    @inline(never) fileprivate func endOfString(_ start: Int, _ flags: inout Token.Flags) throws(SyntaxError) -> Int {
        var at = start
        while true {
            let byte = self[at]
            switch byte {
            case Byte.quote:
                return at
            case Byte.backslash:
                flags.insert(.escaped)
                at = try escape(at)
            default:
                guard byte >= 0x20 else { throw unexpected(at) }
                guard byte < 0x80 else {
                    flags.insert(.nonASCII)
                    at = try character(at)
                    continue
                }
            }
            at = skipPlainText(at)
        }
    }

    /// The offset after an escape.
    private func escape(_ start: Int) throws(SyntaxError) -> Int {
        switch self[start &+ 1] {
        case Byte.quote, Byte.backslash, Byte.slash, Byte.lowerB, Byte.lowerF,
            Byte.lowerN, Byte.lowerR, Byte.lowerT:
            return start &+ 2
        case Byte.lowerU:
            guard hexadecimal(at: start &+ 2) != nil else { break }
            guard let scalar = scalar(after: start &+ 1) else {
                throw SyntaxError(problem: .badSurrogate, offset: start)
            }
            return scalar.value > 0xFFFF ? start &+ 12 : start &+ 6
        default: break
        }
        throw SyntaxError(problem: start &+ 1 >= count ? .unexpectedEnd : .badEscape, offset: start)
    }

    /// The offset after a character of two bytes or more (Unicode 16, table 3-7).
    @inline(__always) private func character(_ start: Int) throws(SyntaxError) -> Int {
        let lead = self[start]
        let second = self[start &+ 1]
        var least: UInt8 = 0x80
        var most: UInt8 = 0xBF
        let length: Int
        guard lead >= 0xC2, lead <= 0xF4 else { throw SyntaxError(problem: .badUTF8, offset: start) }
        if lead < 0xE0 {
            length = 2
        } else if lead < 0xF0 {
            length = 3
            if lead == 0xE0 { least = 0xA0 } else if lead == 0xED { most = 0x9F }
        } else {
            length = 4
            if lead == 0xF0 { least = 0x90 } else if lead == 0xF4 { most = 0x8F }
        }
        guard second >= least, second <= most,
            length < 3 || self[start &+ 2] & 0xC0 == 0x80,
            length < 4 || self[start &+ 3] & 0xC0 == 0x80
        else { throw SyntaxError(problem: .badUTF8, offset: start) }
        return start &+ length
    }

    /// The offset after one digit or more.
    @inline(__always) fileprivate func digits(_ start: Int) throws(SyntaxError) -> Int {
        let at = skipDigits(start)
        guard at > start else { throw unexpected(at, .badNumber) }
        return at
    }

    /// The error for an unexpected byte or the end of the text.
    @inline(never) func unexpected(_ offset: Int, _ problem: SyntaxError.Problem = .unexpectedByte) -> SyntaxError {
        SyntaxError(problem: offset >= count ? .unexpectedEnd : problem, offset: offset)
    }
}
