import Foundation

/// An error of a socket operation.
package enum SocketError: Error, Equatable, Sendable {
    case closed
    case timedOut
    case endedEarly(received: Int)
    case limitExceeded(limit: Int)
    case addressInUse(host: String, port: UInt16)
    case invalidAddress(host: String)
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
