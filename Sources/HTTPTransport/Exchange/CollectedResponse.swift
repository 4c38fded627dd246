import Foundation

/// A response that is read as a whole: the parts that have arrived, and those that the reader has not seen.
struct CollectedResponse {
    /// An update for the reader.
    enum Update {
        case progress(ExchangeRequest.Progress)
        case head(ResponseHead)
        case whole(ResponseHead, Data)
    }

    /// The most bytes that are reserved because of `Content-Length` alone.
    private static let maxReservedBytes: Int64 = 1 << 20

    /// Whether the reader wants counts of bytes.
    private let counts: Bool
    private var head: ResponseHead?
    private var data = Data()
    /// The newest count of sent bytes, and whether there are a head and bytes, that the reader has not seen.
    private var sent: ExchangeRequest.Progress?
    private var isHeadNew = false
    private var isDataNew = false

    init(counts: Bool) {
        self.counts = counts
    }

    var hasUpdates: Bool { sent != nil || isHeadNew || isDataNew }

    mutating func take(_ event: ExchangeRequest.Event) {
        switch event {
        case .sent(let bytes, let expected): if counts { sent = .sent(bytes, expected: expected) }
        case .head(let head): (self.head, isHeadNew) = (head, true)
        case .body(let chunk):
            append(chunk)
            isDataNew = counts
        }
    }

    private mutating func append(_ chunk: Data) {
        guard data.isEmpty else { return data.append(chunk) }
        data = chunk
        if let expected = head?.expectedBytes, expected > Int64(chunk.count) {
            data.reserveCapacity(Int(min(expected, Self.maxReservedBytes)))
        }
    }

    /// The next update; nil if the reader has seen all.
    mutating func nextUpdate() -> Update? {
        if let sent = sent.take() { return .progress(sent) }
        if isHeadNew, let head {
            isHeadNew = false
            return .head(head)
        }
        guard isDataNew else { return nil }
        isDataNew = false
        return .progress(.received(Int64(data.count), expected: head?.expectedBytes))
    }

    /// The whole response, once; nil without a head.
    mutating func takeWhole() -> Update? {
        guard let head = head.take() else { return nil }
        defer { data = Data() }
        return .whole(head, data)
    }
}
