import Foundation
import HTTPTransport

/// Reads the frames that a server sends (RFC 6455, section 5; RFC 7692). Memory is taken only for what has arrived.
///
/// A copy shares the context of the compression.
struct FrameDecoder {
    /// The most bytes in a frame, as it is sent, and in a message, after decompression.
    private let limits: (frame: Int, message: Int)
    private let compression: SocketCompression?
    private lazy var inflater = DeflateStream(compresses: false, window: compression?.serverWindow ?? 15)
    /// The bytes that have arrived; all before the head have been read.
    private var bytes: [UInt8] = [], head = 0
    /// The data frame being read, and how much of its payload is to come.
    private var frame: FrameHeader?, left = 0
    private var message: MessageAssembly?, isClosed = false

    init(limits: (frame: Int, message: Int), compression: SocketCompression? = nil) {
        (self.limits, self.compression) = (limits, compression)
    }

    /// The bytes that are there of the next message.
    var partCount: Int { message?.content.count ?? 0 }

    /// Adds received bytes, to be read with ``next()``. After a close frame or a violation, they are dropped.
    mutating func append(_ chunk: some Collection<UInt8>) {
        guard !isClosed else { return }
        if head * 2 >= bytes.count {
            if head == bytes.count { bytes.removeAll(keepingCapacity: true) } else { bytes.removeFirst(head) }
            head = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next event; `nil` until more bytes are added, and after a close frame or a violation.
    mutating func next() throws(SocketViolation) -> SocketEvent? {
        guard !isClosed else { return nil }
        // It stays closed if reading throws.
        isClosed = true
        let event = try read()
        if case .close = event { return event }
        isClosed = false
        return event
    }

    private mutating func read() throws(SocketViolation) -> SocketEvent? {
        while true {
            if let frame {
                let part = bytes[head...].prefix(left)
                try message?.add(part)
                (head, left) = (head + part.count, left - part.count)
                guard left == 0 else { return nil }
                self.frame = nil
                guard frame.isLast, let finished = try message?.finish() else { continue }
                message = nil
                return .message(finished)
            }
            guard let header = try FrameHeader(bytes[head...], mayBeCompressed: compression != nil) else { return nil }
            guard header.opcode.isControl else {
                try begin(header)
                continue
            }
            let payload = Data(bytes[(head + header.count)...].prefix(header.length))
            guard payload.count == header.length else { return nil }
            head += header.count + header.length
            switch header.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            default: return .close(try SocketClose(payload: payload))
            }
        }
    }

    /// Begins with the payload of a data frame.
    private mutating func begin(_ header: FrameHeader) throws(SocketViolation) {
        let (opcode, length, limit, isFirst) = (header.opcode, header.length, limits.frame, message == nil)
        try require((opcode != .continuation) == isFirst, isFirst ? "a first frame" : "a continuation", "\(opcode)")
        try require(length <= limit, "a frame of at most \(limit) bytes", "\(length)", or: .messageTooBig)
        if isFirst {
            let inflater = header.isCompressed ? inflater : nil
            if compression?.serverHasNoContext == true { inflater?.reset() }
            message = MessageAssembly(isText: opcode == .text, limit: limits.message, inflater: inflater)
        }
        (frame, left, head) = (header, length, head + header.count)
    }
}
