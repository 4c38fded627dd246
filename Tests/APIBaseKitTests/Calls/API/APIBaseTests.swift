import APIBaseKit
import Basics
import Testing

@Suite struct APIBaseTests {
    @Test func `The properties of a new APIBase have the defaults that their documentation names`() {
        let call = APIBase()
        #expect(call.timeout == .seconds(60))
        #expect(call.method == .get)
        #expect(call.path == "" && call.queryItems.isEmpty && call.headers.isEmpty)
        #expect(call.contentType == nil && call.body == nil && call.content == nil)
        #expect(call.secretHeaders == HTTPHeaders.secretNames)
        #expect(call.authorization == nil && call.cache == nil && call.gate == nil && call.idempotencyKey == nil)
        #expect(call.retry.attempts == 1 && call.sharing == .none && call.limits == .default)
    }

    @Test func `The built URLRequest has the URL, method, headers, body and timeout of the properties`() throws {
        let call = Call("/notes")
        call.method = .patch
        call.headers = ["Accept": "application/json", "X-Trace": "1"]
        call.headers.add(name: "x-trace", value: "2")
        call.contentType = "text/plain"
        call.body = Data("note".utf8)
        call.timeout = .milliseconds(2500)
        let request = try call.buildURLRequest()
        #expect(request.url?.absoluteString == "http://api.example/notes")
        #expect(request.httpMethod == "PATCH")
        #expect(request.value(forHTTPHeaderField: "accept") == "application/json")
        #expect(request.value(forHTTPHeaderField: "X-Trace") == "1, 2")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "4")
        #expect(request.httpBody == Data("note".utf8))
        #expect(request.timeoutInterval == 2.5)
    }

    @Test func `A request without a body has no Content-Type and no Content-Length header`() throws {
        let call = Call()
        call.contentType = "application/json"
        let request = try call.buildURLRequest()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func `A Content-Type among the headers takes precedence over the contentType property`() throws {
        let call = Call()
        call.method = .post
        call.headers["content-type"] = "application/vnd.api+json"
        call.contentType = "application/json"
        call.body = Data("{}".utf8)
        #expect(try call.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
    }

    @Test func `A bodyStream takes precedence over body and sets Content-Length`() throws {
        let call = Call()
        call.method = .post
        call.body = Data("body".utf8)
        call.bodyStream = (InputStream(data: Data("stream".utf8)), 6)
        let request = try call.buildURLRequest()
        #expect(request.httpBody == nil)
        #expect(request.httpBodyStream === call.bodyStream?.stream)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "6")
    }

    @Test(arguments: [
        (HTTPMethod.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"),
        (.delete, "DELETE"), (.options, "OPTIONS"), (HTTPMethod(rawValue: "patch"), "PATCH"),
        (HTTPMethod(rawValue: "PROPFIND"), "PROPFIND"),
    ])
    func `An HTTP method is in uppercase in the URLRequest`(method: HTTPMethod, expected: String) throws {
        let call = Call()
        call.method = method
        #expect(try call.buildURLRequest().httpMethod == expected)
    }

    @Test func `A call builds its request only when its publisher is subscribed to`() {
        let counter = BuildCounter()
        counter.dataTaskPublisher = counter.stubResponse(statusCode: 200, data: Data())
        let publisher = counter.sendRequest()
        #expect(counter.builds == 0)
        #expect(counter.request == nil)
        #expect(outcome(of: publisher).isFinished)
        #expect(counter.builds == 1)
        #expect(counter.request != nil)
    }

    @Test func `Each subscription to a call's publisher builds the request again`() {
        let counter = BuildCounter()
        counter.dataTaskPublisher = counter.stub(error: URLError(.networkConnectionLost))
        let outcome = outcome(of: counter.sendRequest().retry(2))
        #expect((outcome.failure as? URLError)?.code == .networkConnectionLost)
        #expect(counter.builds == 3)
        #expect(counter.request?.value(forHTTPHeaderField: "X-Attempt") == "3")
    }

    @Test func `A second attempt fails with bodyNotReplayable when its bodyStream is consumed`() {
        let call = Call()
        call.method = .post
        let stream = InputStream(data: Data("once".utf8))
        call.bodyStream = (stream, 4)
        call.dataTaskPublisher = call.stub(error: URLError(.networkConnectionLost))
        #expect(outcome(of: call.start()).failure is URLError)
        let second = outcome(of: call.start()).failure as? TransportError
        #expect(second?.reason == .bodyNotReplayable)
        #expect((second?.underlying as? URLError)?.code == .networkConnectionLost)
    }

    @Test func `A bodyNotReplayable error has the first attempt's HTTP failure as underlying error`() {
        let call = Call()
        call.method = .post
        call.bodyStream = (InputStream(data: Data("once".utf8)), 4)
        call.dataTaskPublisher = call.stubResponse(statusCode: 401, data: Data("no".utf8))
        let outcome = outcome(of: call.start().validateStatusCode(in: 200..<300).retry(1))
        let second = outcome.failure as? TransportError
        #expect(second?.reason == .bodyNotReplayable)
        guard case RequestError.httpFailure(let first)? = second?.underlying else {
            Issue.record("\(String(describing: second))")
            return
        }
        #expect(first.statusCode == 401)
        #expect(first.body == Data("no".utf8))
    }

    @Test func `A call runs the overrides of startRequest() and sendRequest() in all its superclasses`() {
        final class Leaf: SendingAPI {}
        let leaf = Leaf()
        leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 200, data: Data("x".utf8))
        #expect(
            outcome(of: leaf.sendRequest()).values.map { String(decoding: $0.data, as: UTF8.self) } == ["x-start-send"]
        )
    }

