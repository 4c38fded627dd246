import Foundation

/// An error of a socket operation.
package enum SocketError: Error, Equatable, Sendable {
    /// This side closed the connection, before or during the operation.
    case closed
    /// The deadline passed.
    case timedOut
    /// The peer ended the stream before all requested bytes arrived.
    case endedEarly(received: Int)
    /// More bytes than allowed arrived before the marker.
    case limitExceeded(limit: Int)
    /// Another socket is bound to the port.
    case addressInUse(host: String, port: UInt16)
    /// The host is not a numeric IPv4 address.
    case invalidAddress(host: String)
    /// A system call failed.
    case system(call: String, code: Int32)
}

extension SocketError: LocalizedError {
    package var errorDescription: String? {
        switch self {
        case .closed: "The connection is closed."
        case .timedOut: "The socket was not ready in time."
        case .endedEarly(let received): "The peer ended the stream after \(received) bytes."
        case .limitExceeded(let limit): "More than \(limit) bytes arrived before the marker."
        case .addressInUse(let host, let port): "Port \(port) of \(host) is in use by another socket."
        case .invalidAddress(let host): "\"\(host)\" is not a numeric IPv4 address."
        case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code))) (\(code))."
        }
    }
}
