public import Foundation

extension DemoAPIServer {
    /// The address and the rules of a ``DemoAPIServer``.
    public struct Configuration: Sendable {
        /// The numeric IPv4 address to listen on. By default the loopback address, which no other machine reaches.
        public var host = "127.0.0.1"
        /// The port to listen on; 0, the default, for any free one.
        public var port: UInt16 = 0
        /// The time for which a token of the todo API is valid. Five hours by default, as in Vapor's template.
        public var tokenLifetime: Duration = .seconds(5 * 60 * 60)
        /// The number of requests with a key that the photo API answers in an hour of the clock; more are answered with 403. A
        /// million by default, so that load tests pass.
        public var photoRequestsPerHour = 1_000_000
        /// The clock that tokens and the rate limit go by. The system's by default; called from any thread.
        public var now: @Sendable () -> Date = { Date() }
        /// The limits of the HTTP server for its clients.
        package var limits = HTTPLimits()

        /// The defaults, on the given address.
        ///
        /// - Parameters:
        ///   - host: The numeric IPv4 address to listen on.
        ///   - port: 0 for any free port.
        public init(host: String = "127.0.0.1", port: UInt16 = 0) {
            self.host = host
            self.port = port
        }
    }
}
