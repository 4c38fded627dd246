/// The limits of an ``HTTPServer`` for its clients, in bytes, counts and time.
package struct HTTPLimits: Sendable {
    /// Bytes of the request line; more are answered with 414.
    package var requestLineBytes = 8 * 1024
    /// Bytes of all header lines together; more are answered with 431.
    package var headerBytes = 32 * 1024
    /// Header lines; more are answered with 431.
    package var headerCount = 100
    /// Bytes of a request body, also of one that comes in chunks; more are answered with 413.
    package var bodyBytes = 8 * 1024 * 1024
    /// From the first byte of a request to the end of its head; longer is answered with 408.
    package var headTime: Duration = .seconds(60)
    /// From the end of the head to the end of the body; longer is answered with 408.
    package var bodyTime: Duration = .seconds(120)
    /// For a client to take a whole response, or each piece of one that is streamed; one that does not is cut off.
    package var responseTime: Duration = .seconds(120)
    /// Between requests of a connection, and before the first; then the connection is closed.
    package var idleTime: Duration = .seconds(120)
    /// After a refused request, for what the client still sends to be thrown away, so that the answer is not lost to a
    /// reset (RFC 9112, section 9.6).
    package var lingerTime: Duration = .milliseconds(500)
    /// Open connections; more wait to be accepted.
    package var connections = 512

    /// The defaults above.
    package init() {}
}
