public import Foundation

extension DemoAPIServer {
    /// Why a ``DemoAPIServer`` could not start.
    public enum StartError: Error, Equatable, Sendable {
        /// Another socket is bound to the port.
        case portInUse(host: String, port: UInt16)
        /// The host is not a numeric IPv4 address.
        case invalidHost(String)
        /// The system refused, for the reason it gives.
        case refused(reason: String)
    }
}

extension DemoAPIServer.StartError: LocalizedError {
    /// A sentence that names the address.
    public var errorDescription: String? {
        switch self {
        case .portInUse(let host, let port): "Port \(port) of \(host) is in use. Choose another, or 0 for a free one."
        case .invalidHost(let host): "\"\(host)\" is not a numeric IPv4 address."
        case .refused(let reason): "The server could not start: \(reason)"
        }
    }
}
