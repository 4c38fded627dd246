package import Basics
package import HTTPTransport

/// A stand-in for the session of every call that is started inside a scope: stubs, a recording.
package protocol SessionScope: AnyObject, Sendable {
    /// The session that carries a call out, given the one that would without this scope.
    func session(over own: any HTTPSession) -> any HTTPSession

    /// The time of one call.
    func makeClock() -> any CallClock

    /// What the calls inside share their gates and caches with: those of all scopes that it makes.
    var owner: AnyObject { get }
}

extension SessionScope {
    package var owner: AnyObject { self }
}

/// The scope of the code that runs.
package enum SessionScopes {
    /// A call belongs to the scope in which it is started, wherever it is subscribed to.
    @TaskLocal package static var current: (any SessionScope)?

    /// Says why a request that belongs to no scope must not go to the network; nil as long as there has been no scope.
    package static let outside = Locked<(@Sendable (ExchangeRequest) -> (any Error)?)?>(nil)
}
