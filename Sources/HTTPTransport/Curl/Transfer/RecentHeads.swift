#if os(Linux) || os(Android)
import Foundation

/// The heads that have come last, so that one that comes again, byte for byte and from the same URL, is not made anew.
///
/// Servers say the same for a second, which is how fine `Date` is. To make headers and Foundation's response of the bytes
/// costs as much as all else in a small exchange; both are values, so that nothing is lost by sharing them.
struct RecentHeads {
    private struct Entry {
        let bytes: [UInt8]
        let urlText: String
        let head: ResponseHead
    }

    private static let most = 8
    /// Bytes of a head that is worth keeping.
    private static let largest = 2_048

    private var entries: [Entry] = []
    private var oldest = 0

    /// The head made of these lines before; nil if there is none.
    func head(
        of bytes: UnsafeBufferPointer<UInt8>,
        statusCode: Int,
        httpVersion: String,
        from urlText: String
    ) -> ResponseHead? {
        entries.first { entry in
            entry.head.statusCode == statusCode && entry.head.httpVersion == httpVersion
                && entry.bytes.elementsEqual(bytes) && entry.urlText == urlText
        }?.head
    }

    /// Keeps a head in place of the oldest.
    mutating func keep(_ head: ResponseHead, of bytes: UnsafeBufferPointer<UInt8>, from urlText: String) {
        guard bytes.count <= Self.largest else { return }
        let entry = Entry(bytes: Array(bytes), urlText: urlText, head: head)
        if entries.count < Self.most { return entries.append(entry) }
        entries[oldest] = entry
        oldest = (oldest + 1) % Self.most
    }
}
#endif
