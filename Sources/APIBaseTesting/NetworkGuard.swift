import APIBaseKit
import APIBaseStubs
import Testing

/// Fails calls outside of all scopes from the start, in every program that links this module.
///
/// `APIBaseKit` finds the class by its name. A call that a test makes is also recorded as an issue of that test, in
/// case the code under test ignores the error.
final class NetworkGuard: UnscopedCallPolicySource {
    static let policy = UnscopedCallPolicy { request in
        let test = Test.current
        let problem = UnscopedCalls.problem(of: request, madeByTest: test != nil)
        if let problem, let test {
            Issue.record("\(problem.localizedDescription)", sourceLocation: test.sourceLocation)
        }
        return problem
    }
}
