import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// Files in which something is not as the format has it. Tools differ in what they write for requests that failed.
@Suite(.limited) struct OddHARTests {
    private let folder = TemporaryFolder()

    private static let good = """
        {"request": {"method": "GET", "url": "http://api.example/good"},
         "response": {"status": 200, "content": {"text": "fine"}}}
        """

    private static let request = #""request": {"method": "GET", "url": "http://api.example/odd"}"#

    private static func request(_ members: String) -> String {
        #"{"request": {"method": "GET", "url": "http://api.example/odd", \#(members)}, \#(response)}"#
    }

    private static let response = #""response": {"status": 200, "content": {"text": "odd"}}"#

    private static func response(_ members: String) -> String { #"{\#(request), "response": {\#(members)}}"# }

    private static func content(_ members: String) -> String {
        response(#""status": 200, "content": {\#(members)}"#)
    }

    // Members and values, each odd in its way.

    private static let oddEntries: [String] = [
        "null", "7", #""x""#, "[]", "{}",
    ]

    private static let missingRequests: [String] = [
        "null", "[]", "{}", #"{"method": "GET"}"#, #"{"url": "http://api.example/odd"}"#,
        #"{"method": 1, "url": "http://api.example/odd"}"#, #"{"method": "GET", "url": null}"#,
        #"{"method": "GET", "url": ""}"#, #"{"method": "GET", "url": "http://["}"#,
        #"{"method": "", "url": "http://api.example/odd"}"#, #"{"method": null, "url": "http://api.example/odd"}"#,
    ]

    private static let missingResponses: [String] = [
        "null", "[]", #""none""#, "7",
    ]

    private static let missingStatuses: [String] = [
        "", #""status": null"#, #""status": """#, #""status": "failed""#, #""status": 0"#, #""status": -1"#,
        #""status": true"#, #""status": 200.5"#, #""status": 2e400"#, #""status": 20000000000000000000"#,
        #""status": {}"#, #""status": [200]"#, #""statusText": "OK""#, #""status": 42"#,
    ]

    private static let requestMembers: [String] = [
        #""cookies": null"#, #""cookies": 7"#, #""cookies": [null, {"value": 1}]"#, #""queryString": {}"#,
        #""headers": null"#, #""headers": {"A": "b"}"#, #""headers": [{"value": "1"}, null, 7]"#,
        #""headers": [{"name": "A", "value": null}]"#, #""postData": null"#, #""postData": 7"#, #""postData": {}"#,
        #""postData": {"params": 7}"#, #""httpVersion": null"#, #""bodySize": "none""#, #""headersSize": null"#,
        #""comment": {}"#,
    ]

    private static let responseMembers: [String] = [
        #""statusText": null"#, #""statusText": 7"#, #""headers": null"#, #""headers": 7"#, #""headers": {"A": 1}"#,
        #""headers": [{"value": "1"}]"#, #""headers": [{"name": "A", "value": 12}]"#, #""headers": [[], "A: b"]"#,
        #""headers": [{"name": "A", "value": true}]"#, #""cookies": "none""#, #""redirectURL": null"#,
        #""redirectURL": {}"#, #""httpVersion": 2"#, #""bodySize": null"#, #""_transferSize": "x""#,
        #""_error": "net::ERR""#,
    ]

    private static let contentMembers: [String] = [
        #""text": "odd", "size": null"#, #""text": "odd", "size": "3""#, #""text": "odd", "mimeType": null"#,
        #""text": "odd", "mimeType": []"#, #""text": "odd", "encoding": null"#, #""text": "odd", "encoding": 7"#,
        #""text": "odd", "encoding": "utf8""#, #""text": "b2Rk", "encoding": "BASE64""#,
        #""text": "odd", "compression": "x""#,
    ]

    private static let entryMembers: [String] = [
        #""startedDateTime": null"#, #""startedDateTime": 7"#, #""time": null"#, #""time": "12""#, #""time": []"#,
        #""timings": null"#, #""timings": []"#, #""timings": {"wait": null}"#, #""timings": {"wait": "12"}"#,
        #""cache": null"#, #""cache": 7"#, #""pageref": {}"#, #""comment": 7"#, #""connection": []"#,
        #""serverIPAddress": null"#,
    ]

    /// Entries that answer nothing: there is no response, or no request that can be read.
    static let silent: [String] = [
        oddEntries, missingRequests.map { #"{"request": \#($0), \#(response)}"# }, ["{\(request)}", "{\(response)}"],
        missingResponses.map { #"{\#(request), "response": \#($0)}"# }, missingStatuses.map { response($0) },
    ].flatMap(\.self)

    /// Entries that answer with `odd`: what is odd in them is not needed.
    static let speaking: [String] = [
        requestMembers.map { request($0) },
        responseMembers.map { response(#""status": 200, "content": {"text": "odd"}, \#($0)"#) },
        ["200.0", #""200""#].map { response(#""status": \#($0), "content": {"text": "odd"}"#) },
        contentMembers.map { content($0) }, entryMembers.map { "{\(request), \(response), \($0)}" },
    ].flatMap(\.self)

    private func reply(_ path: String, _ replay: Recording) async throws -> String {
        try await replay.run { try await Fetch(path).value() }
    }

    @Test(arguments: silent)
    func `A HAR entry without a readable request or response answers nothing, and the others are replayed`(
        entry: String
    ) async throws {
        let file = try folder.write(#"{"log": {"entries": [\#(entry), \#(Self.good)]}}"#)
        let replay = try Recording(file: file, mode: .replay)
        #expect(try await reply("/good", replay) == "fine")
        let error = await #expect(throws: RecordingError.self) { try await reply("/odd", replay) }
        guard case .unmatched(let request)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(request.passedOver == [1] && request.entryCount == 1)
        #expect(request.description.hasSuffix("\nWithout a request or a response that can be read: entry 1"))
    }

    @Test(arguments: speaking)
    func `A HAR entry is replayed whatever the members are that the call does not need`(entry: String) async throws {
        let file = try folder.write(#"{"log": {"entries": [\#(entry), \#(Self.good)]}}"#)
        let replay = try Recording(file: file, mode: .replay)
        #expect(try await reply("/good", replay) == "fine")
        #expect(try await reply("/odd", replay) == "odd")
    }

    /// A body that cannot be read fails the call that needs it.
    @Test(arguments: [
        (#""text": "***", "encoding": "base64""#, RecordingError.Problem.notBase64), (#""text": 7"#, .notA("String")),
        (#""text": {"a": 1}"#, .notA("String")), (#""text": [1]"#, .notA("String")),
    ])
    func `A HAR body that cannot be read fails the call that needs it with wrongShape, and no other`(
        content: String,
        problem: RecordingError.Problem
    ) async throws {
        let file = try folder.write(#"{"log": {"entries": [\#(Self.content(content)), \#(Self.good)]}}"#)
        let replay = try Recording(file: file, mode: .replay)
        #expect(try await reply("/good", replay) == "fine")
        let key = "log.entries[0].response.content.text"
        await #expect(throws: RecordingError.wrongShape(file, key: key, problem: problem)) {
            try await reply("/odd", replay)
        }
    }

    @Test(arguments: [
        #""version": null"#, #""version": 1.2"#, #""creator": null"#, #""creator": {"name": 7}"#, #""pages": null"#,
        #""pages": {}"#, #""pages": [null, {"id": 7, "pageTimings": null}]"#, #""browser": []"#, #""comment": {}"#,
        #""_log": 1"#,
    ])
    func `A HAR file is replayed whatever its log has beside the entries`(members: String) async throws {
        let file = try folder.write(#"{"log": {\#(members), "entries": [\#(Self.good)]}, "more": 1}"#)
        let replay = try Recording(file: file, mode: .replay)
        #expect(try await reply("/good", replay) == "fine")
    }
}
