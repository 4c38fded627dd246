internal import Foundation

/// The text of a document, in UTF-8, with zeros behind it. With ``Tape`` the only type here that touches memory by address.
///
/// The loops that read most of a text are in this file, where debug builds take the accessors in without a call.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process. The zeros let
/// eight bytes be read at any place of the text, and end every loop over it, since no token contains one.
struct Bytes {
    private let base: UnsafeMutablePointer<UInt8>
    /// Bytes of the text.
    let count: Int
    /// The text and the zeros.
    private let limit: Int

    private static let padding = 16

    /// Copies the text, so that decoders may outlive the data they came from. ``deallocate()`` gives the memory back.
    init(copying text: Data) {
        count = text.count
        limit = text.count + Self.padding
        base = .allocate(capacity: limit)
        text.copyBytes(to: base, count: count)
        (base + count).initialize(repeating: 0, count: Self.padding)
    }

    /// Ends the use of this value and of its copies.
    func deallocate() { base.deallocate() }

    /// The byte at a place of the text, or a zero behind it.
    subscript(index: Int) -> UInt8 {
        @_transparent get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: limit), "outside the document")
            return base[index]
        }
    }

    /// Eight bytes, the first of them the lowest.
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

    /// Calls `body` with the text of a token, which is not to leave the closure.
    @_transparent func withText<Result>(of token: Token, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(slice(token))
    }

    /// The string of a token.
    @inline(__always) func string(_ token: Token) -> String {
        guard !token.flags.contains(.escaped) else { return unescaped(token) }
        return String(decoding: slice(token), as: UTF8.self)
    }

    /// Whether the text of a token is this.
    @_transparent func equals(_ other: UnsafeBufferPointer<UInt8>, _ token: Token) -> Bool {
        guard Int(token.length) == other.count else { return false }
        guard let theirs = other.baseAddress, let ours = slice(token).baseAddress else { return true }
        return memcmp(ours, theirs, other.count) == 0
    }
}

extension Bytes {
    /// The place of the first byte that is not white space.
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

    /// The place of the first byte that is no digit.
    func skipDigits(_ start: Int) -> Int {
        var at = start
        while self[at] &- Byte.zero < 10 { at &+= 1 }
        return at
    }

    /// The place of the first byte that is not plain ASCII text: a quotation mark, a backslash, a control character, or
    /// part of a longer character. Eight bytes at a time.
    func skipPlainText(_ start: Int) -> Int {
        var at = start
        while true {
            // Few variables: in debug builds each is cleared first.
            let word = word(at: at)
            // The high bit of each byte that is it, or behind one: the lowest is right, a borrow can only spoil those above.
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

    /// The value of a number of which the first digits are read already, and the place of the first byte that is no digit.
    /// More than nineteen digits may not fit.
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

    /// The value of four hexadecimal digits; nil if they are something else.
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

/// The characters that JSON is written with.
///
/// They, and the accessors of ``Bytes`` and ``Tape``, are transparent rather than inlined: in debug builds a call for each byte
/// would make reading some times slower.
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