    @Test func `A call is sent through the session that is set on its request object`() async throws {
        let session = FakeSession()
        let call = Call("/x")
        call.session = session
        #expect(try await call.value().response.statusCode == 204)
        #expect(session.requests.map { $0.url?.absoluteString } == ["http://api.example/x"])
    }

    @Test func `An API class that overrides session sends its calls through that session`() async throws {
        final class Leaf: SessionAPI, Request {
            func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }
        }
        let leaf = Leaf()
        leaf.baseURL = URL(string: "http://api.example")
        #expect(try await leaf.value().response.statusCode == 204)
    }

    @Test func `Printing or dumping a request object shows no secret header`() {
        let call = Call("/x")
        call.headers = ["Authorization": "canary", "X-Own": "canary"]
        call.secretHeaders.insert("X-Own")
        call.dataTaskPublisher = call.stubResponse(statusCode: 200, data: Data())
        #expect(outcome(of: call.start()).isFinished)
        var printed = "\(call) \(String(reflecting: call))"
        dump(call, to: &printed)
        #expect(!printed.contains("canary"))
        #expect(call.request?.value(forHTTPHeaderField: "X-Own") == "canary")
    }

    @Test func `Two request objects without a session of their own have the same default session`() {
        #expect(Call().session === Call().session)
    }
}

/// Counts how often its request is built.
private final class BuildCounter: APIBase {
    private(set) var builds = 0

    override init() {
        super.init()
        baseURL = URL(string: "http://api.example")
    }

    override func buildURLRequest() throws -> URLRequest {
        builds += 1
        var request = try super.buildURLRequest()
        request.setValue(String(builds), forHTTPHeaderField: "X-Attempt")
        return request
    }
}

private class StartingAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "http://api.example")
    }

    override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.startRequest().map { ($0.data + Data("-start".utf8), $0.response) }.eraseToAnyPublisher()
    }
}

private class SendingAPI: StartingAPI {
    override func sendRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        super.sendRequest().map { ($0.data + Data("-send".utf8), $0.response) }.eraseToAnyPublisher()
    }
}

private class SessionAPI: APIBase {
    private static let shared = FakeSession()

    override var session: any HTTPSession {
        get { Self.shared }
        set { preconditionFailure("The session is that of the class: \(newValue)") }
    }
}

/// A session that answers every request with status 204.
private final class FakeSession: HTTPSession {
    private let seen = Locked<[URLRequest]>([])

    var requests: [URLRequest] { seen.withLock { $0 } }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        seen.withLock { $0.append(request.urlRequest) }
        guard let url = request.urlRequest.url else { return Empty().eraseToAnyPublisher() }
        return Just(.head(ResponseHead(statusCode: 204, headers: [:], url: url)))
            .setFailureType(to: TransportError.self)
            .eraseToAnyPublisher()
    }
}
