import APIBaseKit
import Testing

@Suite struct ProblemDetailsTests {
    private func failure(_ body: String, type: String? = "application/problem+json") throws -> HTTPFailure {
        let call = Call("/x")
        call.dataTaskPublisher = call.stubResponse(
            statusCode: 403,
            data: Data(body.utf8),
            headers: type.map { ["Content-Type": $0] } ?? [:]
        )
        let error = outcome(of: call.start().validateStatusCode(in: 200..<300)).failure as? RequestError
        guard case .httpFailure(let failure) = try #require(error) else { throw RequestError.noValue }
        return failure
    }

    /// The first example of RFC 9457, section 3.
    @Test func `A problem body (RFC 9457) is read with its members and extensions`() throws {
        let problem = try failure(
            """
            {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
             "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc",
             "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
            """
        ).problem
        #expect(problem?.type == "https://example.com/probs/out-of-credit")
        #expect(problem?.title == "You do not have enough credit.")
        #expect(problem?.status == nil)
        #expect(problem?.detail == "Your current balance is 30, but that costs 50.")
        #expect(problem?.instance == "/account/12345/msgs/abc")
        #expect(problem?.extensions == ["balance": 30, "accounts": ["/account/12345", "/account/67890"]])
    }

    /// The second example of RFC 9457, section 3.
    @Test func `The errors array of a problem body (RFC 9457) is read as an extension`() throws {
        let problem = try failure(
            """
            {"type": "https://example.net/validation-error", "title": "Your request is not valid.", "errors": [
              {"detail": "must be a positive integer", "pointer": "#/age"},
              {"detail": "must be 'green', 'red' or 'blue'", "pointer": "#/profile/color"}]}
            """
        ).problem
        #expect(problem?.extensions["errors"]?[1]?["pointer"] == "#/profile/color")
        #expect(problem?.extensions.count == 1)
    }

    /// RFC 9457, section 3.1: a member with a value of another type counts as missing.
    @Test(
        arguments: [
            (#"{"status": 403}"#, 403), (#"{"status": "403"}"#, nil), (#"{"status": 403.5}"#, nil),
            (#"{"status": 1e3}"#, nil), (#"{"status": null}"#, nil), (#"{"status": true}"#, nil),
            (#"{"status": 99999999999999999999}"#, nil), (#"{"status": [403]}"#, nil), ("{}", nil),
        ] as [(String, Int?)]
    )
    func `The status of ProblemDetails is nil unless the status in the body is an integer`(body: String, status: Int?)
        throws
    {
        let problem = try #require(try failure(body).problem)
        #expect(problem.status == status)
        #expect(problem.extensions.isEmpty)
    }

    @Test(arguments: ["type", "title", "detail", "instance"])
    func `A text member of ProblemDetails is nil when its JSON value has another type`(name: String) throws {
        for value in ["7", "null", "true", "[]", #"{"a": 1}"#] {
            let problem = try #require(try failure(#"{"x": 1, "\#(name)": \#(value)}"#).problem)
            #expect([problem.type, problem.title, problem.detail, problem.instance] == [nil, nil, nil, nil])
            #expect(problem.extensions == ["x": 1])
        }
    }

    @Test(arguments: [
        "", "[]", "null", #""text""#, "{", #"{"title": "a""#, "<html></html>", #"{"title": "a"} x"#, "{title: 1}",
        String(repeating: #"{"a":"#, count: 2_000), String(repeating: "[", count: 100_000),
        #"{"title": ""# + String(repeating: "a", count: HTTPFailure.bodyLimit) + #""}"#,
    ])
    func `The problem of an HTTPFailure is nil if the body is not a JSON object or is too large`(body: String) throws {
        #expect(try failure(body).problem == nil)
    }

    @Test(
        arguments: [
            ("application/problem+json", true), ("APPLICATION/Problem+JSON", true),
            ("application/problem+json; charset=utf-8", true), (" application/problem+json ;x=\"y\"", true),
            ("application/json", false), ("application/problem+xml", false), ("application/problem+json2", false),
            ("text/html", false), ("", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func `The problem of an HTTPFailure is nil unless the Content-Type is problem+json`(type: String?, isProblem: Bool)
        throws
    {
        #expect((try failure(#"{"title": "a"}"#, type: type).problem != nil) == isProblem)
    }

    /// The settings of an API's decoder change neither the names nor the result.
    @Test func `The extension names of ProblemDetails stay unchanged under convertFromSnakeCase`() throws {
        final class SnakeRequest: JSONAPI, Request {
            typealias ModelType = Int
            override func configure() {
                baseURL = URL(string: "http://api.example")
                decoder.keyDecodingStrategy = .convertFromSnakeCase
            }
            override func error(for failure: HTTPFailure) -> any Error {
                failure.problem ?? super.error(for: failure)
            }
        }
        let request = SnakeRequest()
        request.dataTaskPublisher = request.stubResponse(
            statusCode: 409,
            data: Data(#"{"title": "Taken", "order_id": {"line_no": 1}}"#.utf8),
            headers: ["Content-Type": "application/problem+json"]
        )
        let problem = try #require(outcome(of: request.start()).failure as? ProblemDetails)
        #expect(problem.extensions == ["order_id": ["line_no": 1]])
        #expect(problem.localizedDescription == "Taken")
    }

    @Test func `Printing ProblemDetails shows no secrets and no control characters`() throws {
        let problem = try #require(
            try failure(
                #"{"title": "No: token=canary\u0007", "detail": "canary", "instance": "/canary", "x": "canary"}"#
            ).problem
        )
        var dumped = ""
        dump(problem, to: &dumped)
        for text in ["\(problem)", problem.localizedDescription, dumped, String(reflecting: problem)] {
            #expect(!text.contains("canary") && !text.contains("\u{7}"), "\(text)")
        }
        #expect("\(problem)".hasPrefix("No: token=REDACTED"))
        #expect("\(try #require(try failure(#"{"type": "/out"}"#).problem))" == "/out")
        #expect("\(try #require(try failure("{}").problem))" == "The response describes a problem without a title.")
    }

    @Test(arguments: [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase])
    func `A JSONDecoder with any key strategy decodes ProblemDetails with unchanged extension names`(
        keys: JSONDecoder.KeyDecodingStrategy
    ) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        let problem = try decoder.decode(
            ProblemDetails.self,
            from: Data(#"{"title": "a", "b_c": 1, "status": 4}"#.utf8)
        )
        #expect((problem.title, problem.status) == ("a", 4))
        #expect(problem.extensions == ["b_c": 1])
        #expect(throws: DecodingError.self) { try decoder.decode(ProblemDetails.self, from: Data("[1]".utf8)) }
    }
}
