import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// The calls that are operations of a draft.
@Suite struct DraftOperationTests {
    private static func draft(_ entries: [String]) throws -> Draft {
        try Draft(DraftTests.recording(entries), name: "a.har", base: "https://api.example.com")
    }

    private static func entry(_ line: String, headers: String = "") -> String {
        let words = line.split(separator: " ")
        let url = "https://api.example.com\(words[1])"
        return DraftTests.entry(String(words[0]), url, Int(words[2]) ?? 0, #"{"id": 1}"#, headers: headers)
    }

    /// A method, a path and a status for each call, then the operations and the warnings.
    static let cases: [(calls: [String], operations: [String], warnings: [String])] = [
        (["OPTIONS /users 204", "GET /users 200"], ["get /users"], []),
        (["HEAD /users 200", "OPTIONS /a 200", "GET /users 200"], ["get /users"], []),
        (["GET /users 200", "GET /users 0"], ["get /users"], []),
        (["GET /users/7 200", "GET /users/8 0"], ["get /users/{userId}"], []),
        (["GET /users 200", "POST /users 0"], ["get /users"], ["POST /users: no call has a reply, so it is left out"]),
        (
            ["GET /users 200", "GET /slow/7 0", "GET /slow/8 0"], ["get /users"],
            ["GET /slow/{slowId}: no call has a reply, so it is left out"]
        ),
        (["GET /users 200", "GET /old 304"], ["get /users"], ["GET /old: no call has a reply, so it is left out"]),
        (
            ["GET /users 200", "GET /socket 101"], ["get /users"],
            ["GET /socket: no call has a reply, so it is left out"]
        ),
        (
            ["GET /users 200", "GET /x/a 200", "GET /x/b 200", "GET /x/c 200", "GET /x/d 0"],
            ["get /users", "get /x/{xId}"], []
        ),
    ]

    @Test(arguments: cases)
    func `Preflights, HEAD and calls without a reply are no operations, and what only has such is named`(
        calls: [String],
        operations: [String],
        warnings: [String]
    ) throws {
        let draft = try Self.draft(calls.map { Self.entry($0) })
        let paths = try JSONReader.read(Data(draft.document.utf8))["paths"]?.pairs ?? []
        #expect(paths.flatMap { path, item in item.pairs.map { "\($0.name) \(path)" } } == operations)
        #expect(paths.flatMap(\.value.pairs).allSatisfy { $0.value["responses"]?.pairs.isEmpty == false })
        #expect(draft.warnings == warnings)
    }

    @Test(arguments: [["GET /users 0"], ["OPTIONS /users 204"], ["GET /users 304"]])
    func `Drafting throws a Refusal if no call has a reply`(calls: [String]) {
        #expect(throws: Refusal.self) { try Self.draft(calls.map { Self.entry($0) }) }
    }

    @Test func `A call that was given up adds no parameter to its operation`() throws {
        let draft = try Self.draft(["GET /users?page=1 200", "GET /users?q=1 0"].map { Self.entry($0) })
        #expect(draft.document.contains(#""page""#) && !draft.document.contains(#""q""#))
    }

    /// How many of eleven calls have a header, and whether it belongs to the API.
    @Test(arguments: [(11, true), (10, true), (9, false), (1, false)])
    func `A header that nearly all calls have is left out of the operations, and the warning says where to set it`(
        count: Int,
        isCommon: Bool
    ) throws {
        let entries = (0..<11).map { index in
            let name = index.isMultiple(of: 2) ? "X-Client-Version" : "x-client-version"
            let header = #"{"name": "\#(name)", "value": "SECRET1"}, {"name": "x-api-key", "value": "SECRET2"}"#
            return Self.entry(
                index < 5 ? "GET /users 200" : "POST /users 201",
                headers: index < count ? header : ""
            )
        }
        let preflight = Self.entry("OPTIONS /users 204")
        let draft = try Self.draft([preflight] + entries + [preflight])
        #expect(draft.document.contains("x-client-version") == !isCommon)
        #expect(draft.warnings.count == (isCommon ? 1 : 0))
        #expect(
            draft.warnings.allSatisfy { $0.contains("\(count) of 11") && $0.contains(#"headers["x-client-version"]"#) }
        )
        #expect(!(draft.document + draft.warnings.joined()).contains("SECRET"))
    }

    @Test func `The header of the only operation of a recording is its parameter`() throws {
        let header = #"{"name": "X-Trace", "value": "SECRET"}"#
        let draft = try Self.draft([Self.entry("GET /users 200", headers: header)])
        #expect(draft.document.contains("x-trace") && draft.warnings.isEmpty)
    }
}
