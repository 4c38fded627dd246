import Foundation

/// A reply that is read as a whole: what has come of it, and what its reader has not been told.
struct CollectedReply {
    /// Something for a reader to be told.
    enum News {
        case progress(ExchangeProgress)
        case head(ResponseHead)
        /// All of the reply.
        case whole(ResponseHead, Data)
    }

    /// Bytes that are reserved on the word of `Content-Length` alone.
    private static let trustedBytes: Int64 = 1 << 20

    /// Whether the reader wants the counts of bytes.
    private let counts: Bool
    private var head: ResponseHead?
    private var data = Data()
    /// The newest count of sent bytes, and whether there are a head and bytes, that the reader has not been told of.
    private var sent: ExchangeProgress?
    private var hasNewHead = false
    private var hasNewData = false

    init(counts: Bool) {
        self.counts = counts
    }

    var hasNews: Bool { sent != nil || hasNewHead || hasNewData }

    mutating func take(_ event: ExchangeEvent) {
        switch event {
        case .sent(let bytes, let expected): if counts { sent = .sent(bytes, expected: expected) }
        case .head(let head): (self.head, hasNewHead) = (head, true)
        case .body(let chunk):
            append(chunk)
            hasNewData = counts
        }
    }

    private mutating func append(_ chunk: Data) {
        guard data.isEmpty else { return data.append(chunk) }
        data = chunk
        if let expected = head?.expectedBytes, expected > Int64(chunk.count) {
            data.reserveCapacity(Int(min(expected, Self.trustedBytes)))
        }
    }

    /// The next of what the reader has not been told.
    mutating func nextNews() -> News? {
        if let sent = sent.take() { return .progress(sent) }
        if hasNewHead, let head {
            hasNewHead = false
            return .head(head)
        }
        guard hasNewData else { return nil }
        hasNewData = false
        return .progress(.received(Int64(data.count), expected: head?.expectedBytes))
    }

    /// All of the reply, once; nil if it has no head.
    mutating func takeWhole() -> News? {
        guard let head = head.take() else { return nil }
        defer { data = Data() }
        return .whole(head, data)
    }
}
