public import HTTPTransport

/// The reason why a socket has ended, other than that one side has closed it as done, or why nothing can be sent.
///
/// The errors of a refused handshake, of the transport and of decoding are those of any call.
public enum SocketFailure: Error, Sendable, Hashable {
    /// The server has closed it with this code, which is not ``/HTTPTransport/SocketCloseCode/normal``.
    case closed(SocketClose)
    /// The connection has ended without a close.
    case lost
    /// The server has answered no ping within ``SocketPings/deadline``.
    case silent(Duration)
    /// The server has not answered a close within this time, counted from when something of what was sent before has
    /// left last: that may not have arrived.
    case unanswered(Duration)
    /// The server has answered the handshake with 101, but not with a WebSocket (RFC 6455, section 4.1).
    case handshake(SocketHandshakeError)
    /// The server has broken the protocol, or a limit. It has got the code of the violation.
    case violation(SocketViolation)
    /// The socket has been closed, so that nothing can be sent.
    case notOpen
}

extension SocketFailure: LocalizedError, CustomStringConvertible {
    /// The failure as a sentence.
    public var errorDescription: String? { description }

    /// The failure as a sentence.
    public var description: String {
        switch self {
        case .closed(let close): "The server has closed the socket with code \(close.code.rawValue): \(close.reason)"
        case .lost: "The connection of the socket has ended without a close"
        case .silent(let time): "The server has not answered a ping within \(time)"
        case .unanswered(let time): "The server has not answered a close within \(time)"
        case .handshake(let error): "The server has not switched to a WebSocket: \(error.localizedDescription)"
        case .violation(let error) where error.closeCode == .messageTooBig:
            "The server has sent more than messageLimit allows: \(error.localizedDescription)"
        case .violation(let error): "The server has broken the protocol of WebSockets: \(error.localizedDescription)"
        case .notOpen: "The socket has been closed"
        }
    }
}
