package import Basics
package import HTTPTransport
import Foundation

/// A stand-in for the session of every call that is started inside a scope: stubs, a recording.
package protocol SessionScope: AnyObject, Sendable {
    /// The session that carries a call out, given the one that would without this scope.
    func session(over own: any HTTPSession) -> any HTTPSession

    /// The time of one call.
    func makeClock() -> any CallClock

    /// The object that identifies the stand-in: calls with the same owner share gates, caches and tokens.
    var owner: AnyObject { get }
}

extension SessionScope {
    package var owner: AnyObject { self }
}

/// The scope of the code that runs.
package enum SessionScopes {
    /// A call belongs to the scope in which it is started, wherever it is subscribed to.
    @TaskLocal package static var current: (any SessionScope)?

    /// The rule for requests that belong to no scope; nil as long as there has been no scope, unless tests bring one.
    package static let outside = Locked(OutsideRule.ofTests)
}

/// A rule for requests that belong to no scope, where there are scopes.
package struct OutsideRule: Sendable {
    /// Why a request must not go to the network; nil if it may.
    package let problem: @Sendable (ExchangeRequest) -> (any Error)?

    package init(problem: @escaping @Sendable (ExchangeRequest) -> (any Error)?) {
        self.problem = problem
    }

    /// The rule of the module `APIBaseTesting`, where that is linked: a test that has forgotten its stubs fails then, whether or
    /// not other tests have any.
    fileprivate static var ofTests: OutsideRule? {
        (NSClassFromString("APIBaseTesting.NetworkGuard") as? any OutsideRuleSource.Type)?.rule
    }
}

/// A class that brings the rule for requests that belong to no scope. It is found by its name.
package protocol OutsideRuleSource: AnyObject {
    static var rule: OutsideRule { get }
}
