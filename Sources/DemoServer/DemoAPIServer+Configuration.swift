public import Foundation

extension DemoAPIServer {
    /// Where a ``DemoAPIServer`` listens, and its rules.
    public struct Configuration: Sendable {
        /// The numeric IPv4 address to listen on. By default the loopback address, which no other machine reaches.
        public var host = "127.0.0.1"
        /// The port to listen on; 0, the default, for any free one.
        public var port: UInt16 = 0
        /// How long a token of the todo API is valid. Five hours by default, as in Vapor's template.
        public var tokenLifetime: Duration = .seconds(5 * 60 * 60)
        /// How many requests with a key the photo API answers in an hour of the clock; more are answered with 403.
        /// A million by default, so that load tests pass.
        public var photoRequestsPerHour = 1_000_000
        /// The clock that tokens and the rate limit go by. The system's by default; called from any thread.
        public var now: @Sendable () -> Date = { Date() }
        /// What clients may ask of the server below.
        package var limits = HTTPLimits()

        /// The defaults, on the given port.
        ///
        /// - Parameter port: 0 for any free port.
        public init(port: UInt16 = 0) {
            self.port = port
        }
    }
}
