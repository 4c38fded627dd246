/// The close of a WebSocket by one end (RFC 6455, section 7.1).
public struct SocketClose: Hashable, Sendable {
    /// The reason as a number; ``SocketCloseCode/noStatus`` if none was sent.
    public let code: SocketCloseCode
    /// The reason as a text for developers, often empty.
    public let reason: String

    /// Creates a close for this reason, as a number and a text of which at most 123 bytes of UTF-8 can be sent.
    public init(code: SocketCloseCode, reason: String = "") { (self.code, self.reason) = (code, reason) }
}
