import Basics

/// HMAC with SHA-256 (RFC 2104, section 2) of bytes that come in pieces.
struct HMACSHA256 {
    private var inner = SHA256()
    private let outerPad: [UInt8]

    /// - Parameter key: The key, of any length.
    init(key: some Collection<UInt8>) {
        var block = key.count > SHA256.blockCount ? SHA256.digest(of: key) : Array(key)
        block += [UInt8](repeating: 0, count: SHA256.blockCount - block.count)
        inner.update(block.map { $0 ^ 0x36 })
        outerPad = block.map { $0 ^ 0x5C }
    }

    /// Adds bytes of the message.
    mutating func update(_ bytes: some Sequence<UInt8>) { inner.update(bytes) }

    /// The code of all bytes: 32 bytes.
    consuming func finalize() -> [UInt8] {
        var outer = SHA256()
        outer.update(outerPad)
        outer.update(inner.finalize())
        return outer.finalize()
    }

    /// The code of a text's UTF-8.
    static func code(of text: String, key: some Collection<UInt8>) -> [UInt8] {
        var code = HMACSHA256(key: key)
        code.update(text.utf8)
        return code.finalize()
    }

    /// Whether both are the same bytes. The time does not depend on where they differ, only on their lengths.
    static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
