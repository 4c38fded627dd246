import APIBaseKit
public import APIBaseStubs
public import Testing

/// Adds stubs to a test or a suite; see ``Testing/Trait/stubs(unmatched:clock:_:)``.
public struct StubsTrait: TestTrait, SuiteTrait, TestScoping {
    private let unmatched: Stubs.Unmatched
    private let clock: StubClock
    private let setUp: @Sendable (Stubs) throws -> Void

    init(unmatched: Stubs.Unmatched, clock: StubClock, setUp: @escaping @Sendable (Stubs) throws -> Void) {
        self.unmatched = unmatched
        self.clock = clock
        self.setUp = setUp
    }

    /// Runs the test, or the tests of the suite, in the scope of a new set of stubs, and records an issue for each
    /// problem.
    ///
    /// The problem of a request is recorded immediately, for its test. A stub that was never used is recorded at the
    /// end, at its source location.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let stubs = Stubs(unmatched: unmatched, clock: clock, observer: Self.record)
        try setUp(stubs)
        try await stubs.runUnchecked { try await function() }
        await stubs.settleSockets()
        for (problem, place) in stubs.unreportedProblems {
            Issue.record("\(problem.description)", sourceLocation: place?.location ?? test.sourceLocation)
        }
    }
}

extension StubsTrait {
    /// Records a problem as an issue of the current test; false if the task locals have none.
    private static func record(_ problem: StubProblem) -> Bool {
        guard let test = Test.current else { return false }
        Issue.record("\(problem.description)", sourceLocation: test.sourceLocation)
        return true
    }
}

extension Trait where Self == StubsTrait {
    /// Adds stubs to a test or a suite, in place of the network.
    ///
    /// ```swift
    /// @Test(.stubs { $0.on(UsersRequest.self).answer(.json([User(id: 1)])) })
    /// func theListShowsEveryUser() async throws {
    ///     #expect(try await UserList().names().count == 1)
    ///     #expect(Stubs.current?.calls.count == 1)
    /// }
    /// ```
    ///
    /// Each case of a test has its own set. All tests of a suite share one set, which is checked when the last test has
    /// ended. A test of such a suite can have stubs too; they are asked first.
    ///
    /// - Parameters:
    ///   - unmatched: The rule for a request that no stub answers.
    ///   - clock: The clock of the stubs.
    ///   - setUp: Adds the stubs. An error that it throws fails the test.
    /// - Returns: The trait.
    public static func stubs(
        unmatched: Stubs.Unmatched = .fail,
        clock: StubClock = .immediate,
        _ setUp: @escaping @Sendable (Stubs) throws -> Void
    ) -> Self {
        StubsTrait(unmatched: unmatched, clock: clock, setUp: setUp)
    }
}

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
