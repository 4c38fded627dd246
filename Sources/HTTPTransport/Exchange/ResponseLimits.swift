/// The limits on what comes back: ``ExchangeLimits/headerBytes`` and ``ExchangeLimits/responseBytes``.
///
/// The limits on time are in ``Deadlines``, that on redirects in ``RedirectPolicy``, and
/// ``ExchangeLimits/queuedBytes`` in ``HopState``.
struct ResponseLimits {
    private let headerBytes: Int
    private let responseBytes: Int
    private var received = 0

    init(_ limits: ExchangeLimits) {
        headerBytes = limits.headerBytes
        responseBytes = limits.responseBytes
    }

    /// Why the header fields are too large; nil if they are not.
    func excess(ofFieldsIn head: ResponseHead) -> TransportError.Reason? {
        head.headerBytes > headerBytes ? .tooLarge(.headerBytes, limit: headerBytes) : nil
    }

    /// Why the body that a head announces is too large, before any of it is read; nil if it is not, or has no length.
    func excess(ofBodyAfter head: ResponseHead, to method: String?) -> TransportError.Reason? {
        guard let length = head.contentLength, length > responseBytes else { return nil }
        let hasBody = method != "HEAD" && head.statusCode != 204 && head.statusCode != 304
        return hasBody ? .tooLarge(.responseBytes, limit: responseBytes) : nil
    }

    /// Counts bytes of the body; says why they are too many, once they are.
    mutating func count(_ bytes: Int) -> TransportError.Reason? {
        received += bytes
        return received > responseBytes ? .tooLarge(.responseBytes, limit: responseBytes) : nil
    }
}
