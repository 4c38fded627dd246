import APIBaseStubs
import TestTiers
import Testing

/// Stubs that need not be used because of where they are added.
@Suite(.limited) struct OptionalStubsTests {
    /// Ways to add `GET /shared` so that it need not be used.
    private static let ways: [(name: String, add: @Sendable (Stubs) async -> Void)] = [
        ("at once", { stubs in stubs.optionally { add(to: stubs) } }),
        ("in an async body", { stubs in await stubs.optionally { await addLater(to: stubs) } }),
        (
            "in a child task",
            { stubs in
                await stubs.optionally {
                    async let added: Void = addLater(to: stubs)
                    await added
                }
            }
        ), ("in a task", { stubs in await stubs.optionally { await Task { await addLater(to: stubs) }.value } }),
        ("nested", { stubs in stubs.optionally { stubs.optionally { add(to: stubs) } } }),
        (
            "after a nested one",
            { stubs in
                stubs.optionally {
                    stubs.optionally {}
                    add(to: stubs)
                }
            }
        ), ("in that of another set", { stubs in stubs.optionally { Stubs().optionally { add(to: stubs) } } }),
        (
            "before an error",
            { stubs in
                try? stubs.optionally {
                    add(to: stubs)
                    throw CancellationError()
                }
            }
        ),
    ]

    private static func add(to stubs: Stubs) { stubs.on(.get, "/shared").answer(.text("shared")) }

    private static func addLater(to stubs: Stubs) async {
        await Task.yield()
        add(to: stubs)
    }

    @Test(arguments: ways.indices)
    func `A stub that is added inside of optionally need not be used, and answers as any other`(way: Int) async throws {
        let (name, add) = Self.ways[way]
        let stubs = Stubs()
        await add(stubs)
        #expect(stubs.problems.isEmpty, "\(name)")
        try await stubs.run { #expect(await Call(.get, "/shared").outcome() == .success("shared"), "\(name)") }
    }

    @Test func `Stubs that are added outside of optionally, or to another set inside, have to be used`() async {
        let (stubs, other) = (Stubs(), Stubs())
        stubs.on(.get, "/before")
        stubs.optionally {
            stubs.on(.get, "/inside")
            other.on(.get, "/other")
        }
        await stubs.optionally { await Task.detached { _ = stubs.on(.get, "/detached") }.value }
        stubs.on(.get, "/after")
        let unused = ["GET /before", "GET /detached", "GET /after"].map { StubProblem.unused(stub: $0) }
        #expect(stubs.problems == unused)
        #expect(other.problems == [.unused(stub: "GET /other")])
    }

    @Test func `Calling optionally returns the result of its body`() async {
        let stubs = Stubs()
        let stub = stubs.optionally { stubs.on(.get, "/a").answer(.text("a")) }
        let number = await stubs.optionally {
            await Task.yield()
            return 7
        }
        #expect(stub.name == "GET /a" && number == 7)
    }
}
