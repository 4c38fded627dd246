/// Our own SHA-256 (FIPS 180-4, section 6.2), for systems without CryptoKit. The letters are those of the standard.
struct PortableSHA256 {
    private static let blockCount = SHA256.blockCount

    private var state = PortableSHA256.initial
    private var total: UInt64 = 0
    private var pending: [UInt8] = []

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        total &+= UInt64(bytes.count)
        add(bytes)
    }

    /// The digest of all bytes.
    consuming func finalize() -> [UInt8] {
        let bits = total &* 8
        let padding = (2 * Self.blockCount - 9 - pending.count) % Self.blockCount
        let end = [0x80] + [UInt8](repeating: 0, count: padding) + withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        end.withUnsafeBufferPointer { add($0) }
        let words = state
        var digest: [UInt8] = []
        digest.reserveCapacity(SHA256.count)
        for index in words.indices { withUnsafeBytes(of: words[index].bigEndian) { digest.append(contentsOf: $0) } }
        return digest
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
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

    /// Adds whole blocks.
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

    /// Adds one block, whose words are the first 16.
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

// MARK: Constants

extension PortableSHA256 {
    /// The initial hash value: the fractions of the square roots of the first 8 primes (FIPS 180-4, section 5.3.3).
    private static let initial: SIMD8<UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The round constants: the fractions of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
