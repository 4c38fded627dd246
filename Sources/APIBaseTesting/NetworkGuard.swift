import APIBaseKit
import APIBaseStubs
import Testing

/// Keeps calls that belong to no scope off the network, from the start, in every program that links this module.
///
/// `APIBaseKit` finds the class by its name. A call that a test makes is an issue of that test as well, so that it is seen where the
/// code under test makes nothing of the error.
final class NetworkGuard: UnscopedCallPolicySource {
    static let policy = UnscopedCallPolicy { request in
        let test = Test.current
        let problem = OutsideCalls.problem(of: request, madeByTest: test != nil)
        if let problem, let test {
            Issue.record("\(problem.localizedDescription)", sourceLocation: test.sourceLocation)
        }
        return problem
    }
}
