import Foundation

/// The MD5 digest (RFC 1321), which is broken: only for servers whose Digest authentication knows nothing better.
package struct MD5 {
    /// The digest of some bytes as 32 hexadecimal digits in lower case.
    package static func hex(of bytes: some Sequence<UInt8>) -> String {
        var message = Array(bytes)
        let bits = UInt64(message.count) &* 8
        message.append(0x80)
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        message += withUnsafeBytes(of: bits.littleEndian) { Array($0) }
        var state: SIMD4<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        message.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 64) {
                state &+= mixed(state) {
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * $0, as: UInt32.self))
                }
            }
        }
        return (0..<16).map { index in
            let byte = UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(8 * (index % 4)))
            return String(byte >> 4, radix: 16) + String(byte & 0x0F, radix: 16)
        }
        .joined()
    }

    /// The four rounds over a block of 16 words (section 3.4).
    private static func mixed(_ state: SIMD4<UInt32>, word: (Int) -> UInt32) -> SIMD4<UInt32> {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mix, index): (UInt32, Int) =
                switch step / 16 {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((b & d) | (c & ~d), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), (7 * step) % 16)
                }
            let sum = a &+ mix &+ sines[step] &+ word(index)
            let shift = shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum &<< shift | sum &>> (32 - shift)))
        }
        return [a, b, c, d]
    }

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    /// The sines of the numbers from 1 on, times 2³² (section 3.4).
    private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
