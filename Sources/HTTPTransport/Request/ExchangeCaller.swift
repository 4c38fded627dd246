package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The call that sends a request. The network does not see it; stubs use it.
package protocol ExchangeCaller: AnyObject, Sendable {
    var type: any AnyObject.Type { get }

    /// The JSON decoder and encoder of the request's API; nil if it has none.
    var coders: (decoder: JSONDecoder, encoder: JSONEncoder)? { get }

    /// The base URL of the request's API; nil if it has none.
    var baseURL: URL? { get }

    var clock: any CallClock { get }

    /// Whether the call runs, waits by itself, or has ended. The requests that it sends do not count.
    var standing: CallStanding { get }

    /// Runs `body` with the task locals of the place where the call was started.
    func inContext(_ body: () -> Void)

    /// The error for a request of the call that must not reach a network; nil if it may.
    func refusal(of request: ExchangeRequest) -> (any Error)?

    /// Decides about the request to which a redirect leads, after the policy. May run the user's code.
    ///
    /// - Returns: The request to send, which is checked again; nil if the redirect is the response.
    func redirect(_ next: ExchangeRequest, after head: ResponseHead) -> URLRequest?

    /// A hop (see ``HopReport``) has ended; its end is delivered afterwards. Takes a lock for a moment and runs no user
    /// code.
    func hopEnded(_ report: HopReport)
}

/// The present activity of a call.
package enum CallStanding: Sendable {
    case running, waiting, ended
}

/// The time of a call: real time, or that of a test.
package protocol CallClock: AnyObject, Sendable {
    /// The time since some fixed moment.
    var now: Duration { get }

    /// The time of the scope as the call sees it: by default that of the clock. Nil for a call whose clock is its own
    /// alone.
    var scopeTime: Duration? { get }

    /// The time of the scope as the call sees it that has got furthest: by default the same.
    var latestTime: Duration? { get }

    /// The call goes on at this time of the scope at the earliest: by default nothing happens.
    func catchUp(to time: Duration)

    /// The running task goes on at the time of the call, which waits for it: by default nothing happens.
    func handOn()

    /// The difference between this clock's time of day and the real one.
    var offset: Duration { get }

    /// Runs `action` after this time.
    ///
    /// - Returns: The wait, which can be canceled; nil if the time has passed already, and then `action` is not run.
    func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait?

    /// Counts this time as if it had passed, for a response that took no real time.
    func account(for duration: Duration)

    /// A call begins. A clock that a test moves asks it whether it waits.
    func follow(_ call: any ExchangeCaller)

    /// The time of day: by default the real one.
    var date: Date { get }

    /// Whether waits end at once here, and only work takes time: by default false.
    var endsWaitsAtOnce: Bool { get }
}

extension CallClock {
    package var scopeTime: Duration? { now }

    package var latestTime: Duration? { scopeTime }

    package func catchUp(to time: Duration) {}

    package func handOn() {}

    package var date: Date { Date() }
    package var endsWaitsAtOnce: Bool { false }
    package func follow(_ call: any ExchangeCaller) {}
}

/// The times of one hop (one request on the wire; a redirect starts the next) by the monotonic clock, in nanoseconds,
/// and its bytes.
package struct HopReport: Sendable {
    /// The time at which the hop had its turn; nil if it never had.
    package var began: UInt64?
    /// The time at which status and headers arrived; nil if they never did.
    package var head: UInt64?
    /// The time at which the hop ended.
    package var ended: UInt64 = 0
    /// Bytes of the request's body that were sent.
    package var sentBytes: Int64 = 0
    /// Bytes of the response's body that arrived, after decompression.
    package var receivedBytes: Int64 = 0
    /// The times that the engine has measured; nil if it measures none.
    package var times: EngineTimes?
}

/// The durations of the parts of a hop: nil if the engine does not know one, or if a kept connection did not need it.
package struct EngineTimes: Sendable {
    package var nameLookup: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// From the connection to the first byte of the response.
    package var firstByte: Duration?
    /// From there to the last byte.
    package var body: Duration?
    /// Whether the connection had been used before.
    package var isReused: Bool?
    package var connection: ConnectionInfo?

    package init() {}
}
