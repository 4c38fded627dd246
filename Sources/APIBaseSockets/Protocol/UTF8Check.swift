/// Checks UTF-8 as it arrives, and refuses the first byte that cannot belong to any text (RFC 3629, section 4).
struct UTF8Check {
    /// The number of bytes that the last character lacks, and what the next of them can be.
    private var missing = 0, allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the bytes so far end with a whole character.
    var isWhole: Bool { missing == 0 }

    /// Checks the next bytes.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // ASCII is found out fast.
        missing == 0 && bytes.reduce(0, |) < 0x80 || bytes.allSatisfy { accepts($0) }
    }

    private mutating func accepts(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            defer { (missing, allowed) = (missing - 1, 0x80...0xBF) }
            return allowed.contains(byte)
        }
        switch byte {
        case ..<0x80: break
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
        case 0xED: (missing, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
        case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
