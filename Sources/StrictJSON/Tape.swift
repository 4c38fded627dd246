/// The tokens of a document in its order. With ``Bytes`` the only type here that touches memory by address.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process.
struct Tape {
    private let base: UnsafeMutablePointer<Token>
    /// How many tokens there are.
    let count: Int

    fileprivate init(base: UnsafeMutablePointer<Token>, count: Int) {
        self.base = base
        self.count = count
    }

    /// Ends the use of this value and of its copies.
    func deallocate() { base.deallocate() }

    @_transparent private func address(_ index: UInt32) -> UnsafeMutablePointer<Token> {
        precondition(Int(index) < count, "outside the tokens")
        return base + Int(index)
    }

    subscript(index: UInt32) -> Token {
        @_transparent get { address(index).pointee }
    }

    /// The token behind a value and all that is in it.
    @_transparent func next(after index: UInt32) -> UInt32 {
        let token = self[index]
        return token.kind.isContainer ? token.length : index &+ 1
    }

    /// Notes something about an array or object.
    func insert(_ flags: Token.Flags, at index: UInt32) {
        address(index).pointee.flags.insert(flags)
    }

    /// Where an array or object is.
    @_transparent func place(of index: UInt32) -> Place {
        UnsafeRawPointer(address(index &+ 1)).load(as: Place.self)
    }

    /// Notes which key of an object is likely to be wanted next.
    @_transparent func setHint(_ hint: UInt32, of index: UInt32) {
        let offset = 2 * MemoryLayout<UInt32>.size
        UnsafeMutableRawPointer(address(index &+ 1)).storeBytes(of: hint, toByteOffset: offset, as: UInt32.self)
    }
}

/// A tape that is being written.
struct TapeWriter: ~Copyable {
    private var base: UnsafeMutablePointer<Token>
    private var capacity: Int
    private var written = 0

    /// An empty tape for a text of that many bytes.
    init(bytes: Int) {
        capacity = max(16, bytes / 8)
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// The index of the token that is written next.
    @_transparent var count: UInt32 { UInt32(truncatingIfNeeded: written) }

    @_transparent mutating func append(_ token: Token) {
        if written == capacity { grow() }
        (base + written).initialize(to: token)
        written &+= 1
    }

    /// Writes the first two tokens of an array or object.
    @_transparent mutating func open(_ token: Token, at place: Place) {
        append(token)
        if written == capacity { grow() }
        UnsafeMutableRawPointer(base + written).storeBytes(of: place, as: Place.self)
        written &+= 1
    }

    /// Says how many elements an array or object has, and that its last is written.
    ///
    /// - Returns: Where it is.
    @_transparent mutating func close(_ index: UInt32, count: UInt32) -> Place {
        let token = base + checked(index)
        token.pointee.count = count
        token.pointee.length = self.count
        return UnsafeRawPointer(token + 1).load(as: Place.self)
    }

    /// Keeps the count of an array or object while an element of it is read.
    @_transparent mutating func pause(_ index: UInt32, count: UInt32) {
        (base + checked(index)).pointee.count = count
    }

    @_transparent mutating func insert(_ flags: Token.Flags, at index: UInt32) {
        (base + checked(index)).pointee.flags.insert(flags)
    }

    subscript(index: UInt32) -> Token {
        @_transparent get { (base + checked(index)).pointee }
    }

    @_transparent private func checked(_ index: UInt32) -> Int {
        precondition(Int(index) < written, "outside the tokens")
        return Int(index)
    }

    @inline(never) private mutating func grow() {
        let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: written)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// The tape, complete.
    consuming func finish() -> Tape {
        let tape = Tape(base: base, count: written)
        discard self
        return tape
    }
}
