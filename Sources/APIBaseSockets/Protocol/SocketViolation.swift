public import Foundation
public import HTTPTransport

/// The server violated the protocol of WebSockets (RFC 6455, RFC 7692), or sent more than a limit allows.
public struct SocketViolation: Error, Hashable, Sendable {
    /// The code with which the connection is closed.
    public let closeCode: SocketCloseCode
    /// The rule or limit, such as `a control frame of at most 125 bytes`.
    public let expected: String
    /// The value that came instead, such as `126 bytes`.
    public let received: String
}

extension SocketViolation: LocalizedError {
    /// The problem, in a sentence.
    public var errorDescription: String? { "The WebSocket expected \(expected), and received \(received)." }
}

/// Throws a violation unless the rule is kept.
func require(
    _ isKept: Bool,
    _ expected: @autoclosure () -> String,
    _ received: @autoclosure () -> String,
    or code: SocketCloseCode = .protocolError
) throws(SocketViolation) {
    if !isKept { throw SocketViolation(closeCode: code, expected: expected(), received: received()) }
}
