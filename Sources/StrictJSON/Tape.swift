/// The tokens of a document in its order. With ``Bytes`` the only type here that touches memory by address.
///
/// Each access is checked against the bounds, in release builds as well; one outside them stops the process.
struct Tape {
    private let base: UnsafeMutablePointer<Token>
    /// The number of tokens.
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

    /// The place of an array or object in the document.
    @_transparent func place(of index: UInt32) -> Place {
        UnsafeRawPointer(address(index &+ 1)).load(as: Place.self)
    }

    /// The token of the key of an object that is likely to be wanted next; or any behind its last.
    func hint(of index: UInt32) -> UInt32 {
        let offset = 2 * MemoryLayout<UInt32>.size
        return UnsafeRawPointer(address(index &+ 1)).load(fromByteOffset: offset, as: UInt32.self)
    }

    /// Makes the key behind that one the likely one.
    func advanceHint(of index: UInt32, after key: UInt32) {
        setHint(next(after: key &+ 1), of: index)
    }

    /// The key that is likely to be wanted next, if it is the wanted one.
    func likelyKey(of index: UInt32, _ wanted: UnsafeBufferPointer<UInt8>, in bytes: Bytes) -> UInt32? {
        let key = hint(of: index)
        guard key < address(index).pointee.length else { return nil }
        let token = address(key)
        guard bytes.equals(wanted, Int(token.pointee.start), Int(token.pointee.length)) else { return nil }
        return key
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

    mutating func append(_ start: Int, _ length: Int, _ kind: Token.Kind, _ flags: Token.Flags = .none) {
        if written == capacity { grow() }
        base[written].start = UInt32(truncatingIfNeeded: start)
        base[written].length = UInt32(truncatingIfNeeded: length)
        base[written].kind = kind
        base[written].flags = flags
        base[written].count = 0
        written &+= 1
    }

    /// Writes the first two tokens of an array or object.
    mutating func open(_ start: Int, _ kind: Token.Kind, at place: Place) {
        append(start, 0, kind)
        if written == capacity { grow() }
        UnsafeMutableRawPointer(base + written).storeBytes(of: place, as: Place.self)
        written &+= 1
    }

    /// Says how many elements an array or object has, and that its last is written.
    ///
    /// - Returns: Where it is.
    mutating func close(_ index: UInt32, count: UInt32) -> Place {
        let token = base + checked(index)
        token.pointee.count = count
        token.pointee.length = self.count
        return UnsafeRawPointer(token + 1).load(as: Place.self)
    }

    /// Keeps the count of an array or object while an element of it is read.
    mutating func pause(_ index: UInt32, count: UInt32) {
        (base + checked(index)).pointee.count = count
    }

    mutating func insert(_ flags: Token.Flags, at index: UInt32) {
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
