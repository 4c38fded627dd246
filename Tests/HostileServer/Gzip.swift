import Foundation

/// Hand-made gzip (RFC 1952): tests need exact control, and no compression.
package enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// At most 65,535 bytes in one stored block (RFC 1951, section 3.2.4).
    package static func stored(_ bytes: some Collection<UInt8>) -> [UInt8] {
        header + deflateStored(bytes) + checksum(bytes).littleEndianBytes + UInt32(bytes.count).littleEndianBytes
    }

    /// The block without the header and the checksum of gzip.
    package static func deflateStored(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let count = UInt16(bytes.count)
        return [1] + count.littleEndianBytes + (~count).littleEndianBytes + bytes
    }

    /// The start of an endless stream of zeros, and the part to repeat, of which 13 bytes are 2,064 zeros.
    ///
    /// In a block of fixed codes (RFC 1951, section 3.2.6) a zero is 00110000, and 258 bytes from one byte back are
    /// 11000101 00000. Eight of those are thirteen bytes.
    package static let endlessZeros: (start: [UInt8], more: [UInt8]) = {
        var bits: [UInt8] = [0, 1, 0]
        bits += [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<16 { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<(start + 8)].enumerated().reduce(UInt8(0)) { $0 | $1.element << UInt8($1.offset) }
        }
        return (header + bytes.prefix(13), Array(bytes[13..<26]))
    }()

    /// The checksum of RFC 1952, section 8.
    package static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
