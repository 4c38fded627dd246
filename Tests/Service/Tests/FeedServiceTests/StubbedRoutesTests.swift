import APIBaseTesting
import Hummingbird
import HummingbirdTesting
import Testing

@testable import FeedService

@Suite(.timeLimit(.minutes(1))) struct StubbedRoutesTests {
    /// In process, a request runs in the task of the test, and so do the upstream calls. A server that is started inside of the
    /// test is a child of its task.
    @Test(.stubs { $0.answerFeed(of: "Rome") }, arguments: Way.allCases)
    func `The feed route combines the answers of the stubbed weather, news and todo upstreams`(_ way: Way) async throws
    {
        let feed = try await makeRouter().test(way) { try await $0.feed() }
        #expect(feed.weather.sky == "Rome")
        #expect(feed.headlines == ["Rome 1", "Rome 2"])
        #expect(feed.todos.map(\.title) == ["Rome"])
        #expect(Stubs.current?.calls.count == 5)
    }

    /// A server that runs already knows nothing of the test: it is built with the scope, in one word.
    @Test(.stubs { $0.answerFeed(of: "Rome") }, arguments: Way.allCases)
    func `A router built with the scope .here uses the test's stubs even when run in a detached task`(_ way: Way)
        async throws
    {
        let router = makeRouter(scope: .here)
        let feed = try await Task.detached { try await router.test(way) { try await $0.feed() } }.value
        #expect(feed.todos.map(\.title) == ["Rome"])
    }

    @Test(
        .stubs { $0.on(StoreRequest.self).answer(inOrder: .status(503), .json(Receipt(id: "a", bytes: 7))) },
        arguments: Way.allCases
    )
    func `The import route repeats an upload after a 503 with the same body and Idempotency-Key`(_ way: Way)
        async throws
    {
        try await makeRouter().test(way) { client in
            let upload = ByteBuffer(string: "a,b\n1,2")
            try await client.execute(uri: "/import", method: .post, headers: [.contentType: "text/csv"], body: upload) {
                #expect($0.status == .ok)
                #expect(String(buffer: $0.body).contains(#""bytes":7"#))
            }
        }
        let calls = try #require(Stubs.current?.calls)
        #expect(calls.map(\.body) == [Data("a,b\n1,2".utf8), Data("a,b\n1,2".utf8)])
        #expect(calls.map { $0.headers["Content-Type"] } == ["text/csv", "text/csv"])
        let keys = calls.compactMap { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test(
        .stubs { $0.on(PricesRequest.self).answer(inOrder: .events(prices), .status(204)) },
        arguments: Way.allCases
    )
    func `The events route forwards only the upstream events after the Last-Event-ID of the request`(_ way: Way)
        async throws
    {
        try await makeRouter().test(way) { client in
            try await client.execute(uri: "/events", method: .get, headers: HTTPFields("Last-Event-ID", "1")) {
                response in
                #expect(response.headers[.contentType] == "text/event-stream")
                #expect(String(buffer: response.body) == "id: 2\ndata: 20 €\n\nevent: end\nid: 3\ndata: \n\n")
            }
        }
    }

    private static let prices = [
        ServerSentEvent(data: "10 €", lastEventID: "1"), ServerSentEvent(data: "20 €", lastEventID: "2"),
        ServerSentEvent(type: "end", data: "", lastEventID: "3"),
    ]

    @Test(arguments: Way.allCases)
    func `The health route answers GET with status 200`(_ way: Way) async throws {
        try await makeRouter().test(way) { client in
            try await client.execute(uri: "/health", method: .get) { #expect($0.status == .ok) }
        }
    }

    @Test(.stubs { $0.on(StoreRequest.self).answer(.status(400)) }, arguments: Way.allCases)
    func `The import route answers 502 when the upstream refuses the upload with 400`(_ way: Way) async throws {
        try await makeRouter().test(way) { client in
            try await client.execute(uri: "/import", method: .post) { #expect($0.status == .badGateway) }
        }
    }
}
