// swift-format-ignore-file
// The samples of the article on the life of a call, in its order.

import APIBaseTesting
import TestTiers
import Testing

// sample x
final class ReindexRequest: BooksAPI, PolledRequest {
    struct ModelType: Decodable { var state: String, percent: Int }
    override init() { super.init(.post("/reindexing")) }

    func nextPoll(after reply: ModelType, _ response: HTTPURLResponse) -> NextPoll {
        if response.statusCode == 202 { return NextPoll(response) }          // Location, Retry-After
        return reply.state == "running" ? .again(after: .seconds(2)) : .done
    }
}

func reindex() async throws {
    for try await step in ReindexRequest().eachPoll(within: .seconds(300)) { print(step.percent) }
}
// end

@Suite(.limited) struct ReindexSampleTests {
    @Test(.stubs { stubs in
        stubs.on(.post, "/reindexing").answer(
            .json(#"{"state": "running", "percent": 0}"#, status: 202, headers: ["Location": "/v2/reindexing/7"]))
        stubs.on(.get, "/reindexing/7").answer(
            inOrder: .json(#"{"state": "running", "percent": 50}"#), .json(#"{"state": "done", "percent": 100}"#))
    })
    func `The sample for polling waits between the polls until the state is done`() async throws {
        try await reindex()
        #expect(Stubs.current?.waits.map(\.duration) == [.seconds(1), .seconds(2)])
    }
}

/// What a service answers to a login.
private struct Session: Decodable {
    var key: String
    var end: Date
}

private final class LoginRequest: JSONAPI, Request {
    typealias ModelType = Session
    init(name: String) { super.init(.post("/login", json: ["name": name])) }
}

// sample x
class MembersAPI: JSONAPI {
    static let tokens = TokenSource { old in
        let session = try await LoginRequest(name: "reader").value()
        return Token(session.key, expiresAt: session.end)
    }

    override func configure() {
        super.configure()
        authorization = .tokens(Self.tokens)
    }
}
// end

// sample x
class CameraAPI: JSONAPI {
    static let reader = Authorization.digest(user: "reader", password: "secret")

    override func configure() {
        super.configure()
        authorization = Self.reader
    }
}
// end

// sample x
class PatientAPI: JSONAPI {
    static let budget = RetryBudget()

    override func configure() {
        super.configure()
        retry = RetryPolicy(attempts: 4, deadline: .seconds(30), budget: Self.budget)
        idempotencyKey = .automatic
    }
}
// end

// sample x
func titles(of ids: [Int]) async throws -> [String] {
    try await CallScope.withDeadline(.seconds(2)) {
        var titles: [String] = []
        for id in ids { titles.append(try await BookRequest(id: id).value().title) }
        return titles
    }
}
// end

@Suite(.limited) struct DeadlineSampleTests {
    @Test(.stubs { $0.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#).delayed(by: .milliseconds(900))) })
    func `The sample with a deadline gives two titles, and fails for three, which take too long`() async throws {
        #expect(try await titles(of: [1, 2]) == ["Swift", "Swift"])
        await #expect(throws: RequestError.deadlineExceeded(after: .seconds(2))) { try await titles(of: [1, 2, 3]) }
    }
}

// sample x
class TracedAPI: JSONAPI {
    @TaskLocal static var traceparent: String?

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        var request = request
        if let trace = Self.traceparent { request.setValue(trace, forHTTPHeaderField: "traceparent") }
        return super.intercept(request, next: next)
    }
}
// end

/// What a signer does.
private func signed(_ request: URLRequest) async throws -> URLRequest { request }

// sample x
class SignedAPI: JSONAPI {
    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        AnyPublisher.awaiting { try await signed(request) }.flatMap(next).eraseToAnyPublisher()
    }
}
// end

// sample x
class GentleAPI: JSONAPI {
    static let gate = CallGate(concurrent: 8, perSecond: 50, opensAfter: 5)

    override func configure() {
        super.configure()
        gate = Self.gate
    }
}
// end

func limitOfAReply() async throws -> Book {
// sample x
let (book, response) = try await BookRequest(id: 7).reply()
if let limit = RateLimit(response), limit.remaining == 0 { print("Wait for \(limit.reset ?? .seconds(60)).") }
// end
return book
}

// sample x
class ThriftyAPI: JSONAPI {
    static let cache = ResponseCache()

    override func configure() {
        super.configure()
        cache = Self.cache
        sharing = .safeMethods
    }
}
// end

func cacheInAFolder() -> ResponseCache {
// sample x
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("books")
let lasting = ResponseCache(FolderStorage(folder, bytes: 64 << 20))
// end
return lasting
}

// sample x
class LoggedAPI: JSONAPI {
    override func configure() {
        super.configure()
        watchers = [CallLog()]
    }
}
// end

func title() async throws -> String {
// sample x
let located = try await BookRequest(id: 7).here().value()
// end
return located.title
}

func commandLine() -> String {
// sample x
let text = BookRequest(id: 7).curlText
// end
return text
}

// sample x
class FilesAPI: JSONAPI {
    /// Files are at another server, which signs its URLs and wants no headers of ours.
    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? {
        request.url?.host == "files.example" ? request.url.map { URLRequest(url: $0) } : request
    }
}
// end

// sample x
class CountriesAPI: JSONAPI {
    override func lifetime(of response: HTTPURLResponse) -> Duration? {
        response.statusCode == 200 ? .seconds(3_600) : nil
    }
}
// end

