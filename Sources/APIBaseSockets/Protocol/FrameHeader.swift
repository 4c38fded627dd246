import HTTPTransport

/// The kind of a frame (RFC 6455, section 5.2).
enum Opcode: UInt8 {
    case continuation = 0
    case text, binary
    case close = 8
    case ping, pong

    var isControl: Bool { rawValue >= 8 }
}

/// The beginning of a frame from a server (RFC 6455, section 5.2).
struct FrameHeader {
    let opcode: Opcode
    /// Whether the message ends with this frame.
    let isLast: Bool
    let isCompressed: Bool
    /// The number of bytes of the header, and of those that follow.
    let count: Int, length: Int

    /// Reads the header at the beginning of these bytes; `nil` if it is not there as a whole yet.
    init?(_ bytes: ArraySlice<UInt8>, mayBeCompressed: Bool) throws(SocketViolation) {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
        let (code, reserved) = (first & 0x0F, first >> 4 & 7)
        guard let opcode = Opcode(rawValue: code) else {
            throw SocketViolation(closeCode: .protocolError, expected: "an opcode in use", received: "\(code)")
        }
        self.opcode = opcode
        isLast = first >= 0x80
        isCompressed = mayBeCompressed && (opcode == .text || opcode == .binary) && reserved == 4
        try require(isCompressed || reserved == 0, "no reserved bits with opcode \(code)", "\(reserved)")
        try require(second < 0x80, "a frame without a mask", "one with a mask")
        try require(!opcode.isControl || isLast, "a control frame that is whole", "a fragment")
        try require(!opcode.isControl || second <= 125, "a control frame of at most 125 bytes", "more")
        let lengths: ClosedRange<UInt64>
        (count, lengths) =
            switch second {
            case 126: (4, 126...0xFFFF)
            case 127: (10, 0x1_0000...UInt64(Int64.max))
            default: (2, 0...125)
            }
        guard bytes.count >= count else { return nil }
        let length = count == 2 ? UInt64(second) : bytes.prefix(count).dropFirst(2).reduce(0) { $0 << 8 | UInt64($1) }
        try require(lengths.contains(length), "a length in \(lengths) in \(count - 2) bytes", "\(length)")
        self.length = Int(clamping: length)
    }
}
