/// The characters that JSON is written with.
///
/// They, and the accessors of ``Bytes`` and ``Tape``, are transparent rather than inlined: that is done in debug builds, too,
/// where a call for each byte would make reading some ten times slower.
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
    @_transparent static var one: UInt8 { 0x31 }
    @_transparent static var nine: UInt8 { 0x39 }
    @_transparent static var colon: UInt8 { 0x3A }
    @_transparent static var upperA: UInt8 { 0x41 }
    @_transparent static var upperF: UInt8 { 0x46 }
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
