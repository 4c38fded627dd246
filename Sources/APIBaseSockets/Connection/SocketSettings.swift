import APIBaseCore

/// The settings of a socket, as its request has them when it connects.
struct SocketSettings: Sendable {
    var subprotocols: [String] = []
    var compresses = true
    var messageLimit = 16 << 20
    var pings: SocketPings? = .standard
    var reconnect = RetryPolicy.none
}

/// The signs of life that a socket asks the server for.
///
/// They find a server that is gone without a word, keep the connection open in proxies, and confirm what has been sent.
public struct SocketPings: Sendable, Hashable {
    /// The time between two pings. 30 s.
    public var interval: Duration
    /// The time for an answer, not counting the time in which the program does not read. 10 s.
    public var deadline: Duration

    /// A ping after each interval, which is answered within the deadline.
    public init(every interval: Duration = .seconds(30), within deadline: Duration = .seconds(10)) {
        (self.interval, self.deadline) = (interval, deadline)
    }

    /// A ping every 30 seconds, answered within ten.
    public static let standard = SocketPings()
}
