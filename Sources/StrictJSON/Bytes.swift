internal import Foundation

/// The text of a document in UTF-8, followed by zeros. Only this type and ``Tape`` use unsafe pointers.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process. Thanks to
/// the zeros, eight bytes can be read at any offset, and every loop ends, since no token contains a zero.
///
/// The loops over the text are in this file, where debug builds inline the accessors.
struct Bytes {
    private let base: UnsafeMutablePointer<UInt8>
    /// The number of bytes without the zeros.
    let count: Int
    /// The number of bytes with the zeros.
    private let limit: Int

    private static let padding = 16

    /// Copies the text, because decoders may outlive the data. ``deallocate()`` frees the copy.
    init(copying text: Data) {
        count = text.count
        limit = text.count + Self.padding
        base = .allocate(capacity: limit)
        text.copyBytes(to: base, count: count)
        (base + count).initialize(repeating: 0, count: Self.padding)
    }

    /// Frees the memory of this value and its copies.
    func deallocate() { base.deallocate() }

    /// The byte at an offset, or a zero after the text.
    subscript(index: Int) -> UInt8 {
        @_transparent get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: limit), "outside the document")
            return base[index]
        }
    }

    /// Eight bytes in little-endian order.
    @_transparent func word(at index: Int) -> UInt64 {
        precondition(UInt(bitPattern: index) <= UInt(bitPattern: limit &- 8), "outside the document")
        let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
        #if _endian(big)
        return word.byteSwapped
        #else
        return word
        #endif
    }

    @_transparent private func slice(_ token: Token) -> UnsafeBufferPointer<UInt8> {
        let (start, length) = (Int(token.start), Int(token.length))
        precondition(start <= count &- length, "outside the document")
        return UnsafeBufferPointer(start: base + start, count: length)
    }

    /// Calls `body` with the text of a token. The pointer must not leave the closure.
    @_transparent func withText<Result>(of token: Token, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(slice(token))
    }

    /// The string of a token.
    @inline(__always) func string(_ token: Token) -> String {
        guard !token.flags.contains(.escaped) else { return unescaped(token) }
        return String(decoding: slice(token), as: UTF8.self)
    }

    /// Whether the text of a token equals `other`.
    @_transparent func equals(_ other: UnsafeBufferPointer<UInt8>, _ token: Token) -> Bool {
        guard Int(token.length) == other.count else { return false }
        guard let theirs = other.baseAddress, let ours = slice(token).baseAddress else { return true }
        return memcmp(ours, theirs, other.count) == 0
    }
}

extension Bytes {
    /// The offset of the first byte that is not white space.
    @inline(__always) func skipBlanks(_ start: Int) -> Int {
        self[start] > Byte.space ? start : skipMoreBlanks(start)
    }

    private func skipMoreBlanks(_ start: Int) -> Int {
        var at = start
        while self[at] <= Byte.space {
            switch self[at] {
            case Byte.space, Byte.newline, Byte.carriageReturn, Byte.tab: at &+= 1
            default: return at
            }
            while word(at: at) == 0x2020_2020_2020_2020 { at &+= 8 }
        }
        return at
    }

    /// The offset of the first byte that is not a digit.
    func skipDigits(_ start: Int) -> Int {
        var at = start
        while self[at] &- Byte.zero < 10 { at &+= 1 }
        return at
    }

    /// The offset of the first byte that is a quotation mark, a backslash, a control character or not ASCII. Reads
    /// eight bytes at a time.
    func skipPlainText(_ start: Int) -> Int {
        var at = start
        while true {
            // Few variables, because debug builds clear each one first.
            let word = word(at: at)
            // Sets the high bit of each such byte. A borrow can set wrong bits only above the lowest one.
            let stops =
                ((word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101) & ~(word ^ 0x2222_2222_2222_2222)
                | ((word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101) & ~(word ^ 0x5C5C_5C5C_5C5C_5C5C)
                | (word &- 0x2020_2020_2020_2020) & ~word
                | word
            if stops & 0x8080_8080_8080_8080 != 0 {
                return at &+ ((stops & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3)
            }
            at &+= 8
        }
    }

    /// Continues to read digits after `value`. Returns the value and the offset of the first byte that is not a digit.
    /// More than nineteen digits may overflow.
    func digits(_ value: UInt64, _ start: Int, _ end: Int) -> (value: UInt64, end: Int) {
        var value = value
        var at = start
        while at < end {
            let digit = self[at] &- Byte.zero
            if digit > 9 { break }
            value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
            at &+= 1
        }
        return (value, at)
    }

    /// The value of four hexadecimal digits; nil for other bytes.
    func hexadecimal(at start: Int) -> UInt32? {
        var value: UInt32 = 0
        for at in start..<(start &+ 4) {
            let digit = self[at] &- Byte.zero
            let letter = (self[at] | 0x20) &- Byte.lowerA
            guard digit < 10 || letter < 6 else { return nil }
            value = value &<< 4 | UInt32(digit < 10 ? digit : letter &+ 10)
        }
        return value
    }
}

/// The characters of JSON's syntax.
///
/// They and the accessors of ``Bytes`` and ``Tape`` are transparent, which inlines them in debug builds as well. A call
/// for each byte would make debug builds several times slower.
enum Byte {
    @_transparent static var tab: UInt8 { 0x09 }
    @_transparent static var newline: UInt8 { 0x0A }
    @_transparent static var carriageReturn: UInt8 { 0x0D }
    @_transparent static var space: UInt8 { 0x20 }
    @_transparent static var quote: UInt8 { 0x22 }
    @_transparent static var plus: UInt8 { 0x2B }
    @_transparent static var comma: UInt8 { 0x2C }
    @_transparent static var minus: UInt8 { 0x2D }
    @_transparent static var point: UInt8 { 0x2E }
    @_transparent static var slash: UInt8 { 0x2F }
    @_transparent static var zero: UInt8 { 0x30 }
    @_transparent static var colon: UInt8 { 0x3A }
    @_transparent static var upperT: UInt8 { 0x54 }
    @_transparent static var upperZ: UInt8 { 0x5A }
    @_transparent static var openBracket: UInt8 { 0x5B }
    @_transparent static var backslash: UInt8 { 0x5C }
    @_transparent static var closeBracket: UInt8 { 0x5D }
    @_transparent static var lowerA: UInt8 { 0x61 }
    @_transparent static var lowerB: UInt8 { 0x62 }
    @_transparent static var lowerE: UInt8 { 0x65 }
    @_transparent static var lowerF: UInt8 { 0x66 }
    @_transparent static var lowerN: UInt8 { 0x6E }
    @_transparent static var lowerR: UInt8 { 0x72 }
    @_transparent static var lowerT: UInt8 { 0x74 }
    @_transparent static var lowerU: UInt8 { 0x75 }
    @_transparent static var openBrace: UInt8 { 0x7B }
    @_transparent static var closeBrace: UInt8 { 0x7D }
}
