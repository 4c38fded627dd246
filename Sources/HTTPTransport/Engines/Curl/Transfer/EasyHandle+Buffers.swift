#if os(Linux) || os(Android)
import CCurl

extension EasyHandle {
    /// The sizes of libcurl's buffers. They stay as they are: a handle may keep its buffers from one transfer to the next, while
    /// others share its connection, and takes no other size then.
    struct Buffers: Equatable {
        /// Bytes that are received and sent at a time. Allocated for each transfer: from 64 KiB on, freeing them has glibc tidy
        /// its whole heap.
        private static let (usual, usualUpload) = (32 << 10, 64 << 10)
        /// The same where a body may be so long that it is worth it.
        private static let large = 128 << 10

        let received: Int
        let sent: Int

        /// The buffers for a request. `isMultiplexed` is whether one connection with the origin carries many hops, nil if no
        /// response has told yet.
        init(
            for request: CurlRequest,
            _ framing: CurlFraming,
            over version: CurlSession.Configuration.HTTPVersion,
            isMultiplexed: Bool?
        ) {
            let mayBeHTTP2 = version == .http2 || version == .automatic && request.isSecure && isMultiplexed != false
            // libcurl's first versions of HTTP/2 need room for the whole head.
            let head = mayBeHTTP2 && !ccurl_splits_heads() ? min(request.headerBytes, 512 << 10) : 0
            received = max(request.isForStream ? Self.large : Self.usual, head)
            if case .body(let length) = framing, length ?? .max >= Self.large {
                sent = Self.large
            } else {
                sent = Self.usualUpload
            }
        }
    }
}
#endif
