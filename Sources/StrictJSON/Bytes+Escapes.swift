extension Bytes {
    /// The string of a token with escapes, which the tokenizer has checked.
    @inline(never) func unescaped(_ token: Token) -> String {
        String(unsafeUninitializedCapacity: Int(token.length)) { buffer in
            var written = 0
            var at = Int(token.start)
            let end = at + Int(token.length)
            while at < end {
                var byte = self[at]
                if byte == Byte.backslash {
                    at &+= 1
                    byte = self[at]
                    if byte == Byte.lowerU {
                        let scalar = scalar(after: at) ?? "\u{FFFD}"
                        // A character is never longer than its escape.
                        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                            buffer[written] = unit
                            written &+= 1
                        }
                        at &+= scalar.value > 0xFFFF ? 11 : 5
                        continue
                    }
                    byte = Self.character(of: byte)
                }
                buffer[written] = byte
                written &+= 1
                at &+= 1
            }
            return written
        }
    }

    /// The character of a hexadecimal escape, or of two that form a surrogate pair; nil for anything else.
    func scalar(after letter: Int) -> Unicode.Scalar? {
        guard let unit = hexadecimal(at: letter &+ 1) else { return nil }
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
        guard self[letter &+ 5] == Byte.backslash, self[letter &+ 6] == Byte.lowerU,
            let second = hexadecimal(at: letter &+ 7), second & 0xFC00 == 0xDC00
        else { return nil }
        return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + second & 0x3FF)
    }

    /// The character of an escape of two characters.
    private static func character(of letter: UInt8) -> UInt8 {
        switch letter {
        case Byte.lowerB: 0x08
        case Byte.lowerF: 0x0C
        case Byte.lowerN: 0x0A
        case Byte.lowerR: 0x0D
        case Byte.lowerT: 0x09
        default: letter
        }
    }
}
