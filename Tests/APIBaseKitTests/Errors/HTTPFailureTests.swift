import APIBaseKit
import Testing

@Suite struct HTTPFailureTests {
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

    @Test func aPatternMatchesOneStatusOrARange() throws {
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

    @Test func aHugeBodyIsCut() throws {
        let body = Data(repeating: 7, count: HTTPFailure.bodyLimit + 1)
        guard case RequestError.httpFailure(let failure) = try error(500, body: body) else { return }
        #expect(failure.body.count == HTTPFailure.bodyLimit)
    }

    @Test func theBodyDecodesAsTheAPIsOwnError() throws {
        struct Problem: Decodable, Equatable {
            let reason: String
        }
        let body = Data(#"{"error": true, "reason": "no such todo"}"#.utf8)
        guard case RequestError.httpFailure(let failure) = try error(404, body: body) else { return }
        #expect(try failure.decode(Problem.self) == Problem(reason: "no such todo"))
    }

    @Test func theSentenceHasStatusAndURLButNoSecret() throws {
        let error = try error(401, body: Data("canary".utf8))
        #expect(error.localizedDescription == "The reply from http://api.example/x has status 401.")
    }
}
