import APIBaseTesting
import Hummingbird
import HummingbirdTesting
import Testing

@testable import FeedService

/// A call that no stub answers: it never gets to the network, and says what it was, what came near, and what to do.
@Suite(.timeLimit(.minutes(1))) struct UnstubbedCallTests {
    /// A route that starts a call from a place, and answers with what became of it.
    private func router(_ place: Place) -> Router<BasicRequestContext> {
        let router = Router()
        router.get("call") { _, _ in
            do { return try await place.call().sky } catch { return error.localizedDescription }
        }
        return router
    }

    private func stubs() -> Stubs {
        let stubs = Stubs()
        stubs.on(.get, "/now/:city", query: ["units": "metric"]).optional().answer(.status(404))
        return stubs
    }

    private static let call = "GET https://weather.example/v1/now/Rome (/now/{})"

    /// Runs code whose call outside of the scope is an issue of the test, wherever it is known which test that is.
    private func withCallOutside(_ body: () async throws -> Void) async throws {
        try await withKnownIssue(isIntermittent: true) {
            try await body()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("\(Self.call) was started outside of every scope") }
        }
    }

    @Test(arguments: Place.all, Way.allCases)
    func `The error of an unstubbed upstream call names the call and the missing stub or CallScope.here`(
        _ place: Place,
        _ way: Way
    ) async throws {
        let stubs = stubs()
        var text: String?
        try await withCallOutside {
            text = try? await stubs.run {
                try await router(place).test(way) { client in
                    try await client.execute(uri: "/call", method: .get) { String(buffer: $0.body) }
                }
            }
        }
        if let text {
            #expect(text.contains("GET https://weather.example/v1/now/Rome"), "\(text)")
            #expect(text.contains("CallScope.here"), "\(text)")
        } else {
            let problem = try #require(stubs.problems.first).description
            #expect(problem.contains("“GET /now/:city"), "\(problem)")
            #expect(problem.contains(#"stubs.on(.get, "/v1/now/Rome").answer(…)"#), "\(problem)")
        }
        // The check of the scope fails as well, if it is known to which the call belongs.
        #expect((text == nil) == place.inheritsScope)
        #expect(stubs.problems.count == (place.inheritsScope ? 1 : 0))
    }

    /// A server that was started before the test knows nothing of its scope, wherever its handler makes the call.
    @Test(arguments: Place.all)
    func `A call in a server started before the test fails with an error that suggests CallScope.here`(_ place: Place)
        async throws
    {
        let stubs = stubs()
        try await withCallOutside {
            try await router(place).test(.overASocket) { client in
                try await stubs.run {
                    try await client.execute(uri: "/call", method: .get) { response in
                        let text = String(buffer: response.body)
                        #expect(text.hasPrefix("\(Self.call) was started outside of every"))
                        #expect(text.contains("The nearest:"), "\(text)")
                        #expect(text.contains("CallScope.here"), "\(text)")
                    }
                }
            }
        }
    }

    /// The line that the message names, where it can be written.
    @Test(arguments: Place.all.filter(\.inheritsScope), Way.allCases)
    func `An upstream call gets its answer when the test adds the stub that its earlier error named`(
        _ place: Place,
        _ way: Way
    )
        async throws
    {
        let stubs = Stubs()
        stubs.on(.get, "/v1/now/Rome").answer(.json(Weather(sky: "blue", degrees: 30)))
        try await stubs.run {
            try await router(place).test(way) { client in
                try await client.execute(uri: "/call", method: .get) { #expect(String(buffer: $0.body) == "blue") }
            }
        }
    }
}
