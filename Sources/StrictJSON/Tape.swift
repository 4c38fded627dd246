/// The tokens of a document in its order. With ``Bytes`` the only type here that touches memory by address.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process.
struct Tape {
    private var base: UnsafeMutablePointer<Token>
    private var capacity: Int
    private var written = 0

    /// An empty tape for a text of that many bytes.
    init(bytes: Int) {
        capacity = max(16, bytes / 8)
        base = .allocate(capacity: capacity)
    }

    /// Ends the use of this value and of its copies.
    func deallocate() { base.deallocate() }

    /// The number of tokens: the index of the one that is written next.
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

    /// Says how many elements an array or object has, and that its last is written.
    ///
    /// - Returns: The array or object around it.
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

    /// The token behind a value and all that is in it.
    @_transparent func next(after index: UInt32) -> UInt32 {
        let token = self[index]
        return token.kind == .array || token.kind == .object ? token.length : index &+ 1
    }

    /// The tokens of the keys of an object.
    func keys(of object: UInt32) -> Keys { Keys(tape: self, key: object &+ 2, end: self[object].length) }

    // No sequence: in debug builds a loop over one is generic code.
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
