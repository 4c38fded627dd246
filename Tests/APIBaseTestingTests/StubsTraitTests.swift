import APIBaseTesting
import JSONPlaceholder
import TestTiers
import Testing

@Suite(.stubs { $0.on(PostsRequest.self).answer(.json("[]")) }, .limited) struct StubsTraitTests {
    @Test(.stubs { $0.on(UsersRequest.self).answer(.json(#"[{"name": "N", "username": "n", "email": "e"}]"#)) })
    func `A test's own stubs trait answers its call, although its suite has a stubs trait too`() async throws {
        #expect(try await UsersRequest().value().map(\.name) == ["N"])
        #expect(Stubs.current?.calls.map(\.description) == ["GET https://jsonplaceholder.typicode.com/users"])
    }

    @Test(arguments: 0..<20)
    func `The stubs trait of a suite answers the calls of each of its tests`(number: Int) async throws {
        #expect(try await PostsRequest().value().isEmpty)
    }

    @Test func `A stub of the stubs trait that is never used records an issue at the line of the stub`() async throws {
        let test = try #require(Test.current)
        try await withKnownIssue {
            let trait: StubsTrait = .stubs { $0.on(.get, "/nothing").answer(.status(200)) }
            try await trait.provideScope(for: test, testCase: nil) {}
        } matching: { issue in
            issue.comments.contains("The stub “GET /nothing” was never used.")
                && issue.sourceLocation?.fileName == "StubsTraitTests.swift"
        }
    }

    @Test func `A request that no stub of the stubs trait answers records an issue of the test`() async throws {
        let test = try #require(Test.current)
        try await withKnownIssue {
            let trait: StubsTrait = .stubs { _ in }
            try await trait.provideScope(for: test, testCase: nil) {
                _ = try? await JSONPlaceholderAPI.albums().value()
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("No stub answers GET https://") }
        }
    }

    @Test(.heavy) func `A stubs trait records an issue of the test when a call waits on a clock that nothing advances`()
        async throws
    {
        let test = try #require(Test.current)
        try await withKnownIssue {
            let trait: StubsTrait = .stubs(clock: .manual(movedWithin: .seconds(1))) {
                $0.on(.get, "/albums").answer(.json("[]").delayed(by: .seconds(9)))
            }
            try await trait.provideScope(for: test, testCase: nil) {
                _ = try? await JSONPlaceholderAPI.albums().value()
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.hasPrefix("A call waits for 9.0 seconds on a manual clock") }
        }
    }

    /// The issue is recorded while the test runs, so the test can mark it as known.
    @Test
    func `A call that no stub of the stubs trait answers records its issue while the test still runs`() async throws {
        let test = try #require(Test.current)
        let trait: StubsTrait = .stubs { $0.on(.get, "/once").answer(inOrder: .status(200)) }
        try await trait.provideScope(for: test, testCase: nil) {
            await withKnownIssue {
                _ = try? await JSONPlaceholderAPI.albums().value()
            } matching: { issue in
                issue.comments.contains { $0.rawValue.hasPrefix("No stub answers GET https://") }
            }
            let call = JSONPlaceholderAPI(.get("/once")).call(Data.self)
            _ = try? await call.value()
            await withKnownIssue {
                _ = try? await call.value()
            } matching: { issue in
                issue.comments.contains("The stub “GET /once” has given its only answer.")
            }
        }
    }
}
