/// The time of a call: the wall's, or what stubs have in its place.
package protocol CallClock: AnyObject, Sendable {
    /// The time that has passed since some fixed moment.
    var now: Duration { get }

    /// The duration by which the time of day has been moved on.
    var shift: Duration { get }

    /// Runs `action` when so much time has passed.
    ///
    /// - Returns: What gives the wait up; nil if the time has passed already, and then `action` is not run.
    func wait(_ duration: Duration, then action: @escaping @Sendable () -> Void) -> CallWait?

    /// An answer that took no time is to count as one that took so long.
    func pretend(_ duration: Duration)

    /// A call begins. A clock that a test moves asks it whether it waits.
    func follow(_ call: any ExchangeCaller)
}

extension CallClock {
    package func follow(_ call: any ExchangeCaller) {}
}

/// What a call does just now.
package enum CallStanding: Sendable {
    case running, waiting, ended
}
