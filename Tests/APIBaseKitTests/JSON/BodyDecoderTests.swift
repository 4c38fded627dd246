import APIBaseKit
import APIBaseStubs
import HostileServer
import TestTiers
import Testing

private struct Problem: Error, Decodable, Equatable {
    var errorCode: Int
}

/// An API whose names are in snake case, in errors and lines as well.
private class SnakeAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "http://api.example") }

    init(isStrict: Bool = JSONAPI().usesStrictJSON) {
        super.init(.get("/x"))
        usesStrictJSON = isStrict
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }
}

private final class SnakeRequest: SnakeAPI, Request {
    typealias ModelType = Problem

    override func error(for failure: HTTPFailure) -> any Error {
        (try? failure.decode(Problem.self)) ?? super.error(for: failure)
    }
}

/// One that leaves it to its caller to read failures.
private final class PlainRequest: SnakeAPI, Request {
    typealias ModelType = Problem
}

/// Where a reply, or a part of it, is read by the decoder of its API.
@Suite(.limited) struct BodyDecoderTests {
    private static let text = #"{"error_code": 7}"#

    private func failure(of publisher: some Publisher<some Any, any Error>) async throws -> any Error {
        try #require(try await finalOutcome(of: publisher).failure)
    }

    @Test(arguments: [true, false])
    func `An API's own error type is decoded with the API's decoder in every kind of call`(isStrict: Bool) async throws
    {
        let stubs = Stubs()
        stubs.on().answer(.json(Self.text, status: 409))
        let folder = DownloadFolder()
        try await stubs.run {
            let call = SnakeRequest(isStrict: isStrict)
            for publisher in [
                call.start().map { _ in }.eraseToAnyPublisher(),
                call.sendStream().map { _ in }.eraseToAnyPublisher(),
                call.serverSentEvents().map { _ in }.eraseToAnyPublisher(),
                call.jsonLines(of: Problem.self).map { _ in }.eraseToAnyPublisher(),
                call.download(to: folder.file).map { _ in }.eraseToAnyPublisher(),
            ] {
                let error = try await failure(of: publisher)
                #expect(error as? Problem == Problem(errorCode: 7))
            }
        }
    }

    @Test(arguments: [true, false])
    func `An HTTPFailure decodes its body with the API's decoder unless another decoder is given`(isStrict: Bool)
        async throws
    {
        let stubs = Stubs()
        stubs.on().answer(
            inOrder: .json(Self.text, status: 409),
            .text(Self.text),
            .json(#"{"error_code": "7"}"#),
            .json(#"{"errorCode": 7,}"#, status: 400)
        )
        var replies: [HTTPFailure] = []
        try await stubs.run {
            let call = PlainRequest(isStrict: isStrict)
            for _ in 0..<4 {
                switch try await failure(of: call.start()) as? RequestError {
                case .httpFailure(let failure): replies.append(failure)
                case .contentTypeMismatch(_, _, let reply): replies.append(reply)
                case .undecodable(let undecodable): replies.append(undecodable.reply)
                default: break
                }
            }
        }
        try #require(replies.count == 4)
        #expect(try replies[0].decode(Problem.self) == Problem(errorCode: 7))
        #expect(try replies[1].decode(Problem.self) == Problem(errorCode: 7))
        #expect(try replies[2].decode([String: String].self) == ["error_code": "7"])
        // The comma is an error for the strict decoder, and for some of Foundation's.
        if isStrict { #expect(throws: DecodingError.self) { try replies[3].decode(Problem.self) } }
        // A decoder that is given comes first.
        #expect(throws: DecodingError.self) { try replies[0].decode(Problem.self, decoder: JSONDecoder()) }
    }

    @Test func `The decoder that an HTTPFailure keeps affects neither its equality nor its dump`() async throws {
        let call = SnakeRequest()
        call.dataTaskPublisher = call.stubJSONResponse(statusCode: 409, data: Data("x".utf8))
        let other = JSONAPI(.get("http://api.example/x"))
        other.dataTaskPublisher = other.stubJSONResponse(statusCode: 409, data: Data("x".utf8))
        let failures = [
            try await failure(of: call.start()) as? RequestError,
            try await failure(of: other.sendRequest()) as? RequestError,
        ]
        #expect(Set(failures).count == 1 && failures[0] != nil)
        var dumped = ""
        dump(failures, to: &dumped)
        #expect(!dumped.contains("ecoder"))
    }

    @Test func `The HTTPFailure of a call that is no JSONAPI decodes its body with a new JSONDecoder`() async throws {
        let call = Call()
        call.dataTaskPublisher = call.stubResponse(statusCode: 409, data: Data(Self.text.utf8))
        let error = try await failure(of: call.start().validateStatusCode(in: 200..<300)) as? RequestError
        guard case .httpFailure(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try failure.decode([String: Int].self) == ["error_code": 7])
        #expect(throws: DecodingError.self) { try failure.decode(Problem.self) }
    }

    @Test(arguments: [true, false])
    func `JSON Lines of an API are decoded with the decoder of that API`(isStrict: Bool) async throws {
        let stubs = Stubs()
        stubs.on().answer(inOrder: .text("\(Self.text)\n\n\(Self.text)"), .text("\(Self.text)\n[1]\n"))
        try await stubs.run {
            let call = PlainRequest(isStrict: isStrict)
            let lines = try await finalOutcome(of: call.jsonLines(of: Problem.self))
            #expect(lines.values == [Problem(errorCode: 7), Problem(errorCode: 7)] && lines.isFinished)
            let broken = try await finalOutcome(of: call.jsonLines(of: Problem.self))
            #expect(broken.values == [Problem(errorCode: 7)])
            guard case RequestError.undecodableLine(let line)? = broken.failure else {
                Issue.record("\(broken)")
                return
            }
            #expect(line.number == 2)
        }
    }

    @Test func `JSON Lines written in JSON5 are decoded when the API's decoder has allowsJSON5 on`() async throws {
        let stubs = Stubs()
        stubs.on().answer(.text("{'error_code': 7}\n"))
        try await stubs.run {
            let call = PlainRequest(isStrict: true)
            let refused = try await failure(of: call.jsonLines(of: Problem.self))
            #expect(refused is RequestError)
            call.decoder.allowsJSON5 = true
            let lines = try await finalOutcome(of: call.jsonLines(of: Problem.self))
            #expect(lines.values == [Problem(errorCode: 7)])
        }
    }
}
