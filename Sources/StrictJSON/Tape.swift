/// The tokens of a document in their order. Only this type and ``Bytes`` use unsafe pointers.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process.
struct Tape {
    private var base: UnsafeMutablePointer<Token>
    private var capacity: Int
    private var written = 0

    /// Creates an empty tape for a text of `bytes` bytes.
    init(bytes: Int) {
        capacity = max(16, bytes / 8)
        base = .allocate(capacity: capacity)
    }

    /// Frees the memory of this value and its copies.
    func deallocate() { base.deallocate() }

    /// The number of tokens, which is the index of the next one.
    @_transparent var count: UInt32 { UInt32(truncatingIfNeeded: written) }

    subscript(index: UInt32) -> Token {
        @_transparent get { address(index).pointee }
        @_transparent nonmutating set { address(index).pointee = newValue }
    }

    @_transparent private func address(_ index: UInt32) -> UnsafeMutablePointer<Token> {
        precondition(Int(index) < written, "outside the tokens")
        return base + Int(index)
    }

    mutating func append(_ start: Int, _ length: Int, _ kind: Token.Kind, _ flags: Token.Flags = .none) {
        let (start, length) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: length))
        append(Token(start: start, length: length, kind: kind, flags: flags, count: 0))
    }

    /// Writes the first two tokens of an array or object.
    ///
    /// - Returns: The index of the first.
    mutating func open(_ start: Int, _ kind: Token.Kind, in parent: UInt32, _ ordinal: UInt32) -> UInt32 {
        let index = count
        append(start, 0, kind)
        append(Token(start: parent, length: ordinal, kind: .null, flags: .none, count: index &+ 2))
        return index
    }

    /// Sets the number of elements of an array or object, and its end.
    ///
    /// - Returns: The enclosing array or object.
    func close(_ index: UInt32, count: UInt32) -> UInt32 {
        self[index].count = count
        self[index].length = self.count
        return self[index &+ 1].parent
    }

    private mutating func append(_ token: Token) {
        if written == capacity { grow() }
        (base + written).initialize(to: token)
        written &+= 1
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: written)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// The token after a value and its contents.
    @_transparent func next(after index: UInt32) -> UInt32 {
        let token = self[index]
        return token.kind == .array || token.kind == .object ? token.length : index &+ 1
    }

    /// The tokens of the keys of an object.
    func keys(of object: UInt32) -> Keys { Keys(tape: self, key: object &+ 2, end: self[object].length) }

    // Not a sequence: in debug builds a loop over one is generic code.
    struct Keys {
        fileprivate let tape: Tape
        fileprivate var key: UInt32
        fileprivate let end: UInt32

        @inline(__always) mutating func next() -> UInt32? {
            guard key < end else { return nil }
            let current = key
            key = tape.next(after: key &+ 1)
            return current
        }
    }
}

/// One value or key of a document: its kind and the position of its text.
///
/// An array or object has two tokens. The second one holds its parent and its position there. The tokens of its
/// elements follow; in an object, each has its key before it.
struct Token {
    /// The offset of the text, after the quotation mark of a string.
    var start: UInt32
    /// The length of the text in bytes; for an array or object, the index of the token after its last one.
    var length: UInt32
    /// The kind of value.
    var kind: Kind
    /// The properties that affect reading.
    var flags: Flags
    /// The number of elements of an array or members of an object.
    var count: UInt32

    enum Kind {
        case null, `true`, `false`, number, string, array, object
    }

    // Not an option set, whose generic operations are slow in debug builds.
    struct Flags {
        var bits: UInt8

        @_transparent static var none: Flags { Flags(bits: 0) }
        /// A string with escapes.
        @_transparent static var escaped: Flags { Flags(bits: 1) }
        /// A string that is not ASCII.
        @_transparent static var nonASCII: Flags { Flags(bits: 2) }
        /// A number with a fraction or an exponent.
        @_transparent static var fractional: Flags { Flags(bits: 4) }
        /// An object with a key that has escapes or is not ASCII.
        @_transparent static var complexKeys: Flags { Flags(bits: 8) }
        /// An object that is read as a dictionary, whose keys no strategy changes.
        @_transparent static var verbatim: Flags { Flags(bits: 16) }

        @_transparent init(bits: UInt8) { self.bits = bits }

        @_transparent func contains(_ other: Flags) -> Bool { bits & other.bits != 0 }

        @_transparent mutating func insert(_ other: Flags) { bits |= other.bits }
    }
}

/// The fields of the second token of an array or object.
extension Token {
    /// The index of the enclosing array or object; ``none`` for the top-level value.
    @_transparent var parent: UInt32 { start }

    /// The index in the enclosing array, or the token of the key in the enclosing object.
    @_transparent var ordinal: UInt32 { length }

    /// In an object, the token of the key that is likely to be read next, or any index after its last token.
    var hint: UInt32 {
        @_transparent get { count }
        @_transparent set { count = newValue }
    }

    /// An index that no token has.
    @_transparent static var none: UInt32 { 0xFFFF_FFFF }
}
