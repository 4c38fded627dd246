import APIBaseRecording

/// The newest messages of a socket.
struct SocketFrames: Encodable, Sendable {
    private static let maximumCount = 200

    struct Frame: Encodable {
        /// The beginning of the message, as a recording has it.
        var message: HAR.WebSocketMessage
        /// The bytes of the whole.
        let size: Int
    }

    var newest: [Frame] = []
    /// The number of the others.
    private var dropped = 0

    /// The bytes in memory.
    var memory: Int { newest.reduce(0) { $0 + $1.message.data.utf8.count + 100 } }

    mutating func append(_ frame: Frame) {
        newest.append(frame)
        guard newest.count > Self.maximumCount else { return }
        newest.removeFirst()
        dropped += 1
    }

    func appending(_ others: SocketFrames) -> SocketFrames {
        var result = others.newest.reduce(into: self) { $0.append($1) }
        result.dropped += others.dropped
        return result
    }
}
