/// One value or key of a document: what it is, and where its text stands.
///
/// An array or an object takes two: the second says where in the document it is. Behind it come the tokens of its elements, in
/// an object a key before each.
struct Token {
    /// The start of its text, without the quotation mark of a string.
    var start: UInt32
    /// Bytes of the text; for an array or object the index of the token behind its last.
    var length: UInt32
    /// The kind of value.
    var kind: Kind
    /// The properties that decide how it is read.
    var flags: Flags
    /// Elements of an array, members of an object.
    var count: UInt32

    enum Kind {
        case null, yes, no, number, string, array, object
    }

    // No option set: its operations are generic, and slow in debug builds.
    struct Flags {
        var bits: UInt8

        @_transparent static var none: Flags { Flags(bits: 0) }
        /// A string that has escapes.
        @_transparent static var escaped: Flags { Flags(bits: 1) }
        /// A string of more than ASCII.
        @_transparent static var wide: Flags { Flags(bits: 2) }
        /// A number with a fraction or an exponent.
        @_transparent static var fractional: Flags { Flags(bits: 4) }
        /// An object that has a key with escapes, or of more than ASCII.
        @_transparent static var uneven: Flags { Flags(bits: 8) }
        /// An object that is read as a dictionary: its keys stay as they are, whatever the strategy.
        @_transparent static var verbatim: Flags { Flags(bits: 16) }

        @_transparent init(bits: UInt8) { self.bits = bits }

        @_transparent func contains(_ other: Flags) -> Bool { bits & other.bits != 0 }

        @_transparent mutating func insert(_ other: Flags) { bits |= other.bits }
    }
}

/// The fields of the second token of an array or object.
extension Token {
    /// The index of the array or object around it; ``none`` for the outermost value.
    @_transparent var parent: UInt32 { start }

    /// The index in the array around it, or the token of the key in the object around it.
    @_transparent var ordinal: UInt32 { length }

    /// In an object, the token of the key that is likely to be wanted next; or any behind its last.
    var hint: UInt32 {
        @_transparent get { count }
        @_transparent set { count = newValue }
    }

    /// The index of no token.
    @_transparent static var none: UInt32 { 0xFFFF_FFFF }
}
