/// The limits of one request. One that is broken is named in the error.
public struct ExchangeLimits: Sendable, Hashable {
    /// Bytes of the response's body, counted after decompression, chunk by chunk; `Content-Length` over it fails before
    /// anything is read. 32 MiB.
    public var responseBytes = 32 << 20

    /// Bytes of the response's header fields: names, values and four for each line. 256 KiB.
    public var headerBytes = 256 << 10

    /// Received bytes that nobody has taken yet, where the engine cannot make the sender wait (`URLSession` on Linux).
    /// 32 MiB, so that no response within the default of ``responseBytes`` can break it.
    public var queuedBytes = 32 << 20

    /// Redirects followed in one chain; one more fails. With 0, none is followed and the redirect is the response. 10.
    public var redirects = 10

    /// Time for name resolution, connection and TLS. None.
    ///
    /// Only an engine that can see the connection applies it. `URLSession` cannot: there ``idle`` covers connecting.
    public var connect: Duration?

    /// Time in which nothing moves in either direction. Waiting for the subscriber does not count. 60 s.
    public var idle: Duration? = .seconds(60)

    /// Time for the whole exchange, redirects included. None.
    ///
    /// All times have a resolution of milliseconds, and all start when the exchange gets its turn: waiting for other
    /// requests to the same host does not count.
    public var total: Duration?

    /// The defaults; every limit can be set afterwards.
    public init() {}

    /// 32 MiB of body, 256 KiB of headers, 10 redirects, 60 s without a byte.
    public static let `default` = ExchangeLimits()
}
