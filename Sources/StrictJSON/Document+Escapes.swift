extension Document {
    /// The string of a token that has escapes. The tokenizer has seen that they are right.
    @inline(never) func unescaped(_ token: Token) -> String {
        let start = Int(token.start)
        let end = start + Int(token.length)
        return String(unsafeUninitializedCapacity: Int(token.length)) { buffer in
            var written = 0
            var at = start
            while at < end {
                let byte = bytes[at]
                guard byte == Byte.backslash else {
                    buffer[written] = byte
                    written &+= 1
                    at &+= 1
                    continue
                }
                let letter = bytes[at &+ 1]
                guard letter == Byte.lowerU else {
                    buffer[written] = Self.character(of: letter)
                    written &+= 1
                    at &+= 2
                    continue
                }
                var scalar = bytes.hexadecimal(at: at &+ 2) ?? 0
                at &+= 6
                if scalar & 0xFC00 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + (bytes.hexadecimal(at: at &+ 2) ?? 0) & 0x3FF
                    at &+= 6
                }
                // What an escape stands for is never longer than the escape.
                for unit in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                    buffer[written] = unit
                    written &+= 1
                }
            }
            return written
        }
    }

    /// The character that an escape of two characters stands for.
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
