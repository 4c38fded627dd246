/// One value or key of a document: what it is, and where its text stands.
///
/// An array or an object takes two: the second says where in the document it is, as a ``Place``. Behind it come the tokens of
/// its elements, in an object a key before each.
struct Token {
    /// Where the text begins, without the quotation mark of a string.
    var start: UInt32
    /// Bytes of the text; for an array or object the index of the token behind its last.
    var length: UInt32
    /// What it is.
    var kind: Kind
    /// What is special about it.
    var flags: Flags
    /// Elements of an array, members of an object.
    var count: UInt32 = 0

    enum Kind: UInt8 {
        case null, yes, no, number, string, array, object
    }

    struct Flags: OptionSet {
        var rawValue: UInt8

        /// A string that has escapes.
        static let escaped = Flags(rawValue: 1)
        /// A string of more than ASCII.
        static let wide = Flags(rawValue: 2)
        /// A number with a fraction or an exponent.
        static let fractional = Flags(rawValue: 4)
        /// An object that has a key with escapes, or of more than ASCII.
        static let uneven = Flags(rawValue: 8)
        /// An object that is read as a dictionary: its keys stay as they are, whatever the strategy.
        static let verbatim = Flags(rawValue: 16)
        /// An object known to have no key twice.
        static let distinct = Flags(rawValue: 32)
    }

    /// How many tokens it takes, without those of its elements.
    @inline(__always) var width: UInt32 { kind.rawValue >= Kind.array.rawValue ? 2 : 1 }
}

/// Where an array or an object is, and where reading it goes on.
struct Place {
    /// The index of the array or object around it; ``none`` for the outermost value.
    var parent: UInt32
    /// The index in the array around it, or the token of the key in the object around it.
    var ordinal: UInt32
    /// In an object, the token of the key that is likely to be wanted next.
    var hint: UInt32
    /// Takes the room of the last field of a token.
    var unused: UInt32 = 0

    static let none = UInt32.max
}
