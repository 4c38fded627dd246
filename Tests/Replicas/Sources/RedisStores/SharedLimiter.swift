public import APIBaseKit

// Until the kit has them.

/// A limit that replicas share.
public protocol SharedLimiter: Sendable {
    /// Reserves the next free moment: how long this call has to wait. An error: the gate goes on alone.
    func wait(for key: String, limit: RateLimit.Policy, now: Date) async throws -> Duration
    /// Has the calls of all replicas wait, since the server asked for it.
    func pause(_ key: String, for duration: Duration) async throws
    /// Takes one of `count` places until `leavePlace` or the end of the lease; false if all are taken. Asked again with
    /// the same id, it renews the lease.
    func takePlace(_ id: String, for key: String, of count: Int, lease: Duration) async throws -> Bool
    /// Gives a place back.
    func leavePlace(_ id: String, for key: String) async throws
}

extension RateLimit {
    /// A number of calls for a time.
    public struct Policy: Hashable, Sendable {
        /// The number of calls.
        public var quota: Int
        /// The time for which they are.
        public var window: Duration

        /// Creates a limit.
        public init(quota: Int, window: Duration) { (self.quota, self.window) = (quota, window) }
    }
}
