import Foundation

/// Why a socket operation did not do what was asked.
package enum SocketError: Error, Equatable, Sendable {
    /// The connection was closed on this side, before the operation or while it waited.
    case closed
    /// The deadline passed first.
    case timedOut
    /// The peer ended the stream before everything asked for had come.
    case endedEarly(received: Int)
    /// More bytes came than were allowed before the marker.
    case limitExceeded(limit: Int)
    /// Another socket is already bound to the port.
    case addressInUse(host: String, port: UInt16)
    /// The host is not a numeric IPv4 address.
    case invalidAddress(host: String)
    /// The system refused.
    case system(call: String, code: Int32)
}

extension SocketError: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .closed: "The connection is closed."
        case .timedOut: "The socket was not ready in time."
        case .endedEarly(let received): "The peer ended the stream after \(received) bytes."
        case .limitExceeded(let limit): "More than \(limit) bytes came before the marker."
        case .addressInUse(let host, let port): "Port \(port) of \(host) is in use by another socket."
        case .invalidAddress(let host): "\"\(host)\" is not a numeric IPv4 address."
        case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code))) (\(code))."
        }
    }
}
