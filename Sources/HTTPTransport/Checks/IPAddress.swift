import Foundation

/// An IPv4 or IPv6 address, as the 128 bits of IPv6. An IPv4 address is mapped (RFC 4291, section 2.5.5.2), so that it
/// equals itself in either form.
struct IPAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The first bits of a mapped IPv4 address, beside `high` of 0.
    private static let mapped: UInt64 = 0xFFFF << 32

    init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    init(v4: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(v4))
    }

    /// The address of these bytes in network order; nil unless there are 4 or 16.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let number = { (part: Slice<UnsafeRawBufferPointer>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(high: 0, low: Self.mapped | number(bytes[..<4]))
        case 16: self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
        default: return nil
        }
    }

    /// The address in its standard spelling: `192.0.2.1` or `2001:db8::1`.
    init?(_ text: String) {
        guard !text.contains("\0") else { return nil }
        var buffer = (UInt64(0), UInt64(0))
        let count = inet_pton(AF_INET, text, &buffer) == 1 ? 4 : inet_pton(AF_INET6, text, &buffer) == 1 ? 16 : 0
        let address = withUnsafeBytes(of: buffer) { Self(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard let address else { return nil }
        self = address
    }

    var isV4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// The IPv4 address in the last 32 bits.
    var embedded: IPAddress { IPAddress(v4: UInt32(truncatingIfNeeded: low)) }

    /// The address without the bits after the first `length` of 128.
    func prefix(_ length: Int) -> IPAddress {
        let ones = { (count: Int) in count <= 0 ? 0 : count >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(count)) }
        return IPAddress(high: high & ones(length), low: low & ones(length - 64))
    }
}

extension IPAddress: CustomStringConvertible {
    var description: String {
        guard !isV4 else { return [24, 16, 8, 0].map { "\(low >> $0 & 0xFF)" }.joined(separator: ".") }
        var (bytes, text) = ((high.bigEndian, low.bigEndian), [CChar](repeating: 0, count: 64))
        _ = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
