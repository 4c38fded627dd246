import Foundation
import HTTPTransport

/// The most bytes that a server may send at once.
struct SocketLimits: Hashable, Sendable {
    /// In a frame, as it is sent.
    var frame: Int
    /// In a message, after decompression.
    var message: Int
}

/// Reads the frames that a server sends (RFC 6455, section 5; RFC 7692). A copy shares the context of the compression.
///
/// It keeps only what has arrived, and the part of a payload only as the beginning of a message.
struct FrameDecoder {
    private let limits: SocketLimits
    private let compression: SocketCompression?
    private lazy var inflater = MessageInflater(window: compression?.serverWindow ?? 15)
    /// What has arrived; all before the head has been read.
    private var bytes: [UInt8] = [], head = 0
    /// The data frame being read, and how much of its payload is to come.
    private var frame: FrameHeader?, left = 0
    private var message: MessageAssembly?
    private var isClosed = false

    init(limits: SocketLimits, compression: SocketCompression? = nil) {
        (self.limits, self.compression) = (limits, compression)
    }

    /// Adds received bytes, to be read with ``next()``. After a close frame or a violation, they are dropped.
    mutating func append(_ chunk: some Collection<UInt8>) {
        guard !isClosed else { return }
        if head * 2 >= bytes.count {
            bytes.removeFirst(head)
            head = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next event; `nil` until more bytes are added, and after a close frame or a violation.
    mutating func next() throws(SocketViolation) -> SocketEvent? {
        guard !isClosed else { return nil }
        do throws(SocketViolation) {
            let event = try read()
            if case .close = event { end() }
            return event
        } catch {
            end()
            throw error
        }
    }

    private mutating func end() { (isClosed, bytes, head, message) = (true, [], 0, nil) }

    private mutating func read() throws(SocketViolation) -> SocketEvent? {
        while true {
            if let frame {
                try readPayload()
                guard left == 0 else { return nil }
                self.frame = nil
                guard frame.isLast, let finished = try message?.finish() else { continue }
                message = nil
                return .message(finished)
            }
            let allowsCompression = compression != nil
            guard let (header, count) = try FrameHeader.read(bytes[head...], allowsCompression: allowsCompression)
            else { return nil }
            guard header.opcode.isControl else {
                head += count
                try begin(header)
                continue
            }
            let payload = Data(bytes[(head + count)...].prefix(header.length))
            guard payload.count == header.length else { return nil }
            head += count + header.length
            switch header.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            default: return .close(try SocketClose(payload: payload))
            }
        }
    }

    /// Begins with the payload of a data frame.
    private mutating func begin(_ header: FrameHeader) throws(SocketViolation) {
        let (length, isContinuation) = (header.length, header.opcode == .continuation)
        try require(
            isContinuation == (message != nil),
            isContinuation ? "a first frame" : "a continuation",
            received: "\(header.opcode)"
        )
        try require(
            length <= limits.frame,
            "a frame of at most \(limits.frame) bytes",
            received: "\(length)",
            or: .messageTooBig
        )
        if !isContinuation {
            let inflater = header.isCompressed ? inflater : nil
            if compression?.serverHasNoContext == true { inflater?.reset() }
            message = MessageAssembly(isText: header.opcode == .text, limit: limits.message, inflater: inflater)
        }
        try message?.expect(length)
        (frame, left) = (header, length)
    }

    /// Reads as much of the payload as is there.
    private mutating func readPayload() throws(SocketViolation) {
        let part = bytes[head...].prefix(left)
        try part.withUnsafeBufferPointer { (part) throws(SocketViolation) in
            try message?.add(UnsafeRawBufferPointer(part))
        }
        (head, left) = (head + part.count, left - part.count)
    }
}
