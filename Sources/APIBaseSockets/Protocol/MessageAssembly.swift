import Foundation
import HTTPTransport

/// A message of which frames arrive. Each byte is checked when it comes.
struct MessageAssembly {
    private let isText: Bool
    private let limit: Int
    private let inflater: MessageInflater?
    private var content = Data()
    private var check = UTF8Check()

    /// Begins a message of at most `limit` bytes, which is compressed if there is an inflater.
    init(isText: Bool, limit: Int, inflater: MessageInflater?) {
        (self.isText, self.limit, self.inflater) = (isText, limit, inflater)
    }

    /// Refuses a frame that is too long for the message.
    func expect(_ length: Int) throws(SocketViolation) {
        if inflater == nil { try requireRoom(length) }
    }

    /// Adds the next part of a frame's payload.
    mutating func add(_ payload: UnsafeRawBufferPointer) throws(SocketViolation) {
        guard let inflater else { return try append(payload) }
        try inflater.run(payload) { (bytes) throws(SocketViolation) in try append(bytes) }
    }

    /// The message, after its last frame.
    mutating func finish() throws(SocketViolation) -> SocketMessage {
        if let inflater {
            // Its sender has left this out (RFC 7692, section 7.2.1).
            try [0x00, 0x00, 0xFF, 0xFF].withUnsafeBufferPointer { (end) throws(SocketViolation) in
                try add(UnsafeRawBufferPointer(end))
            }
            try require(inflater.isWhole, "a whole message of DEFLATE", received: "a part", or: .invalidPayload)
        }
        try require(check.isWhole, "a text in UTF-8", received: "a cut character", or: .invalidPayload)
        return isText ? .text(String(decoding: content, as: UTF8.self)) : .data(content)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SocketViolation) {
        try requireRoom(bytes.count)
        try require(!isText || check.accepts(bytes), "a text in UTF-8", received: "other bytes", or: .invalidPayload)
        content.append(bytes.assumingMemoryBound(to: UInt8.self))
    }

    private func requireRoom(_ count: Int) throws(SocketViolation) {
        try require(
            count <= limit - content.count,
            "a message of at most \(limit) bytes",
            received: "\(content.count) and \(count) more",
            or: .messageTooBig
        )
    }
}
