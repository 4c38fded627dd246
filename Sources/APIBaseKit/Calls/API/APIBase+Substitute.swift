import HTTPTransport

extension APIBase {
    /// The stand-in for the network outside of any scope: the object itself with its stub, or the stubs or recording that it has
    /// as its session; `nil` for the network.
    func substitute(in sessionScope: (any SessionScope)?) -> AnyObject? {
        dataTaskPublisher == nil ? sessionScope?.owner : self
    }

    /// The time of a call that belongs to no scope. What answers in place of the network takes none.
    func makeClock() -> any CallClock { makeClock(in: sessionScope) }

    /// The same, for a session that has been looked at.
    func makeClock(in sessionScope: (any SessionScope)?) -> any CallClock {
        dataTaskPublisher == nil ? sessionScope?.makeClock() ?? WallClock.shared : ImmediateClock()
    }

    /// The session, if it stands in for the network.
    var sessionScope: (any SessionScope)? {
        let session = session
        // Nearly always. To ask whether a class conforms to a protocol takes long.
        return session === DefaultSession.shared ? nil : session as? any SessionScope
    }
}
