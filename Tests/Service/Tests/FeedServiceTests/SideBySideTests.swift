import APIBaseTesting
import Hummingbird
import HummingbirdTesting
import Testing

@testable import FeedService

@Suite(.timeLimit(.minutes(1))) struct SideBySideTests {
    /// 200 tests at once, through one application. Each says `stubs.run`, and sees its own stubs alone.
    @Test func `Concurrent in-process tests that share one application each see only their own stubs`() async throws {
        try await makeRouter().test(.inProcess) { client in
            try await Self.runTests { try await client.feed() }
        }
    }

    /// The same through one server that has been started before them all: each hands its scope on, with a header.
    @Test func `Concurrent tests that call one server over a socket each see only their own stubs`() async throws {
        let scopes = TestScopes()
        let router = Router()
        router.add(middleware: scopes)
        addRoutes(to: router)
        try await router.test(.overASocket) { client in
            let clients = Clients(port: try #require(client.port))
            try await Self.runTests { try await clients.feed(headers: scopes.header()) }
            try await clients.shutDown()
        }
    }

    private static func runTests(_ feed: @escaping @Sendable () async throws -> Feed) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let stubs = Stubs()
                    stubs.answerFeed(of: "Test \(number)")
                    let feed = try await stubs.run { try await feed() }
                    #expect(feed.weather.sky == "Test \(number)")
                    #expect(feed.headlines == ["Test \(number) 1", "Test \(number) 2"])
                    #expect(feed.todos.map(\.title) == ["Test \(number)"])
                    #expect(stubs.calls.count == 5)
                }
            }
            try await group.waitForAll()
        }
    }
}
