import APIBaseTesting
import JSONPlaceholder
import TestTiers
import Testing

/// A test without stubs.
@Suite(.limited) struct NetworkGuardTests {
    private static let message = "GET https://jsonplaceholder.typicode.com/albums was started outside of every scope"
    private static let advice = """
        In a test without stubs: @Test(.stubs { stubs in stubs.on(.get, "/albums").answer(…) })
        """

    @Test func `A call in a test without stubs fails with StubProblem and suggests a stubs trait`() async throws {
        let test = try #require(Test.current)
        await withKnownIssue {
            let error = await #expect(throws: StubProblem.self) { try await JSONPlaceholderAPI.albums().value() }
            let text = error?.description ?? ""
            #expect(text.hasPrefix(Self.message), "\(text)")
            #expect(text.contains("\n\(Self.advice)\n"), "\(text)")
        } matching: { issue in
            // Only this issue is known: the expectations above have to hold.
            issue.sourceLocation == test.sourceLocation
                && issue.comments.contains { $0.rawValue.hasPrefix(Self.message) }
        }
    }

    /// The existing stubs belong to other tests.
    @Test
    func `The error of a call outside of every stub scope does not mention the stubs of other tests`() async throws {
        let outside = CallScope.here
        let stubs = Stubs()
        stubs.on(.get, "/albums").optional().answer(.json("[]"))
        try await stubs.run {
            try await withKnownIssue {
                let error = await #expect(throws: StubProblem.self) {
                    try await outside.run { try await JSONPlaceholderAPI.albums().value() }
                }
                let text = try #require(error).description
                #expect(
                    text.hasPrefix("\(Self.message), where it would have gone to the network.\nIn a test"),
                    "\(text)"
                )
            } matching: { issue in
                issue.comments.contains { $0.rawValue.hasPrefix(Self.message) }
            }
        }
    }

    /// In a separate process, in which no test has stubs.
    @Test func `A call in a process without any stubs fails with StubProblem.outside`() async {
        await #expect(processExitsWith: .success) {
            do {
                _ = try await JSONPlaceholderAPI.albums().value()
                exit(1)
            } catch StubProblem.outside(_, let nearest) {
                exit(nearest.isEmpty ? 0 : 2)
            } catch {
                exit(3)
            }
        }
    }
}
