import Basics
import Foundation
import HTTPTransport

/// Makes the frames that a client sends (RFC 6455, section 5). A copy shares the context of the compression.
struct FrameEncoder {
    private let compression: SocketCompression?
    private let mask: @Sendable () -> UInt32
    private lazy var deflater = MessageDeflater(window: compression?.clientWindow ?? 15)

    /// Creates one that compresses if that was agreed on; the masks are from the system's source of randomness.
    init(
        compression: SocketCompression? = nil,
        mask: @escaping @Sendable () -> UInt32 = { .random(in: .min ... .max) }
    ) {
        (self.compression, self.mask) = (compression, mask)
    }

    /// Appends a message, as one frame; compressed if it has 64 bytes or more.
    mutating func append(_ message: SocketMessage, to frames: inout [UInt8]) {
        switch message {
        case .text(let text): text.withBytes { append(.text, UnsafeRawBufferPointer($0), to: &frames) }
        case .data(let data): data.withUnsafeBytes { append(.binary, $0, to: &frames) }
        }
    }

    /// Appends a ping with at most 125 bytes of this payload.
    func appendPing(_ payload: Data, to frames: inout [UInt8]) { appendControl(.ping, payload, to: &frames) }

    /// Appends the answer to a ping with this payload.
    func appendPong(_ payload: Data, to frames: inout [UInt8]) { appendControl(.pong, payload, to: &frames) }

    /// Appends a close frame: empty if the code cannot be sent, and with at most 123 bytes of the reason.
    func appendClose(_ close: SocketClose, to frames: inout [UInt8]) {
        let reason = Array(close.reason.utf8.prefix(123)).withoutCutCharacter
        appendControl(
            .close,
            close.code.isSendable ? Data(bigEndian(close.code.rawValue) + reason) : Data(),
            to: &frames
        )
    }

    private func appendControl(_ opcode: Opcode, _ payload: Data, to frames: inout [UInt8]) {
        payload.prefix(125).withUnsafeBytes { appendFrame(opcode.rawValue, $0, to: &frames) }
    }

    private mutating func append(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, to frames: inout [UInt8]) {
        if let compression, (64...1 << 30).contains(payload.count),
            let compressed = deflater.compress(payload, keepsContext: !compression.clientHasNoContext)
        {
            compressed.withUnsafeBytes { appendFrame(opcode.rawValue | 0x40, $0, to: &frames) }
        } else {
            appendFrame(opcode.rawValue, payload, to: &frames)
        }
    }

    private func appendFrame(_ first: UInt8, _ payload: UnsafeRawBufferPointer, to frames: inout [UInt8]) {
        let (count, mask) = (payload.count, mask())
        frames.append(first | 0x80)
        frames.append(count <= 125 ? 0x80 | UInt8(count) : count <= 0xFFFF ? 0xFE : 0xFF)
        if count > 0xFFFF {
            frames += bigEndian(UInt64(count))
        } else if count > 125 {
            frames += bigEndian(UInt16(count))
        }
        withUnsafeBytes(of: mask.bigEndian) { frames.append(contentsOf: $0) }
        let start = frames.count
        frames.append(contentsOf: payload)
        frames.withUnsafeMutableBytes { Self.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Masks in place, eight bytes at a time.
    private static func apply(_ mask: UInt32, to payload: UnsafeMutableRawBufferPointer) {
        let wide = UInt64(mask.bigEndian) << 32 | UInt64(mask.bigEndian)
        let words = payload.count & ~7
        for index in stride(from: 0, to: words, by: 8) {
            let word = payload.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
            payload.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
        }
        withUnsafeBytes(of: wide) { for index in words..<payload.count { payload[index] ^= $0[index & 7] } }
    }
}
