import Basics
import Foundation
import HTTPTransport

/// Makes the frames that a client sends (RFC 6455, section 5). A copy shares the context of the compression.
struct FrameEncoder {
    private let compression: SocketCompression?
    private lazy var deflater = DeflateStream(compresses: true, window: compression?.clientWindow ?? 15)
    private let random: @Sendable () -> UInt64
    /// Two masks, of which the lower is in use.
    private var masks: UInt64 = 0, hasSecond = false

    /// Creates one that compresses if that was agreed on, with masks from the system's source of randomness.
    init(
        compression: SocketCompression? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        (self.compression, self.random) = (compression, random)
    }

    /// Appends a message, as one frame; compressed if it has 64 bytes or more.
    mutating func append(_ message: SocketMessage, to frames: inout [UInt8]) {
        switch message {
        case .text(let text): text.withBytes { append(.text, UnsafeRawBufferPointer($0), to: &frames) }
        case .data(let data): data.withUnsafeBytes { append(.binary, $0, to: &frames) }
        }
    }

    /// Appends a ping, or the pong that answers one, with at most 125 bytes of the payload.
    mutating func appendControl(_ opcode: Opcode, _ payload: Data, to frames: inout [UInt8]) {
        payload.prefix(125).withUnsafeBytes { appendFrame(opcode.rawValue, $0, to: &frames) }
    }

    /// Appends a close frame: empty if the code cannot be sent, and with at most 123 bytes of the reason.
    mutating func appendClose(_ close: SocketClose, to frames: inout [UInt8]) {
        let payload = bigEndian(close.code.rawValue) + Array(close.reason.utf8.prefix(123)).withoutCutCharacter
        appendControl(.close, close.code.isSendable ? Data(payload) : Data(), to: &frames)
    }

    private mutating func append(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, to frames: inout [UInt8]) {
        guard let compressed = compressed(payload) else { return appendFrame(opcode.rawValue, payload, to: &frames) }
        compressed.withUnsafeBytes { appendFrame(opcode.rawValue | 0x40, $0, to: &frames) }
    }

    private mutating func compressed(_ payload: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        guard let compression, (64...1 << 30).contains(payload.count),
            (try? deflater.run(payload) { bytes.append(contentsOf: $0) }) != nil
        else { return nil }
        if compression.clientHasNoContext { deflater.reset() }
        // The receiver adds this end (RFC 7692, section 7.2.1).
        return bytes.dropLast(4)
    }

    private mutating func appendFrame(_ first: UInt8, _ payload: UnsafeRawBufferPointer, to frames: inout [UInt8]) {
        let count = payload.count
        frames.append(first | 0x80)
        frames.append(count <= 125 ? 0x80 | UInt8(count) : count <= 0xFFFF ? 0xFE : 0xFF)
        frames += count <= 125 ? [] : count <= 0xFFFF ? bigEndian(UInt16(count)) : bigEndian(UInt64(count))
        hasSecond.toggle()
        masks = hasSecond ? random() : masks >> 32
        let mask = masks & 0xFFFF_FFFF | masks << 32
        withUnsafeBytes(of: mask) { frames.append(contentsOf: $0.prefix(4)) }
        let start = frames.count
        frames.append(contentsOf: payload)
        frames.withUnsafeMutableBytes { apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
    }
}

/// Masks these bytes, eight at a time.
private func apply(_ mask: UInt64, to bytes: UnsafeMutableRawBufferPointer) {
    let end = bytes.count & ~7
    for index in stride(from: 0, to: end, by: 8) {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ mask
        bytes.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
    }
    withUnsafeBytes(of: mask) { for index in end..<bytes.count { bytes[index] ^= $0[index - end] } }
}
