import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// Sets credentials in each request.
private struct Key: CallWatcher {
    func attempt(_ request: URLRequest) throws -> URLRequest { request.withCredentials }
}

/// Sends the request somewhere else.
private struct Move: CallWatcher {
    func attempt(_ request: URLRequest) throws -> URLRequest {
        var request = request
        request.url = URL(string: "https://moved.example/jobs")
        return request
    }
}

extension URLRequest {
    fileprivate var withCredentials: URLRequest {
        var request = self
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        request.setValue("canary", forHTTPHeaderField: "X-Api-Key")
        request.setValue("canary", forHTTPHeaderField: "X-Mine")
        request.setValue("1", forHTTPHeaderField: "X-Trace")
        return request
    }
}

private class JobsAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://api.example") }
    override func configure() {
        super.configure()
        secretHeaders.insert("X-Mine")
    }
}

private class Job: JobsAPI, PolledRequest {
    typealias ModelType = JSONValue
    override init() { super.init(.post("/jobs")) }
}

private final class InterceptingJob: JobsAPI, PolledRequest {
    typealias ModelType = JSONValue
    override init() { super.init(.post("/jobs")) }
    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        next(request.withCredentials)
    }
}

/// Who may set credentials in the request of a poll.
private enum Setter: String, CaseIterable { case scope, account, object, intercept }

@Suite(.limited) struct ForeignPollTests {
    private func headers(_ setter: Setter, at location: String) async throws -> [HTTPHeaders] {
        let stubs = Stubs(clock: .immediate)
        stubs.on(.post, "/jobs").answer(.status(202, headers: ["Location": location]))
        let poll = stubs.on(.get, "/jobs/7")
        poll.answer(.json("{}"))
        let job = Job()
        if setter == .object { job.watchers = [Key()] }
        if setter == .account { job.on(APIAccount(watchers: [Key()])) }
        try await stubs.run {
            try await CallScope.watching(setter == .scope ? [Key()] : []) {
                if setter == .intercept {
                    _ = try await InterceptingJob().result(within: .seconds(60))
                } else {
                    _ = try await job.result(within: .seconds(60))
                }
            }
        }
        return poll.calls.map(\.headers)
    }

    @Test(arguments: Setter.allCases)
    private func `Credentials that a watcher or an override sets do not go to another origin with a poll`(
        setter: Setter
    ) async throws {
        let headers = try #require(try await headers(setter, at: "https://other.example/jobs/7").first)
        #expect(headers.map(\.value).filter { $0.contains("canary") } == [])
        #expect(headers["X-Trace"] == "1")
    }

    @Test(arguments: Setter.allCases)
    private func `Credentials that a watcher or an override sets go with a poll of the same origin`(setter: Setter)
        async throws
    {
        let headers = try #require(try await headers(setter, at: "/jobs/7").first)
        #expect(headers["Authorization"] == "Bearer canary")
        #expect(headers["X-Api-Key"] == "canary")
    }

    @Test func `What one watcher has set does not go to the origin to which the next one moves the request`()
        async throws
    {
        let stubs = Stubs(clock: .immediate)
        let moved = stubs.on(.post, "/jobs")
        moved.answer(.json("{}"))
        try await stubs.run { try await CallScope.watching([Key(), Move()]) { _ = try await Job().value() } }
        let headers = try #require(moved.calls.first?.headers)
        #expect(moved.calls.first?.url?.host == "moved.example")
        #expect(headers.map(\.value).filter { $0.contains("canary") } == [])
    }
}
