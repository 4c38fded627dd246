/// One value or key of a document: what it is, and where its text stands.
///
/// An array or an object takes two: the second says where in the document it is, as a ``Place``. Behind it come the tokens of
/// its elements, in an object a key before each.
struct Token {
    /// The byte offset at which the text begins, without the quotation mark of a string.
    var start: UInt32
    /// Bytes of the text; for an array or object the index of the token behind its last.
    var length: UInt32
    /// The kind of value or key.
    var kind: Kind
    /// The special properties of the text or the value.
    var flags: Flags
    /// Elements of an array, members of an object.
    var count: UInt32

    // No enumeration: comparing numbers takes no call in debug builds.
    struct Kind {
        let code: UInt8

        @_transparent init(code: UInt8) { self.code = code }

        @_transparent static var null: Kind { Kind(code: 0) }
        @_transparent static var yes: Kind { Kind(code: 1) }
        @_transparent static var no: Kind { Kind(code: 2) }
        @_transparent static var number: Kind { Kind(code: 3) }
        @_transparent static var string: Kind { Kind(code: 4) }
        @_transparent static var array: Kind { Kind(code: 5) }
        @_transparent static var object: Kind { Kind(code: 6) }

        @_transparent var isContainer: Bool { code >= 5 }

        @_transparent static func == (one: Kind, other: Kind) -> Bool { one.code == other.code }
        @_transparent static func != (one: Kind, other: Kind) -> Bool { one.code != other.code }
        @_transparent static func ~= (one: Kind, other: Kind) -> Bool { one.code == other.code }
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
        /// An object known to have no key twice.
        @_transparent static var distinct: Flags { Flags(bits: 32) }

        @_transparent init(bits: UInt8) { self.bits = bits }

        @_transparent var isEmpty: Bool { bits == 0 }

        @_transparent func contains(_ other: Flags) -> Bool { bits & other.bits != 0 }

        @_transparent mutating func insert(_ other: Flags) { bits |= other.bits }
    }
}

/// The place of an array or an object in the document, and the key at which reading it is likely to go on.
struct Place {
    /// The index of the array or object around it; ``none`` for the outermost value.
    var parent: UInt32
    /// The index in the array around it, or the token of the key in the object around it.
    var ordinal: UInt32
    /// In an object, the token of the key that is likely to be wanted next.
    var hint: UInt32
    /// Takes the room of the last field of a token.
    var unused: UInt32

    @_transparent init(parent: UInt32, ordinal: UInt32, hint: UInt32) {
        self.parent = parent
        self.ordinal = ordinal
        self.hint = hint
        unused = 0
    }

    @_transparent static var none: UInt32 { 0xFFFF_FFFF }
}
