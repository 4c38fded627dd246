package import Basics
package import HTTPTransport
import Foundation

/// Stubs or a recording, which replace the session of every call that is started inside a scope.
package protocol StandIn: AnyObject, Sendable {
    /// The session that carries a call out, given the call's own.
    func session(over own: any HTTPSession) -> any HTTPSession

    func makeClock() -> any CallClock

    /// A call waits by itself, or has waited.
    func noteWait(for reason: CallScope.WaitReason, of duration: Duration)

    /// The answerer of the last request to a URL, for a message, such as `the stub “GET /jobs/:id”`; `nil` if it is not
    /// known.
    func answerer(of url: URL) -> String?

    /// The object that identifies the scope: calls with the same owner share gates, caches and tokens.
    var owner: AnyObject { get }
}

extension StandIn {
    package var owner: AnyObject { self }

    package func answerer(of url: URL) -> String? { nil }
}

package enum StandIns {
    /// A call belongs to the scope in which it is started, wherever it is subscribed to.
    @TaskLocal package static var current: (any StandIn)?

    /// The policy for requests outside of all scopes. `nil` until there is a scope, unless `APIBaseTesting` is linked.
    package static let outside = Locked(UnscopedCallPolicy.ofTests)
}

/// A policy for requests outside of all scopes, in a program that has scopes.
package struct UnscopedCallPolicy: Sendable {
    /// Why a request must not go to the network; `nil` if it may.
    package let problem: @Sendable (ExchangeRequest) -> (any Error)?

    package init(problem: @escaping @Sendable (ExchangeRequest) -> (any Error)?) {
        self.problem = problem
    }

    /// The policy of the module `APIBaseTesting`, if it is linked: a test that forgets its stubs then fails, even if no
    /// other test has stubs.
    fileprivate static var ofTests: UnscopedCallPolicy? {
        (NSClassFromString("APIBaseTesting.NetworkGuard") as? any UnscopedCallPolicySource.Type)?.policy
    }
}

/// A class that supplies the policy for requests outside of all scopes. It is found by its name.
package protocol UnscopedCallPolicySource: AnyObject {
    static var policy: UnscopedCallPolicy { get }
}
