/// A digest of 32 bytes (FIPS 180-4, section 6.2). The letters are those of the standard.
struct SHA256 {
    /// The length of a digest, in bytes.
    static let count = 32

    /// The length of a block, in bytes.
    private static let blockCount = 64

    private var state = SHA256.initial
    private var total: UInt64 = 0
    private var pending: [UInt8] = []

    /// Takes in more bytes.
    mutating func update(_ bytes: some Sequence<UInt8>) {
        guard bytes.withContiguousStorageIfAvailable({ take($0) }) == nil else { return }
        Array(bytes).withUnsafeBufferPointer { take($0) }
    }

    /// The digest of all that was taken in.
    consuming func finalize() -> [UInt8] {
        let bits = total &* 8
        let padding = (2 * Self.blockCount - 9 - pending.count) % Self.blockCount
        update([0x80] + [UInt8](repeating: 0, count: padding) + withUnsafeBytes(of: bits.bigEndian) { Array($0) })
        let words = state
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.count)
        for index in words.indices { withUnsafeBytes(of: words[index].bigEndian) { digest.append(contentsOf: $0) } }
        return digest
    }

    /// The digest of some bytes.
    static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of some bytes as 64 hexadecimal digits in lower case.
    static func hex(of bytes: some Sequence<UInt8>) -> String {
        let digest = digest(of: bytes)
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 2 * digest.count) { text in
            digits.withUTF8Buffer { digits in
                for (index, byte) in digest.enumerated() {
                    text[2 * index] = digits[Int(byte >> 4)]
                    text[2 * index + 1] = digits[Int(byte & 0x0F)]
                }
            }
            return 2 * digest.count
        }
    }

    /// The digest of a text's UTF-8 as 64 hexadecimal digits in lower case.
    static func hex(of text: String) -> String { hex(of: text.utf8) }

    private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        total &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(Self.blockCount - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == Self.blockCount else { return }
            let block = pending
            pending.removeAll(keepingCapacity: true)
            block.withUnsafeBytes { compress($0) }
        }
        let whole = rest.count - rest.count % Self.blockCount
        compress(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest.prefix(whole))))
        pending += rest.dropFirst(whole)
    }

    /// Takes in blocks.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.blockCount) { words in
            Self.constants.withUnsafeBufferPointer { constants in
                var offset = 0
                while offset < blocks.count {
                    for index in 0..<16 {
                        let word = blocks.loadUnaligned(fromByteOffset: offset + 4 * index, as: UInt32.self)
                        words[index] = UInt32(bigEndian: word)
                    }
                    compress(words, constants)
                    offset += Self.blockCount
                }
            }
        }
    }

    /// Takes in one block, whose words are the first 16.
    private mutating func compress(_ w: UnsafeMutableBufferPointer<UInt32>, _ k: UnsafeBufferPointer<UInt32>) {
        for t in 16..<64 {
            let (early, late) = (w[t - 15], w[t - 2])
            let s0 = early.rotated(7) ^ early.rotated(18) ^ (early &>> 3)
            let s1 = late.rotated(17) ^ late.rotated(19) ^ (late &>> 10)
            w[t] = s1 &+ w[t - 7] &+ s0 &+ w[t - 16]
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for t in 0..<64 {
            let s1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[t] &+ w[t]
            let s0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
