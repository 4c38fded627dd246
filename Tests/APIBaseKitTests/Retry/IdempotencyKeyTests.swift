import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

/// What must not be sent as a key.
@Suite(.limited) struct IdempotencyKeyTests {
    private static let missing = RequestError.invalidRequest(
        TransportError.InvalidRequest(.headerValue(name: "Idempotency-Key"), .missing)
    )
    private static let space = RequestError.invalidRequest(
        TransportError.InvalidRequest(.headerValue(name: "Idempotency-Key"), .surroundingWhitespace)
    )

    @Test(arguments: [("", missing), (" ", space), ("\t", space), (" a", space)])
    func `An empty or space-padded idempotency key fails with invalidRequest and is not sent`(
        key: String,
        expected: RequestError
    ) async throws {
        let (own, header) = (WatchedCall(.post, retry: .standard), WatchedCall(.post, retry: .standard))
        own.idempotencyKey = .value(key)
        header.headers["idempotency-key"] = key
        let stubs = Stubs()
        stubs.on().optional().answer(.status(503))
        for call in [own, header] {
            guard case .invalidRequest(let problem)? = try await stubs.run({ await call.failure() }) as? RequestError,
                case .invalidRequest(let wanted) = expected
            else {
                Issue.record("It was sent.")
                continue
            }
            #expect(problem.problem == wanted.problem)
            #expect("\(problem)".contains("dempotency-"))
        }
        #expect(stubs.calls.isEmpty)
    }

    /// The empty header is refused also where the request object has a key, since the header wins.
    @Test(arguments: [HTTPMethod.get, .post])
    func `An empty Idempotency-Key header fails with invalidRequest even if idempotencyKey is automatic`(
        method: HTTPMethod
    )
        async throws
    {
        let call = WatchedCall(method)
        call.headers["Idempotency-Key"] = ""
        call.idempotencyKey = .automatic
        call.stub(status: 200)
        #expect(await call.failure() as? RequestError == Self.missing)
    }

    /// One that is added later is no key that a server knows the request by.
    @Test func `A POST whose intercept adds an empty Idempotency-Key header is not retried`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(503))
        let call = EmptyKeyCall()
        call.retry = .standard
        await #expect(throws: RequestError.self) { try await stubs.run { try await call.value() } }
        #expect(stubs.calls.count == 1)
    }
}

/// A POST whose `intercept` adds an empty key.
private final class EmptyKeyCall: JSONAPI, Request {
    typealias ModelType = Data

    override init() {
        super.init(.post("http://api.example/x"))
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        var request = request
        request.setValue("", forHTTPHeaderField: "Idempotency-Key")
        return super.intercept(request, next: next)
    }
}
