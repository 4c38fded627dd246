/// The times of one hop, by the monotonic clock, in nanoseconds.
package struct HopReport: Sendable {
    /// The time at which the hop had its turn; nil if it never had.
    package var began: UInt64?
    /// The time at which status and headers came; nil if they never did.
    package var head: UInt64?
    /// The time at which it ended.
    package var ended: UInt64 = 0
    /// Bytes of the request's body that were sent.
    package var sentBytes: Int64 = 0
    /// Bytes of the response's body that came, after decompression.
    package var receivedBytes: Int64 = 0
    /// The times that the engine has measured itself; nil if it has none.
    package var times: EngineTimes?
}

/// The times of the parts of a hop, as far as its engine knows: nil for what it does not know, and for what a connection
/// that was there already did not need.
package struct EngineTimes: Sendable {
    package var nameLookup: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// From the connection to the first byte of the response.
    package var firstByte: Duration?
    /// From there to the last byte.
    package var body: Duration?
    /// Whether the connection had been used before.
    package var isReused: Bool?

    package init() {}
}
