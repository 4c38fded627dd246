public import Foundation

/// Why an answer to the opening handshake of a WebSocket is not valid (RFC 6455, section 4.1).
public enum SocketHandshakeError: Error, Hashable, Sendable {
    /// The status is not 101.
    case status(Int)
    /// The values of `Upgrade` are not just `websocket`.
    case upgrade([String])
    /// The values of `Connection` do not include `Upgrade`.
    case connection([String])
    /// The values of `Sec-WebSocket-Accept` are not just the one that belongs to the key of the request.
    case accept([String], expected: String)
    /// The values of `Sec-WebSocket-Protocol` are not one of the subprotocols that were offered.
    case subprotocol([String], offered: [String])
    /// The values of `Sec-WebSocket-Extensions` name one that was not offered, or have wrong parameters.
    case extensions([String], offered: String?)
}

extension SocketHandshakeError: LocalizedError {
    /// The problem, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .status(let status): "The server answered with status \(status), not 101."
        case .upgrade(let values): "The answer's Upgrade is \(values), not \"websocket\"."
        case .connection(let values): "The answer's Connection is \(values), without \"Upgrade\"."
        case .accept(let values, let expected): "The answer's Sec-WebSocket-Accept is \(values), not \"\(expected)\"."
        case .subprotocol(let values, let offered): "The answer's subprotocol is \(values), not one of \(offered)."
        case .extensions(let values, let offered): "The answer's extensions are \(values), not \(offered ?? "none")."
        }
    }
}
