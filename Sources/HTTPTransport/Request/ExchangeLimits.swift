/// The limits of one request. The error names the limit that was exceeded.
public struct ExchangeRequest.Limits: Sendable, Hashable {
    /// Bytes of the response's body, counted after decompression. A larger `Content-Length` fails before the body is
    /// read. 32 MiB.
    public var responseBytes = 32 << 20

    /// Bytes of the response's header fields: names, values, and four for each line. 256 KiB.
    public var headerBytes = 256 << 10

    /// Received bytes that wait for demand, where the engine cannot pause the sender (`URLSession` on Linux). 32 MiB,
    /// as many as the default of ``responseBytes``.
    public var queuedBytes = 32 << 20

    /// Redirects in one chain; one more fails. With 0, the redirect is the response. 10.
    public var redirects = 10

    /// Time for name resolution, connection and TLS. None.
    ///
    /// Only an engine that can see the connection applies it. `URLSession` cannot: there ``idle`` covers connecting.
    public var connect: Duration?

    /// Time without a byte in either direction. Waiting for the subscriber does not count. 60 s.
    public var idle: Duration? = .seconds(60)

    /// Time for the whole exchange, redirects included. None.
    ///
    /// All times have a resolution of milliseconds, and all start when the exchange gets its turn: waiting for other
    /// requests to the same host does not count.
    public var total: Duration?

    /// The defaults; every limit can be set afterwards.
    public init() {}

    /// 32 MiB of body, 256 KiB of headers, 10 redirects, 60 s without a byte.
    public static let `default` = ExchangeRequest.Limits()
}
