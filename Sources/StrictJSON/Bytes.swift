/// The text of a document, in UTF-8, with zeros behind it. With ``Tape`` the only type here that touches memory by address.
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
    init(copying text: UnsafeRawBufferPointer) {
        count = text.count
        limit = text.count + Self.padding
        base = .allocate(capacity: limit)
        if let start = text.baseAddress {
            UnsafeMutableRawPointer(base).copyMemory(from: start, byteCount: count)
        }
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
        return UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// Part of the text.
    @_transparent private func slice(_ start: Int, _ length: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(start >= 0 && length >= 0 && start <= count &- length, "outside the document")
        return UnsafeBufferPointer(start: base + start, count: length)
    }

    /// Calls `body` with part of the text, which is not to leave the closure.
    @_transparent func withSlice<Result>(
        _ start: Int,
        _ length: Int,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        body(slice(start, length))
    }

    /// Part of the text as a string.
    @_transparent func string(_ start: Int, _ length: Int) -> String {
        String(decoding: slice(start, length), as: UTF8.self)
    }

    /// Whether part of the text is this.
    @_transparent func equals(_ other: UnsafeBufferPointer<UInt8>, _ start: Int, _ length: Int) -> Bool {
        guard length == other.count else { return false }
        guard let theirs = other.baseAddress else { return true }
        guard let ours = slice(start, length).baseAddress else { return true }
        return memcmp(ours, theirs, length) == 0
    }

    /// Whether two parts of the text, of one length, are the same.
    @_transparent func areEqual(_ first: Int, _ second: Int, _ length: Int) -> Bool {
        equals(slice(first, length), second, length)
    }
}

#if canImport(Darwin)
private import Darwin
#elseif canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#elseif canImport(Android)
private import Android
#endif
