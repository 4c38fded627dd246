import Foundation
import HTTPTransport

/// A message of which frames arrive. Each byte is checked when it comes.
struct MessageAssembly {
    let isText: Bool
    /// The most bytes, after decompression.
    let limit: Int
    /// `nil` if the message is not compressed.
    let inflater: DeflateStream?
    private(set) var content: [UInt8] = []
    private(set) var check = UTF8Check()

    /// Adds the next part of a frame's payload.
    mutating func add(_ payload: ArraySlice<UInt8>) throws(SocketViolation) {
        try payload.withUnsafeBufferPointer { (payload) throws(SocketViolation) in
            let payload = UnsafeRawBufferPointer(payload)
            guard let inflater else { return try append(payload) }
            try inflater.run(payload) { (bytes) throws(SocketViolation) in try append(bytes) }
        }
    }

    /// The message, after its last frame.
    mutating func finish() throws(SocketViolation) -> SocketMessage {
        // The sender has left the end out (RFC 7692, section 7.2.1).
        if inflater != nil { try add([0x00, 0x00, 0xFF, 0xFF]) }
        let isWhole = inflater?.isBetweenBlocks ?? true
        try require(isWhole && check.isWhole, "a whole message", "a part of one", or: .invalidPayload)
        return isText ? .text(String(decoding: content, as: UTF8.self)) : .data(Data(content))
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SocketViolation) {
        try require(bytes.count <= limit - content.count, "at most \(limit) bytes", "more", or: .messageTooBig)
        try require(!isText || check.accepts(bytes), "a text in UTF-8", "other bytes", or: .invalidPayload)
        content.append(contentsOf: bytes)
    }
}
