/// The reason for which a WebSocket was closed (RFC 6455, section 7.4, and IANA's registry).
public struct SocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number of the code.
    public let rawValue: UInt16

    /// The code with this number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normal = SocketCloseCode(rawValue: 1000)
    /// The server stops, or the client leaves.
    public static let goingAway = SocketCloseCode(rawValue: 1001)
    /// The other end violated the protocol.
    public static let protocolError = SocketCloseCode(rawValue: 1002)
    /// The other end sent a kind of message that cannot be accepted.
    public static let unsupportedData = SocketCloseCode(rawValue: 1003)
    /// No code was sent. This one never is.
    public static let noStatus = SocketCloseCode(rawValue: 1005)
    /// The connection ended without a close frame. Never sent.
    public static let abnormal = SocketCloseCode(rawValue: 1006)
    /// The content of a message does not fit its kind, such as a text that is not UTF-8.
    public static let invalidPayload = SocketCloseCode(rawValue: 1007)
    /// A message violates the rules of the other end.
    public static let policyViolation = SocketCloseCode(rawValue: 1008)
    /// A message is too big.
    public static let messageTooBig = SocketCloseCode(rawValue: 1009)
    /// The server did not agree to an extension that the client needs.
    public static let missingExtension = SocketCloseCode(rawValue: 1010)
    /// The other end failed unexpectedly.
    public static let internalError = SocketCloseCode(rawValue: 1011)
    /// The server restarts.
    public static let serviceRestart = SocketCloseCode(rawValue: 1012)
    /// The server is overloaded.
    public static let tryAgainLater = SocketCloseCode(rawValue: 1013)
    /// A gateway got an invalid answer from the server that it asked.
    public static let badGateway = SocketCloseCode(rawValue: 1014)

    /// Whether a close frame may have this code: 1000 to 1003, 1007 to 1014, and 3000 to 4999.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
