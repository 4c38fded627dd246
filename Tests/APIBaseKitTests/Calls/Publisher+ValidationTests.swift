import APIBaseKit
import Testing

@Suite struct ValidationTests {
    private func reply(_ statusCode: Int, _ body: String = "", type: String? = nil) -> Call {
        let call = Call("/x")
        call.queryItems = [URLQueryItem(name: "key", value: "secret")]
        call.dataTaskPublisher = call.stubResponse(
            statusCode: statusCode,
            data: Data(body.utf8),
            headers: type.map { ["Content-Type": $0] } ?? [:]
        )
        return call
    }

    @Test(arguments: [200, 204, 299])
    func `A response with a status in the accepted range passes validateStatusCode(in:)`(statusCode: Int) {
        #expect(outcome(of: reply(statusCode).start().validateStatusCode(in: 200..<300)).values.count == 1)
    }

    @Test(arguments: [199, 300, 304, 404, 500, 0, 999])
    func `A status that validateStatusCode(in:) does not accept fails with httpFailure and its response`(
        statusCode: Int
    ) {
        let outcome = outcome(
            of: reply(statusCode, "why", type: "text/plain").start().validateStatusCode(in: 200..<300)
        )
        guard case RequestError.httpFailure(let failure)? = outcome.failure else {
            Issue.record("Status \(statusCode) passed.")
            return
        }
        #expect(failure.statusCode == statusCode)
        #expect(failure.body == Data("why".utf8))
        #expect(failure.headers["content-type"] == "text/plain")
        #expect(failure.url?.absoluteString.contains("secret") == false)
    }

    @Test func `The validateStatusCode(in:) operator takes an array, a set, a range or a stride`() {
        #expect(outcome(of: reply(201).start().validateStatusCode(in: [200, 201])).isFinished)
        #expect(outcome(of: reply(201).start().validateStatusCode(in: Set([201]))).isFinished)
        #expect(outcome(of: reply(201).start().validateStatusCode(in: 200...299)).isFinished)
        #expect(outcome(of: reply(201).start().validateStatusCode(in: stride(from: 201, to: 300, by: 1))).isFinished)
        #expect(outcome(of: reply(201).start().validateStatusCode(in: [])).failure is RequestError)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("application/json", "application/json; charset=utf-8"),
        ("application/json", "application/json;charset=utf-8"), ("application/json", "Application/JSON"),
        ("application/json", " application/json ; profile=\"x; y\""), ("text/plain; charset=utf-8", "text/plain"),
        ("TEXT/plain", "text/PLAIN;q=1"),
    ])
    func `The hasContentType(_:) operator ignores case, white space and parameters of media types`(
        expected: String,
        received: String
    ) {
        #expect(outcome(of: reply(200, "x", type: received).start().hasContentType(expected)).isFinished)
    }

    @Test(arguments: [
        ("application/json", "text/html"), ("application/json", "application/jsonp"), ("application/json", ""),
        ("application/json", "application/vnd.api+json"), ("application/json", "json"), ("text/plain", "text/*"),
    ])
    func `A Content-Type other than hasContentType(_:) expects fails with contentTypeMismatch`(
        expected: String,
        received: String
    ) {
        let outcome = outcome(of: reply(200, "x", type: received).start().hasContentType(expected))
        guard case RequestError.contentTypeMismatch(expected, received, let reply)? = outcome.failure else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        // What a proxy says in its page is there to be looked at.
        #expect(reply.statusCode == 200)
        #expect(reply.body == Data("x".utf8))
    }

    @Test(arguments: [
        (["application/json", "text/csv"], "Text/CSV; charset=utf-8"), (["image/*"], "image/png"),
        (["IMAGE/*"], "image/svg+xml"), (["*/*"], "x/y"), (["application/*+json"], "application/problem+json; a=b"),
        (["+json"], "model/gltf+json"), ([" application/json; charset=utf-8"], "application/json"),
        (["+JSON"], "application/vnd.api+json"),
        (["application/*+json"], "application/a+b+json"), (["*/*"], "text"), (["*/*;q=0.5"], ""),
        (["a/b", "*/*"], "junk; x"),
        (["*/*"], "/"),
    ])
    func `The hasContentType(in:) operator matches an exact type, a wildcard or a suffix such as +json`(
        expected: [String],
        received: String
    ) {
        #expect(outcome(of: reply(200, "x", type: received).start().hasContentType(in: expected)).isFinished)
    }

    @Test(arguments: [
        (["application/json", "text/csv"], "text/html"), (["image/*"], "text/image"), (["*/b"], "text"), ([], "a/b"),
        (["application/*+json"], "application/json"), (["application/*+json"], "text/x+json"), (["+json"], "text/json"),
        (["+json"], "application/+jsonp"), (["application/*+json"], "application/xjson"), (["a/*"], ""),
        (["image/*"], "/"),
    ])
    func `A Content-Type that hasContentType(in:) does not list fails with contentTypeMismatch`(
        expected: [String],
        received: String
    ) {
        let outcome = outcome(of: reply(200, "x", type: received).start().hasContentType(in: expected))
        guard case RequestError.contentTypeMismatch(let list, received, _)? = outcome.failure else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        #expect(list == expected.joined(separator: ", "))
    }

    @Test func `A response without a Content-Type passes hasContentType(in:) only with the any-type wildcard`() {
        #expect(outcome(of: reply(200, "x").start().hasContentType(in: ["text/plain", "*/*"])).isFinished)
        let refused = outcome(of: reply(200, "x").start().hasContentType(in: ["text/*"]))
        guard case RequestError.contentTypeMismatch("text/*", nil, _)? = refused.failure else {
            Issue.record("\(String(describing: refused.failure))")
            return
        }
    }

    @Test func `Without a Content-Type, hasContentType(_:) fails with contentTypeMismatch unless the body is empty`() {
        let outcome = outcome(of: reply(200, "x").start().hasContentType("text/plain"))
        guard case RequestError.contentTypeMismatch("text/plain", nil, let refused)? = outcome.failure else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        #expect(refused.statusCode == 200)
        #expect(APIBaseKitTests.outcome(of: reply(204).start().hasContentType("text/plain")).isFinished)
    }

    @Test func `The isHTTPResponse() operator fails with nonHTTPResponse if it gets no HTTPURLResponse`() throws {
        let url = try #require(URL(string: "file:///x"))
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let other = Just((data: Data(), response: response)).setFailureType(to: (any Error).self)
        #expect(outcome(of: other.isHTTPResponse()).failure as? RequestError == .nonHTTPResponse)
        let http: URLResponse = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        )
        #expect(outcome(of: Just((data: Data(), response: http)).isHTTPResponse()).values.count == 1)
    }
}
