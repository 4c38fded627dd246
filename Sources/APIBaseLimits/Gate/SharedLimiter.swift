public import APIBaseModels
import Basics
import Foundation

extension RateLimit {
    /// A rate limit as a number of calls in a time.
    public struct Policy: Hashable, Sendable {
        /// The number of calls that may begin at once after a quiet time, and in each ``window`` on average. At least 1.
        public let quota: Int
        /// The time in which they may begin.
        public let window: Duration

        /// Creates a limit.
        public init(quota: Int, window: Duration) {
            (self.quota, self.window) = (max(1, quota), max(.zero, window))
        }
    }
}

/// The limits of a ``CallGate`` that several processes share, such as the replicas of a service.
///
/// Implement it over a store that all of them reach. An error means that the store is away: the gate goes on by its own
/// part of the limits, and asks again after a second. A method that has no answer holds up the calls, so an
/// implementation has a deadline of a fraction of a second. All methods may be called at any time, without the task
/// locals of the call.
///
/// A key is the name of the gate, with the name of the account if there is one. Accounts without a name have one limit
/// together.
public protocol SharedLimiter: Sendable {
    /// Whether gates ask it in scopes of stubs as well. By default false, so that tests do not depend on a store, and
    /// stop no process by a stub of a 429.
    var isAskedForStubs: Bool { get }

    /// Takes the next free moment of a rate.
    ///
    /// A gate asks for one attempt at a time, and waits for its moment before it asks for the next. A moment that a call
    /// gives up is used by the next.
    ///
    /// - Parameters:
    ///   - key: The name of the limit.
    ///   - limit: The rate. A gate without `perSecond` asks with a million in a second, for the pauses.
    ///   - now: The time of this process. One that the store has is better.
    /// - Returns: How long the attempt has to wait, with the pause of ``pause(_:for:)``; zero if it may begin.
    /// - Throws: Any error if the store is away.
    func wait(for key: String, limit: RateLimit.Policy, now: Date) async throws -> Duration

    /// Holds up the calls of all processes, since a response asked for it. By default nothing.
    func pause(_ key: String, for duration: Duration) async throws

    /// Takes one of `count` places for an attempt. By default true.
    ///
    /// - Parameters:
    ///   - id: The name of the attempt, unique among all processes.
    ///   - key: The name of the limit.
    ///   - count: The number of places, the `concurrent` of the gate.
    ///   - lease: The time after which the place is free again, if its process has ended without leaving it.
    /// - Returns: Whether there was a place. If not, the gate asks again in a moment.
    /// - Throws: Any error if the store is away.
    func takePlace(_ id: String, for key: String, of count: Int, lease: Duration) async throws -> Bool

    /// Gives the place of an attempt back. By default nothing.
    func leavePlace(_ id: String, for key: String) async throws
}

extension SharedLimiter {
    /// False.
    public var isAskedForStubs: Bool { false }
    /// Nothing.
    public func pause(_ key: String, for duration: Duration) async throws {}
    /// True.
    public func takePlace(_ id: String, for key: String, of count: Int, lease: Duration) async throws -> Bool { true }
    /// Nothing.
    public func leavePlace(_ id: String, for key: String) async throws {}
}

/// The note that the ``SharedLimiter`` of a gate has failed, so that the gate goes on by its own part of the limits.
public struct SharedLimiterFailed: CallNote {
    /// The error of the limiter.
    public let error: any Error

    /// The error in a sentence.
    public var description: String { "The shared limiter has failed: \(error.localizedDescription)" }
}
