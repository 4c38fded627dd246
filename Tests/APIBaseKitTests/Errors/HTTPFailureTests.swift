import APIBaseKit
import APIBaseStubs
import TestTiers
import Testing

@Suite(.limited) struct HTTPFailureTests {
    private func error(_ statusCode: Int, body: Data = Data()) throws -> any Error {
        let call = Call("/x")
        call.headers["Authorization"] = "Bearer canary"
        call.dataTaskPublisher = call.stubResponse(
            statusCode: statusCode,
            data: body,
            headers: ["Set-Cookie": "canary"]
        )
        return try #require(outcome(of: call.start().validateStatusCode(in: 200..<300)).failure)
    }

    private func failure(_ statusCode: Int, body: Data) throws -> HTTPFailure {
        let error = try error(statusCode, body: body)
        guard case RequestError.httpFailure(let failure) = error else { throw error }
        return failure
    }

    @Test func `The pattern RequestError.httpFailure matches one status code or a range of them`() throws {
        let matched =
            switch try error(404) {
            case RequestError.httpFailure(401): "401"
            case RequestError.httpFailure(404): "404"
            default: "none"
            }
        #expect(matched == "404")
        let range =
            switch try error(503) {
            case RequestError.httpFailure(400..<500): "client"
            case RequestError.httpFailure(500...): "server"
            default: "none"
            }
        #expect(range == "server")
    }

    @Test func `The body of an HTTPFailure is cut off after bodyLimit bytes`() throws {
        let body = Data(repeating: 7, count: HTTPFailure.bodyLimit + 1)
        #expect(try failure(500, body: body).body.count == HTTPFailure.bodyLimit)
    }

    /// The refusal of a stream is read up to the limit, however small its pieces are.
    @Test func `The body of a 400 response to an event stream request is read whole from 1-byte chunks`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text(String(repeating: "x", count: 10_000), status: 400).inChunks(of: 1))
        let outcome = try await stubs.run { try await finalOutcome(of: Call("/x").replyEvents()) }
        guard case .httpFailure(let failure)? = outcome.failure as? RequestError else {
            Issue.record("\(outcome.completion.debugDescription)")
            return
        }
        #expect(failure.body.count == 10_000)
    }

    /// RFC 10008, section 2.1.
    @Test(arguments: [(415, true), (405, true), (400, false)])
    func `An HTTPFailure has the types of Accept-Query, and says them with status 415 or 405`(
        status: Int,
        isSaid: Bool
    ) async throws {
        let stubs = Stubs()
        stubs.on().answer(.status(status, headers: ["Accept-Query": #"application/sql, "text/*""#]))
        let call = Call("/x")
        call.session = stubs
        let failure = HTTPFailure(try await call.value())
        #expect(failure.acceptedQueryTypes == ["application/sql", "text/*"])
        #expect(failure.description.hasSuffix(" It takes queries of application/sql, text/*.") == isSaid)
    }

    @Test func `An HTTPFailure decodes its body as an error type of the API`() throws {
        struct Problem: Decodable, Equatable {
            let reason: String
        }
        let body = Data(#"{"error": true, "reason": "no such todo"}"#.utf8)
        #expect(try failure(404, body: body).decode(Problem.self) == Problem(reason: "no such todo"))
    }

    /// RFC 9457, sections 3 and 3.1: a member of another type counts as missing.
    @Test(
        arguments: [
            (#"{"title": "Out of stock", "detail": "canary"}"#, ": “Out of stock”"),
            (#"{"title": "Out of stock", "detail": 7, "status": "x"}"#, ": “Out of stock”"),
            (#"{"detail": "canary"}"#, ""), (#"{"title": "", "code": "canary"}"#, ""), ("[]", ""),
            ("", ""),
            (#"{"title": "a\u001b[31m\nb\u202e"}"#, #": “a\u{1B}[31m\nb\u{202E}”"#),
            (#"{"title": "No: token=canary of https://h.example/?api_key=canary"}"#, nil),
            (#"{"title": "No: {\"password\": \"canary\"}"}"#, nil),
            (#"{"title": "No: Authorization: Bearer canary"}"#, nil),
            (#"{"title": "No: the bearer canary0123456789abcdef is old, see note: 7"}"#, nil),
            (#"{"title": "The bearer token: old. See a=b"}"#, ": “The bearer token: REDACTED See a=b”"),
            (
                #"{"title": ""# + String(repeating: "a", count: 400) + #"canary"}"#,
                ": “\(String(repeating: "a", count: 300))…”"
            ),
            (#"{"title": "T", "x": ""# + String(repeating: "a", count: 70_000) + #""}"#, ""),
        ] as [(String, String?)]
    )
    func `The description of an HTTP failure quotes the title of a problem+json body without secrets`(
        body: String,
        words: String?
    )
        throws
    {
        let call = Call("/x")
        call.dataTaskPublisher = call.stubResponse(
            statusCode: 409,
            data: Data(body.utf8),
            headers: ["Content-Type": "Application/Problem+JSON; charset=utf-8"]
        )
        let error = try #require(outcome(of: call.start().validateStatusCode(in: 200..<300)).failure)
        let text = error.localizedDescription
        #expect(!text.contains("canary"), "\(text)")
        if let words { #expect(text == "The response from http://api.example/x has status 409\(words).") }
        if words == nil { #expect(text.contains("has status 409: “No: "), "\(text)") }
    }

    @Test func `The description of an HTTP failure does not quote a title from a plain JSON body`() throws {
        let call = Call("/x")
        let body = Data(#"{"title": "canary", "detail": "canary"}"#.utf8)
        call.dataTaskPublisher = call.stubJSONResponse(statusCode: 409, data: body)
        let error = try #require(outcome(of: call.start().validateStatusCode(in: 200..<300)).failure)
        #expect(error.localizedDescription == "The response from http://api.example/x has status 409.")
    }

    @Test func `The description of an HTTP failure names the status and URL but nothing from the body`() throws {
        let error = try error(401, body: Data("canary".utf8))
        #expect(error.localizedDescription == "The response from http://api.example/x has status 401.")
    }
}
