public import APIBaseStubs
public import Testing

/// Puts stubs around a test or a suite; see ``Testing/Trait/stubs(unmatched:clock:_:)``.
public struct StubsTrait: TestTrait, SuiteTrait, TestScoping {
    private let unmatched: Stubs.Unmatched
    private let clock: StubClock
    private let setUp: @Sendable (Stubs) throws -> Void

    init(unmatched: Stubs.Unmatched, clock: StubClock, setUp: @escaping @Sendable (Stubs) throws -> Void) {
        self.unmatched = unmatched
        self.clock = clock
        self.setUp = setUp
    }

    /// Runs the test, or the tests of the suite, in the scope of a new set of stubs, and records an issue for each of
    /// its problems: of a request when it is made, inside of its test, and of a stub that was never used afterwards, there.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let stubs = Stubs(unmatched: unmatched, clock: clock, observer: Self.record)
        try setUp(stubs)
        try await stubs.runUnchecked { try await function() }
        for (problem, place) in stubs.unreportedProblems {
            let location = place.map {
                SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
            }
            Issue.record("\(problem.description)", sourceLocation: location ?? test.sourceLocation)
        }
    }
}

extension StubsTrait {
    /// Records the issue of a problem, if it is known of which test it is: the task locals say so.
    private static func record(_ problem: StubProblem) -> Bool {
        guard let test = Test.current else { return false }
        Issue.record("\(problem.description)", sourceLocation: test.sourceLocation)
        return true
    }
}

extension Trait where Self == StubsTrait {
    /// Puts stubs in the network's place for a test or a suite.
    ///
    /// ```swift
    /// @Test(.stubs { $0.on(UsersRequest.self).answer(.json([User(id: 1)])) })
    /// func theListShowsEveryUser() async throws {
    ///     #expect(try await UserList().names().count == 1)
    ///     #expect(Stubs.current?.calls.count == 1)
    /// }
    /// ```
    ///
    /// Each case of a test has a set of its own. A suite has one, which all of its tests share: it is checked when the
    /// last one has ended. A test with stubs of its own in such a suite asks them first.
    ///
    /// - Parameters:
    ///   - unmatched: What becomes of a request that no stub answers.
    ///   - clock: The clock by which the stubs wait.
    ///   - setUp: Adds the stubs. What it throws fails the test.
    /// - Returns: The trait.
    public static func stubs(
        unmatched: Stubs.Unmatched = .fail,
        clock: StubClock = .immediate,
        _ setUp: @escaping @Sendable (Stubs) throws -> Void
    ) -> Self {
        StubsTrait(unmatched: unmatched, clock: clock, setUp: setUp)
    }
}
